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

// markerKey is the key of the object in the blob store that contains the identity of the store's database. It
// keeps SweepFiles from running with another database, for which every file in the store would appear unused.
const markerKey = ".taskmarket"

// ForeignFilesError reports that the blob store belongs to another database.
type ForeignFilesError struct{ Marker, Database string }

// Error implements the error interface.
func (e *ForeignFilesError) Error() string {
	return fmt.Sprintf("the file store belongs to the database %s, but this is the database %s: give this database a file store of its own; "+
		"if the file store is a copy that was made for this database, or if the other database is no longer in use, run `taskmarketd adopt-files`", e.Marker, e.Database)
}

// ClaimFiles makes a blob store without a marker belong to the database. It returns a
// *ForeignFilesError if the blob store belongs to another one.
func ClaimFiles(ctx context.Context, files *blob.Bucket, records *store.Store) error {
	err := checkMarker(ctx, files, records)
	if gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	identity, err := records.Identity(ctx)
	if err != nil {
		return err
	}
	// If two databases claim the store at the same time, only one of them can create the marker.
	err = files.WriteAll(ctx, markerKey, []byte(identity), &blob.WriterOptions{IfNotExist: true})
	if err != nil && gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return fmt.Errorf("write the marker of the file store: %w", err)
	}
	return checkMarker(ctx, files, records)
}

// AdoptFiles makes the blob store belong to the database, even if it belonged to another one.
func AdoptFiles(ctx context.Context, files *blob.Bucket, records *store.Store) error {
	identity, err := records.Identity(ctx)
	if err != nil {
		return err
	}
	if err := files.WriteAll(ctx, markerKey, []byte(identity), nil); err != nil {
		return fmt.Errorf("write the marker of the file store: %w", err)
	}
	return nil
}

// checkMarker returns a *ForeignFilesError if the blob store belongs to another database, and a
// NotFound error if it has no marker.
func checkMarker(ctx context.Context, files *blob.Bucket, records *store.Store) error {
	marker, err := files.ReadAll(ctx, markerKey)
	if err != nil {
		return fmt.Errorf("read the marker of the file store: %w", err)
	}
	identity, err := records.Identity(ctx)
	if err != nil {
		return err
	}
	if found := strings.TrimSpace(string(marker)); found != identity {
		return &ForeignFilesError{Marker: found, Database: identity}
	}
	return nil
}

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

// deleteBlobs deletes the bytes of files without a record. It deletes nothing if the file store belongs to
// another database.
func deleteBlobs(ctx context.Context, files *blob.Bucket, records *store.Store, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := checkMarker(ctx, files, records); err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		if err := files.Delete(ctx, id.String()); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			errs = append(errs, fmt.Errorf("delete blob %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}
