package restorelist

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"gocloud.dev/blob"

	"taskmarket/store"
)

// erasure is the content of an entry. It identifies the account only by its id, so that the list contains
// no personal data of an erased account.
type erasure struct {
	Account     uuid.UUID       `json:"account_id"`
	RequestedBy store.Requester `json:"requested_by"`
}

// WriteErasures adds the erasures that the list does not contain yet. Several processes can call it at the
// same time.
func WriteErasures(ctx context.Context, files *blob.Bucket, records *store.Store) error {
	for {
		open, err := records.UnlistedErasures(ctx, batch)
		if err != nil {
			return err
		}
		for _, e := range open {
			text, err := json.Marshal(erasure{Account: e.Account, RequestedBy: e.RequestedBy})
			if err != nil {
				return fmt.Errorf("write the erasure %s: %w", e.ID, err)
			}
			if err := Add(ctx, files, Entry{Kind: Erasure, ID: e.ID, At: e.At.UTC(), Content: text}); err != nil {
				return err
			}
			if err := records.MarkErasureListed(ctx, e.ID); err != nil {
				return err
			}
		}
		if len(open) < batch {
			return nil
		}
	}
}

// RepeatErasures repeats the listed erasures in a restored database. repeated counts the erasures that the
// database now contains. unknown counts the erasures of accounts that the database does not contain, because
// the backup is older than the account; their entries stay in the list for the next run.
func RepeatErasures(ctx context.Context, files *blob.Bucket, records *store.Store) (repeated, unknown int, err error) {
	err = Each(ctx, files, Erasure, func(e Entry) error {
		var content erasure
		if err := json.Unmarshal(e.Content, &content); err != nil {
			return fmt.Errorf("read the erasure %s: %w", e.ID, err)
		}
		found, err := records.RepeatErasure(ctx, store.Erasure{ID: e.ID, Account: content.Account, RequestedBy: content.RequestedBy, At: e.At})
		switch {
		case err != nil:
			return err
		case found:
			repeated++
		default:
			unknown++
		}
		return nil
	})
	return repeated, unknown, err
}
