package restorelist

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"gocloud.dev/blob"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
)

// batch is the maximum number of suspensions or erasures that are read at once.
const batch = 100

// suspension is the content of an entry: the account and, unless the entry is the end of a suspension, the
// statement of reasons.
type suspension struct {
	Account    market.PrincipalKind `json:"account"`
	Wallet     common.Address       `json:"wallet"`
	Territory  string               `json:"territory,omitempty"`
	Facts      string               `json:"facts,omitempty"`
	Automation market.Automation    `json:"automation,omitempty"`
	Clause     string               `json:"clause,omitempty"`
	DecidedBy  string               `json:"decided_by"`
	DecidedAt  time.Time            `json:"decided_at"`
	EndedBy    string               `json:"ended_by,omitempty"`
}

// WriteSuspensions adds the suspensions, and the ends of suspensions, that the list does not contain
// yet. Several processes can call it at the same time.
func WriteSuspensions(ctx context.Context, files *blob.Bucket, records *store.Store) error {
	for {
		open, err := records.Moderation.UnlistedSuspensions(ctx, batch)
		if err != nil {
			return err
		}
		for _, s := range open {
			if err := write(ctx, files, s); err != nil {
				return err
			}
			if err := records.Moderation.MarkListed(ctx, s.ID, s.EndedAt != nil); err != nil {
				return err
			}
		}
		if len(open) < batch {
			return nil
		}
	}
}

func write(ctx context.Context, files *blob.Bucket, s moderation.Suspension) error {
	content := suspension{
		Account: s.AuthorKind, Wallet: s.Wallet, Territory: s.Territory, Facts: s.Facts, Automation: s.Automation,
		Clause: s.Clause, DecidedBy: s.DecidedBy, DecidedAt: s.DecidedAt,
	}
	if err := add(ctx, files, Suspension, s.ID, s.DecidedAt, content); err != nil || s.EndedAt == nil {
		return err
	}
	ended := suspension{Account: s.AuthorKind, Wallet: s.Wallet, DecidedBy: s.DecidedBy, DecidedAt: s.DecidedAt, EndedBy: s.EndedBy}
	return add(ctx, files, SuspensionEnded, s.ID, *s.EndedAt, ended)
}

func add(ctx context.Context, files *blob.Bucket, kind Kind, id uuid.UUID, at time.Time, content suspension) error {
	text, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("write the suspension %s: %w", id, err)
	}
	return Add(ctx, files, Entry{Kind: kind, ID: id, At: at.UTC(), Content: text})
}

// RepeatSuspensions repeats the listed suspensions in a restored database, and ends those whose end is also
// listed. repeated counts the suspensions that are in force. unknown counts those whose account
// does not exist in the database, because the account is newer than the backup. A later call repeats such a
// suspension if the account has registered again with the same wallet.
func RepeatSuspensions(ctx context.Context, files *blob.Bucket, records *store.Store) (repeated, unknown int, err error) {
	ended := map[uuid.UUID]Entry{}
	err = Each(ctx, files, SuspensionEnded, func(e Entry) error {
		ended[e.ID] = e
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	err = Each(ctx, files, Suspension, func(e Entry) error {
		s, err := parse(e, ended)
		if err != nil {
			return err
		}
		found, err := records.Moderation.RepeatSuspension(ctx, s)
		switch {
		case err != nil:
			return err
		case !found && s.EndedAt == nil:
			unknown++
		case s.EndedAt == nil:
			repeated++
		}
		return nil
	})
	return repeated, unknown, err
}

func parse(e Entry, ended map[uuid.UUID]Entry) (moderation.Suspension, error) {
	var content suspension
	if err := json.Unmarshal(e.Content, &content); err != nil {
		return moderation.Suspension{}, fmt.Errorf("read the suspension %s: %w", e.ID, err)
	}
	s := moderation.Suspension{Wallet: content.Wallet, Decision: market.Decision{
		ID: e.ID, Subject: market.Subject{Kind: market.SubjectProfile}, AuthorKind: content.Account, Measure: market.MeasureSuspend,
		Territory: content.Territory, Facts: content.Facts, Automation: content.Automation, Clause: content.Clause,
		DecidedBy: content.DecidedBy, DecidedAt: content.DecidedAt,
	}}
	if end, found := ended[e.ID]; found {
		var last suspension
		if err := json.Unmarshal(end.Content, &last); err != nil {
			return s, fmt.Errorf("read the end of the suspension %s: %w", e.ID, err)
		}
		s.EndedAt, s.EndedBy = &end.At, last.EndedBy
	}
	return s, nil
}
