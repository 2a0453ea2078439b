package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// openCursor opens the cursor in the file until the test ends.
func openCursor(t *testing.T, path string) *client.WatchCursor {
	t.Helper()
	cursor, err := client.OpenWatchCursor(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cursor.Close() })
	return cursor
}

// take opens the cursor, pulls n events and closes it. The last event pulled
// counts as told only if all is set: otherwise the loop is left with it.
func (w *world) take(t *testing.T, path string, n int, all bool, options client.WatchOptions) []string {
	t.Helper()
	cursor := openCursor(t, path)
	defer cursor.Close()
	options.Cursor, options.Interval = cursor, quick
	var got []string
	for event, err := range w.client(t).Watch(t.Context(), options) {
		switch {
		case errors.Is(err, errQuiet):
		case err != nil:
			t.Fatal(err)
		}
		got = append(got, event.EventName+event.Human+" "+event.EscrowTaskID+event.ApplicationID)
		if len(got) == n {
			break
		}
	}
	return got
}
