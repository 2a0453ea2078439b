package cli

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/client/signer"
	gen "taskmarket/gen/client"
)

// errNotChecked is returned if the submitted work could not be compared with its hash on the chain,
// because no node or no address of the wallet is configured.
var errNotChecked = errors.New("the configuration has no node, or neither wallet_address nor private_key")

// SubmittedWork returns the work submitted for the agent's task, verified against its hash on the
// chain. Without this check, the API could return different work now and at the approval. It
// returns errNotChecked if no node is configured, or the wallet's address is not known without a password.
func (a *App) SubmittedWork(ctx context.Context, task uuid.UUID) (client.Work, error) {
	o, err := a.Options()
	if err != nil {
		return client.Work{}, err
	}
	wallet, ok := a.walletAddress()
	if o.RPCURL == "" || !ok {
		return client.Work{}, errNotChecked
	}
	o.Signer = signer.NewOffline(wallet, nil)
	agent, err := NewClient(o)
	if err != nil {
		return client.Work{}, err
	}
	defer agent.Close()
	return agent.SubmittedWork(ctx, task)
}

// walletAddress returns the address of the agent's wallet, if it is known without a password
// prompt.
func (a *App) walletAddress() (wallet common.Address, ok bool) {
	s, err := a.Settings()
	if err != nil {
		return wallet, false
	}
	if s.Text(SettingWalletAddress) != "" {
		return s.Address(SettingWalletAddress), true
	}
	if chosen, err := s.WalletSetting(); err != nil || chosen != SettingPrivateKey {
		return wallet, false
	}
	key, err := parseKey(s.Text(SettingPrivateKey))
	if err != nil {
		return wallet, false
	}
	return key.Address(), true
}

// CheckFile returns an error for a human's file that is neither part of the work whose hash is on
// the chain nor evidence. Evidence is marked as not submitted; the chain has no hash for it.
func (a *App) CheckFile(ctx context.Context, file client.File) error {
	if file.UploadedBy != gen.PartyHuman {
		return nil
	}
	work, err := a.SubmittedWork(ctx, file.TaskID)
	if err == nil && !work.Has(file) {
		err = client.ErrOtherWork
	}
	if err == nil && !file.Submitted {
		a.Note("this file is evidence, not part of the submitted work; no hash on the chain covers it")
	}
	return a.checked(ctx, err)
}

// CheckTask returns an error if the note or the link of the submission does not match the work hash
// on the chain. It does not check tasks that have ended.
func (a *App) CheckTask(ctx context.Context, t client.Task) error {
	if Optional(t.SubmissionNote)+Optional(t.ProofURL) == "" || Ended(t) {
		return nil
	}
	work, err := a.SubmittedWork(ctx, t.ID)
	if err == nil && (work.Note != Optional(t.SubmissionNote) || work.ProofURL != Optional(t.ProofURL)) {
		err = client.ErrOtherWork
	}
	return a.checked(ctx, err)
}

// checked prints a warning if the work was not compared because the configuration does not suffice. It
// adds a hint to any other error.
func (a *App) checked(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNotChecked):
		a.Note("warning: the work was not verified against its hash on the chain: %s", err)
		return nil
	default:
		return &ExitError{Code: ExitCode(ctx, err), Err: err, Hint: "--unchecked shows it anyway; do not approve the work based on it"}
	}
}

// Ended reports whether the task's status is final.
func Ended(t client.Task) bool {
	switch t.Status {
	case gen.TaskStatusApproved, gen.TaskStatusRejected, gen.TaskStatusCancelled:
		return true
	case gen.TaskStatusNew, gen.TaskStatusFunded, gen.TaskStatusActive, gen.TaskStatusSubmitted,
		gen.TaskStatusDisputed, gen.TaskStatusValidating, gen.TaskStatusExpired:
	}
	return false
}
