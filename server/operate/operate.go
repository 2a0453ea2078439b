// Package operate contains the use cases of operators and moderators that the console and `taskmarketd admin` share.
// Use cases of one record are methods of the store.
package operate

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
)

// Keeper lists the keeper's transactions, and stores requests that the running keeper performs.
type Keeper interface {
	Transactions(context.Context) ([]Transaction, error)
	Resend(ctx context.Context, nonce uint64) error
	Cancel(ctx context.Context, nonce uint64) error
}

// Transaction is a transaction of the keeper, a nonce without a transaction, or a job that does not advance.
type Transaction struct {
	Nonce        *uint64        `json:"nonce,omitempty"` // nil for a job without a transaction
	State        string         `json:"state"`
	Purpose      string         `json:"purpose,omitempty"`
	TaskID       uint64         `json:"task_id,omitempty"` // the task's id in the escrow contract
	AgeSeconds   int64          `json:"age_seconds,omitempty"`
	MaxFee       *big.Int       `json:"max_fee_wei,omitempty"` // per unit of gas
	MaxTip       *big.Int       `json:"max_tip_wei,omitempty"`
	Replacements int            `json:"replacements"`
	Account      common.Address `json:"account,omitzero"`
	Hash         *common.Hash   `json:"transaction,omitempty"`
	Error        string         `json:"error,omitempty"`
}

// Queue is what waits for moderators: a page of cases, and all appeals.
type Queue struct {
	Backlog moderation.Backlog
	Cases   []moderation.Case
	Next    int // number of the next page of cases; 0 if there is none
	Appeals []market.Notice
}

// ReadQueue returns a page of the queue.
func ReadQueue(ctx context.Context, records *store.Store, page int) (Queue, error) {
	var q Queue
	var err error
	if q.Backlog, err = records.Moderation.Backlog(ctx); err != nil {
		return q, err
	}
	var more bool
	if q.Cases, more, err = records.Moderation.Queue(ctx, page); err != nil {
		return q, err
	}
	if more && page < moderation.MaxCasePage {
		q.Next = page + 1
	}
	q.Appeals, err = records.Moderation.OpenAppeals(ctx)
	return q, err
}

// Case is a record with what a decision on it is based on.
type Case struct {
	Subject   market.Subject
	Content   moderation.SubjectText
	Reports   []market.Report
	Decisions []market.Notice
}

// ReadCase returns a case for a moderator. withheld is the reason why the content is not in it: without an open report
// or appeal it is private, or the record no longer exists. The audit log records the read.
func ReadCase(ctx context.Context, records *store.Store, subject market.Subject, moderator string) (c Case, withheld, err error) {
	c.Subject = subject
	if c.Reports, err = records.Moderation.OpenReports(ctx, subject); err != nil {
		return c, nil, err
	}
	if c.Decisions, err = records.Moderation.SubjectDecisions(ctx, subject); err != nil {
		return c, nil, err
	}
	c.Content, err = records.Moderation.SubjectText(ctx, subject, moderator)
	kind := market.KindOf(err)
	if kind != market.KindForbidden && (kind != market.KindNotFound || len(c.Reports)+len(c.Decisions) == 0) {
		return c, nil, err
	}
	read := market.AuditEntry{
		Kind: market.AuditRecordsRead, Detail: string(subject.Kind), SubjectKind: string(subject.Kind), Subject: subject.ID.String(),
	}
	return c, err, records.Operators.WriteAudit(ctx, read)
}

// OpenFile returns the name and the content of a reported file. The audit log records the read.
func OpenFile(ctx context.Context, records *store.Store, files *blob.Bucket, file uuid.UUID, moderator string) (name string, content *blob.Reader, err error) {
	if name, err = records.Moderation.ReportedFile(ctx, file, moderator); err != nil {
		return "", nil, err
	}
	content, err = files.NewReader(ctx, file.String(), nil)
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		err = market.Errorf(market.KindNotFound, "the content of this file is missing from storage")
	case err != nil:
		err = &market.Error{Kind: market.KindStorageUnavailable, Message: "files cannot be read at the moment", Hint: "try again later", Cause: fmt.Errorf("open blob %s: %w", file, err)}
	}
	return name, content, err
}
