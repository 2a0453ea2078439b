package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"taskmarket/store"
)

const (
	// unusedAge is how old bytes without a record are when they are deleted:
	// far older than an upload can be that still runs.
	unusedAge = time.Hour
	// sweepBatch bounds how many blobs are looked up in one statement.
	sweepBatch = 1_000
)

// SweepFiles deletes the bytes that no record names: of uploads that a crash or
// a lost connection ended half-way. Several may run at once.
func SweepFiles(ctx context.Context, files *blob.Bucket, records *store.Store, now time.Time) error {
	keys := make(map[uuid.UUID][]string)
	list := files.List(nil)
	for {
		object, err := list.Next(ctx)
		done := errors.Is(err, io.EOF)
		if err != nil && !done {
			return fmt.Errorf("list the blobs: %w", err)
		}
		if done || len(keys) == sweepBatch {
			if err := sweepUnused(ctx, files, records, keys); err != nil || done {
				return err
			}
			clear(keys)
		}
		// A blob that a crash left unfinished in a folder has an ending.
		name, _, _ := strings.Cut(object.Key, ".")
		if id, err := uuid.Parse(name); err == nil && now.Sub(object.ModTime) > unusedAge {
			keys[id] = append(keys[id], object.Key)
		}
	}
}

// sweepUnused deletes those of the keys whose file has no record.
func sweepUnused(ctx context.Context, files *blob.Bucket, records *store.Store, keys map[uuid.UUID][]string) error {
	ids := make([]uuid.UUID, 0, len(keys))
	for id := range keys {
		ids = append(ids, id)
	}
	unused, err := records.MissingFiles(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range unused {
		for _, key := range keys[id] {
			if err := files.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
				return fmt.Errorf("delete blob %s: %w", key, err)
			}
		}
	}
	return nil
}
