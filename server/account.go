package server

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/restorelist"
	"taskmarket/store"
)

// listTimeout limits the work that follows an erasure in the database: writing the erasure to the restore list
// (see package restorelist) and deleting files. This work continues even if the request is cancelled, because
// the account is already erased.
const listTimeout = 20 * time.Second

// accountHandler handles the operations with the tag "account".
type accountHandler struct {
	*signatures

	store *store.Store
	files *blob.Bucket
	log   *slog.Logger
}

// ExportAccount returns a page of the records of the caller's account.
func (h *accountHandler) ExportAccount(ctx context.Context, request api.ExportAccountRequestObject) (api.ExportAccountResponseObject, error) {
	page, err := h.store.ExportAccount(ctx, gate.PrincipalOf(ctx).ID, deref(request.Params.Cursor))
	if err != nil {
		return nil, err
	}
	records := make([]api.AccountRecord, len(page.Records))
	for i, r := range page.Records {
		records[i] = api.AccountRecord{Section: r.Section, Record: r.Members}
	}
	return api.ExportAccount200JSONResponse{Body: api.AccountExport{
		Records: records, NextCursor: optional(page.NextCursor),
	}}, nil
}

// EraseAccount works in two steps. It first returns a challenge for the account's wallet to sign, unless
// the account cannot be erased. When the same body arrives with the signature, it erases the account.
func (h *accountHandler) EraseAccount(ctx context.Context, request api.EraseAccountRequestObject) (api.EraseAccountResponseObject, error) {
	principal, body := gate.PrincipalOf(ctx), request.Body
	signed, err := secondStep(body.Challenge, body.Signature)
	if err != nil {
		return nil, err
	}
	if err := h.store.CheckErasure(ctx, principal.ID, body.Username); err != nil {
		return nil, err
	}
	// A wallet can have both an agent and a human, so the challenge is bound to the account's id.
	expected := store.Challenge{Purpose: store.PurposeErase, Wallet: principal.Wallet, Profile: sha256.Sum256(principal.ID[:])}
	if !signed {
		return nil, h.askToSign(ctx, "Task Market: delete an account", expected, "Username: "+body.Username)
	}
	if err := h.checkMessage(ctx, expected, *body.Challenge, *body.Signature); err != nil {
		return nil, charged(ctx, err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	expected.Hash = sha256.Sum256([]byte(*body.Challenge))
	erased, err := EraseAccount(ctx, h.log, h.files, h.store, store.ErasureRequest{
		Erasure:  store.Erasure{ID: id, Account: principal.ID, RequestedBy: store.RequesterAccount},
		Username: body.Username, Challenge: &expected,
	})
	if err != nil {
		return nil, charged(ctx, err)
	}
	return api.EraseAccount200JSONResponse{Body: api.AccountErasure{
		Message: "Your account has been deleted.", ErasedAt: market.TimeOf(erased.At),
	}}, nil
}

// EraseAccount erases the account in the database, writes the erasure to the restore list, and deletes the
// bytes of files that no longer have a record. If only writing to the list fails, it returns
// KindStorageUnavailable: the account is erased, and a server adds the erasure to the list later. A failure to
// delete files is only logged, because SweepFiles deletes them later.
func EraseAccount(ctx context.Context, log *slog.Logger, files *blob.Bucket, records *store.Store, request store.ErasureRequest) (store.Erasure, error) {
	erased, unused, err := records.EraseAccount(ctx, request)
	if err != nil {
		return erased, err
	}
	// The erasure has ended the caller's credential.
	ctx, cancel := context.WithTimeout(store.WithCaller(context.WithoutCancel(ctx), store.Caller{}), listTimeout)
	defer cancel()
	listed := restorelist.WriteErasures(ctx, files, records)
	if err := deleteBlobs(ctx, files, records, unused); err != nil {
		log.WarnContext(ctx, "deleting the files of an erased account failed; the sweep will delete them", slog.Any("err", err))
	}
	if listed != nil {
		return erased, &market.Error{
			Kind: market.KindStorageUnavailable, Cause: listed,
			Message: "the account has been deleted, but the record that repeats the deletion after a backup is restored has not been written yet",
			Hint:    "there is nothing to do: the service writes the record when the file store responds",
		}
	}
	return erased, nil
}
