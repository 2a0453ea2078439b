//go:build operations

package e2e_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"taskmarket/store/storetest"
)

// follower is an event stream of a human.
type follower struct {
	reader human
	begin  int64 // position at which the stream began
	mu     sync.Mutex
	got    []int64 // ids of the received events
	err    error   // why the stream ended
}

// followStreams opens the event streams. check closes them, and fails the test unless each has
// received the events of its reader in the database, once and in order.
func (l *loadWorld) followStreams() (check func()) {
	l.t.Helper()
	ctx, cancel := context.WithCancel(l.ctx)
	browser := &http.Client{Transport: &http.Transport{ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10}}
	followers := make([]*follower, l.streams)
	var ended sync.WaitGroup
	l.each(len(followers), func(i int) error {
		f := &follower{reader: l.humans[i%len(l.humans)]}
		followers[i] = f
		lines, err := f.open(ctx, browser, l.server, i%streamNetworks)
		if err != nil {
			return fmt.Errorf("open event stream %d: %w", i, err)
		}
		ended.Go(func() { f.read(lines) })
		return nil
	})
	return func() {
		l.t.Helper()
		l.awaitEvents(followers)
		cancel()
		ended.Wait()
	}
}

// streamNetworks is the number of networks that the streams come from.
const streamNetworks = 100

// open opens the stream and returns its lines after the first position.
func (f *follower) open(ctx context.Context, browser *http.Client, server *replica, network int) (*bufio.Scanner, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.api()+"/events", http.NoBody)
	if err != nil {
		return nil, err
	}
	if err := f.reader.as(server, request); err != nil {
		return nil, err
	}
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", network))
	response, err := browser.Do(request) //nolint:bodyclose // the end of ctx closes it
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %s", response.Status)
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if id, ok := positionOf(lines.Text()); ok {
			f.begin = id
			return lines, nil
		}
	}
	return nil, fmt.Errorf("no position: %w", lines.Err())
}

// read stores the ids of the events until the stream ends.
func (f *follower) read(lines *bufio.Scanner) {
	var at int64
	for lines.Scan() {
		if id, ok := positionOf(lines.Text()); ok {
			at = id
		} else if strings.HasPrefix(lines.Text(), "data:") {
			f.mu.Lock()
			f.got = append(f.got, at)
			f.mu.Unlock()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err = lines.Err(); f.err == nil {
		f.err = fmt.Errorf("the server closed the stream")
	}
}

// positionOf parses the line "id: EPOCH-NUMBER" of an event.
func positionOf(line string) (int64, bool) {
	_, number, ok := strings.Cut(strings.TrimPrefix(line, "id: "), "-")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, ok && err == nil && strings.HasPrefix(line, "id: ")
}

// state returns the received events, and the error that ended the stream, if it has ended.
func (f *follower) state() ([]int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got), f.err
}

// awaitEvents waits until each stream has received its reader's events. It fails the test if a stream
// has received other events, or if events are still missing after a timeout.
func (l *loadWorld) awaitEvents(followers []*follower) {
	l.t.Helper()
	var rows []struct {
		ID     int64     `db:"id"`
		Reader uuid.UUID `db:"audience_id"`
	}
	l.must(storetest.DB(l.t, l.records).SelectContext(l.ctx, &rows, `SELECT id, audience_id FROM events WHERE kind <> 'access' ORDER BY id`))
	all := make(map[uuid.UUID][]int64)
	for _, row := range rows {
		all[row.Reader] = append(all[row.Reader], row.ID)
	}
	received := 0
	for i, f := range followers {
		want := all[f.reader.id]
		first, _ := slices.BinarySearch(want, f.begin+1)
		want = want[first:]
		got, err := f.state()
		for end := time.Now().Add(patience); len(got) < len(want) && err == nil && time.Now().Before(end); got, err = f.state() {
			l.pause("wait for events")
		}
		if err != nil || !slices.Equal(got, want) {
			l.t.Errorf("event stream %d received %d events, want %d, each once and in order: %v", i, len(got), len(want), err)
		}
		received += len(got)
	}
	if received == 0 {
		l.t.Error("no events were received")
	}
	l.t.Logf("%d streams received %d events", len(followers), received)
}
