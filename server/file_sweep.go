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
	// unusedAge is the minimum age at which a blob without a record is deleted. No upload takes
	// that long.
	unusedAge = time.Hour
	// sweepBatch is the maximum number of files that one statement checks.
	sweepBatch = 1_000
)

// SweepFiles deletes blobs without a record, which remain when a crash or a lost connection
// interrupts an upload, or when deleting the files of an erased account fails. Several sweeps can run
// concurrently. It deletes nothing unless the marker of the blob store names the database.
func SweepFiles(ctx context.Context, files *blob.Bucket, records *store.Store, now time.Time) error {
	if err := checkMarker(ctx, files, records); err != nil {
		return err
	}
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
		// If the bucket is a folder, an interrupted upload leaves a file whose name has a suffix.
		name, _, _ := strings.Cut(object.Key, ".")
		if id, err := uuid.Parse(name); err == nil && now.Sub(object.ModTime) > unusedAge {
			keys[id] = append(keys[id], object.Key)
		}
	}
}

// sweepUnused deletes the given blobs that have no record. keys maps a file id to its blob keys.
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
