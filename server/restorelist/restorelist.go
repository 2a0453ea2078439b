// Package restorelist lists, outside the database, the acts that a restore from a backup must not undo:
// suspensions and erasures. Each entry is an object in the file store, and no entry is changed or deleted.
// `taskmarketd after-restore` repeats the acts.
package restorelist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Kind is the kind of an act.
type Kind string

// The kinds of acts. The end of a suspension is a separate entry, in addition to the entry of the
// suspension.
const (
	Suspension      Kind = "suspension"
	SuspensionEnded Kind = "suspension_ended"
	Erasure         Kind = "erasure"
)

// Kinds lists all kinds.
func Kinds() []Kind { return []Kind{Suspension, SuspensionEnded, Erasure} }

// folder is the prefix of the entries' keys. SweepFiles does not delete the entries: it deletes only objects
// whose key is a file's id.
const folder = "after-restore/"

// maxEntry limits the size of an entry in bytes.
const maxEntry = 64 << 10

// Entry is one act. Kind and ID identify it.
type Entry struct {
	Kind    Kind            `json:"kind"`
	ID      uuid.UUID       `json:"id"` // id of the act's record in the database
	At      time.Time       `json:"at"`
	Content json.RawMessage `json:"content"` // what is needed to repeat the act
}

func (e Entry) key() string { return folder + string(e.Kind) + "/" + e.ID.String() + ".json" }

var entryKey = regexp.MustCompile(`^` + folder + `[a-z_]+/[0-9a-f-]{36}\.json$`)

// Add writes an entry. Adding the same entry again has no effect. Adding a different entry of the same
// kind and id is an error.
func Add(ctx context.Context, files *blob.Bucket, e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write entry %s: %w", e.ID, err)
	}
	if len(text) > maxEntry {
		return fmt.Errorf("write entry %s: it is larger than %d bytes", e.ID, maxEntry)
	}
	err = files.WriteAll(ctx, e.key(), text, &blob.WriterOptions{IfNotExist: true, ContentType: "application/json"})
	if err == nil {
		return nil
	}
	if gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return fmt.Errorf("write entry %s: %w", e.ID, err)
	}
	existing, err := files.ReadAll(ctx, e.key())
	if err != nil {
		return fmt.Errorf("read entry %s: %w", e.ID, err)
	}
	if !bytes.Equal(existing, text) {
		return fmt.Errorf("write entry %s: the list has another entry with this id", e.ID)
	}
	return nil
}

// Each calls do with every entry of a kind, in the order of the ids. Ids are UUIDv7, so this is the
// order of the acts. It skips objects whose key is not that of an entry, and stops at the first error,
// such as an entry that cannot be read.
func Each(ctx context.Context, files *blob.Bucket, kind Kind, do func(Entry) error) error {
	list := files.List(&blob.ListOptions{Prefix: folder + string(kind) + "/"})
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list the entries of kind %s: %w", kind, err)
		}
		if !entryKey.MatchString(object.Key) {
			continue // in a file-based bucket, an interrupted write leaves a file whose name has a suffix
		}
		e, err := read(ctx, files, object)
		if err != nil {
			return err
		}
		if err := do(e); err != nil {
			return fmt.Errorf("repeat %s: %w", object.Key, err)
		}
	}
}

func read(ctx context.Context, files *blob.Bucket, object *blob.ListObject) (Entry, error) {
	var e Entry
	if object.Size > maxEntry {
		return e, fmt.Errorf("read %s: it is larger than %d bytes", object.Key, maxEntry)
	}
	text, err := files.ReadAll(ctx, object.Key)
	if err != nil {
		return e, fmt.Errorf("read %s: %w", object.Key, err)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("read %s: %w", object.Key, err)
	}
	if e.key() != object.Key {
		return e, fmt.Errorf("read %s: the object contains the entry of %s", object.Key, e.key())
	}
	return e, nil
}
