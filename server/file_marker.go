package server

import (
	"context"
	"fmt"
	"strings"

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
