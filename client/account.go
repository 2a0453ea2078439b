package client

import (
	"context"
	"fmt"
	"iter"

	gen "taskmarket/gen/client"
)

// AccountRecords returns one page of the export of the agent's account. For the first page, cursor is
// empty; for each later page, it is the NextCursor of the previous page.
func (c *Client) AccountRecords(ctx context.Context, cursor string) (_ AccountExport, err error) {
	defer wrap(&err, "export own account")
	return answer[AccountExport](c.api.ExportAccountWithResponse(ctx, &gen.ExportAccountParams{Cursor: given(cursor)}))
}

// AllAccountRecords iterates over the export of the agent's account. The records are grouped by
// section.
func (c *Client) AllAccountRecords(ctx context.Context) iter.Seq2[AccountRecord, error] {
	return each(ctx, PageQuery{}, func(ctx context.Context, q PageQuery) ([]AccountRecord, *string, error) {
		page, err := c.AccountRecords(ctx, q.Cursor)
		return page.Records, page.NextCursor, err
	})
}

// EraseAccount deletes the personal data of the agent's account, which cannot be undone. The caller
// confirms the deletion with the account's username, and the Signer's wallet signs the API's challenge,
// but only if the challenge is to delete an account and contains this wallet and username, the API's
// own host and its chain. The API key is invalid afterwards. While money is locked, it fails with
// market.KindWrongStatus, and the error's Details list what must end first.
func (c *Client) EraseAccount(ctx context.Context, username string) (AccountErasure, error) {
	signer, err := c.signer()
	if err != nil {
		return AccountErasure{}, err
	}
	chainID, err := c.expectedChain(ctx)
	if err != nil {
		return AccountErasure{}, err
	}
	body := gen.AccountErasureRequest{Username: username}
	_, err = answer[AccountErasure](c.api.EraseAccountWithResponse(ctx, body))
	challenge, signature, err := signChallenge(ctx, signer, err, challengeTerms{
		act: "delete an account", wallet: signer.Address(), base: c.base, chainID: chainID, username: username,
	})
	if err != nil {
		return AccountErasure{}, fmt.Errorf("delete account: %w", err)
	}
	body.Challenge, body.Signature = &challenge, &signature
	erased, err := answer[AccountErasure](c.api.EraseAccountWithResponse(ctx, body))
	if err != nil {
		return erased, fmt.Errorf("delete account: %w", err)
	}
	return erased, nil
}
