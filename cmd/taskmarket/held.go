package main

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/client/signer"
	gen "taskmarket/gen/client"
)

// errNotHeld: there is no node to ask, or it is not known whose task it is.
var errNotHeld = errors.New("no node or no wallet is configured")

// submittedWork returns the work for the agent's task, held to its hash on the
// chain: the API could show one work now and another when it is approved. It answers
// errNotHeld where the chain cannot be asked.
func (a *app) submittedWork(ctx context.Context, task uuid.UUID) (client.Work, error) {
	o, err := a.options()
	if err != nil {
		return client.Work{}, err
	}
	wallet, known := a.ownAddress()
	if o.RPCURL == "" || !known {
		return client.Work{}, errNotHeld
	}
	o.Signer = signer.NewOffline(wallet, nil)
	agent, err := newClient(o)
	if err != nil {
		return client.Work{}, err
	}
	defer agent.Close()
	return agent.SubmittedWork(ctx, task)
}

// ownAddress returns the agent's wallet where nobody must be asked for it.
func (a *app) ownAddress() (wallet common.Address, known bool) {
	s, err := a.settings()
	if err != nil {
		return wallet, false
	}
	if s.text(settingWalletAddress) != "" {
		return s.address(settingWalletAddress), true
	}
	if chosen, err := s.wallet(); err != nil || chosen != settingPrivateKey {
		return wallet, false
	}
	key, err := parseKey(s.text(settingPrivateKey))
	if err != nil {
		return wallet, false
	}
	return key.Address(), true
}

// holdFile refuses a file that passes for the human's work and is no part of the
// work on the chain.
func (a *app) holdFile(ctx context.Context, file client.File) error {
	if file.UploadedBy != gen.PartyHuman {
		return nil
	}
	work, err := a.submittedWork(ctx, file.TaskID)
	if err == nil && !slices.ContainsFunc(work.Files, func(f client.File) bool { return f.ID == file.ID && f.Sha256 == file.Sha256 }) {
		err = client.ErrOtherWork
	}
	return a.held(ctx, err)
}

// holdTask refuses a task whose note and link pass for the human's work and are not
// those of the work on the chain. After its end nobody decides on them any more.
func (a *app) holdTask(ctx context.Context, t client.Task) error {
	if optional(t.SubmissionNote)+optional(t.ProofURL) == "" || ended(t) {
		return nil
	}
	work, err := a.submittedWork(ctx, t.ID)
	if err == nil && (work.Note != optional(t.SubmissionNote) || work.ProofURL != optional(t.ProofURL)) {
		err = client.ErrOtherWork
	}
	return a.held(ctx, err)
}

// held tells where the work was not looked up on the chain, and what to do where it
// is not the one there.
func (a *app) held(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errNotHeld):
		a.note("warning: the work was not compared with its hash on the chain: %s", err)
		return nil
	default:
		return &failure{code: exitCode(ctx, err), err: err, hint: "--unchecked shows it nevertheless; do not approve it for what you see"}
	}
}

// ended reports whether nothing can happen to the task any more.
func ended(t client.Task) bool {
	switch t.Status {
	case gen.TaskStatusApproved, gen.TaskStatusRejected, gen.TaskStatusCancelled:
		return true
	case gen.TaskStatusNew, gen.TaskStatusFunded, gen.TaskStatusActive, gen.TaskStatusSubmitted,
		gen.TaskStatusDisputed, gen.TaskStatusValidating, gen.TaskStatusExpired:
	}
	return false
}
