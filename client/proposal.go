package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrOtherCall is returned when the API proposes a call that differs from the requested one, or when
// a record that it returned contradicts the chain. Nothing was sent.
var ErrOtherCall = errors.New("the API's response does not match the request")

// proposal is a contract call that the API proposes.
type proposal struct {
	to      string
	chainID int64
	value   string
	data    string
	done    bool // the API reports that the chain already shows the action
	noCall  bool // the API has completed the action without a call
}

// check rejects a proposal that is not exactly the expected call. The contract, the function and
// all arguments are built independently and then compared.
func (p proposal) check(want chain.Call, chainID uint64) error {
	data, err := hexutil.Decode(p.data)
	switch {
	case err != nil:
		return fmt.Errorf("%w: its call data is not hexadecimal", ErrOtherCall)
	case uint64(max(0, p.chainID)) != chainID:
		return fmt.Errorf("%w: its call is for chain %d, not %d", ErrOtherCall, p.chainID, chainID)
	case !common.IsHexAddress(p.to) || common.HexToAddress(p.to) != want.To:
		return fmt.Errorf("%w: its call is to %s, not to %s", ErrOtherCall, p.to, want.To)
	case p.value != "0":
		return fmt.Errorf("%w: its call sends ether", ErrOtherCall)
	case len(data) < 4 || !bytes.Equal(data[:4], want.Data[:4]):
		return fmt.Errorf("%w: its call is to another function", ErrOtherCall)
	case !bytes.Equal(data, want.Data):
		return fmt.Errorf("%w: its call has other arguments", ErrOtherCall)
	}
	return nil
}

// escrowTask returns the task's ID in the escrow contract after verifying that the task belongs to
// the agent. The record's terms hash must match its text. The transaction that funded the task must
// have posted it under this ID, with this wallet and amount. If the posting has a terms hash, it must
// match too.
func (w *session) escrowTask(ctx context.Context, task Task) (uint64, error) {
	owner := w.signer.Address()
	if common.HexToAddress(task.AgentWalletAddress) != owner {
		return 0, fmt.Errorf("task %s belongs to wallet %s, not to %s", task.ID, task.AgentWalletAddress, owner)
	}
	if task.EscrowTaskID == nil || task.EscrowCreationTxHash == nil {
		return 0, fmt.Errorf("task %s is %s: its amount is not locked in the escrow", task.ID, task.Status)
	}
	if uint64(max(0, task.ChainID)) != w.deployment.ChainID || common.HexToAddress(task.EscrowAddress) != w.deployment.Escrow {
		return 0, fmt.Errorf("%w: the task's escrow is %s on chain %d", ErrOtherContracts, task.EscrowAddress, task.ChainID)
	}
	terms, err := w.terms(task)
	if err != nil {
		return 0, err
	}
	id, err := parseID(*task.EscrowTaskID)
	if err != nil {
		return 0, err
	}
	receipt, err := w.wallet.Sender.Receipt(ctx, common.HexToHash(*task.EscrowCreationTxHash))
	if err != nil {
		return 0, err
	}
	if receipt == nil {
		return 0, fmt.Errorf("%w: the node does not have transaction %s, which funded task %s according to the API",
			ErrOtherCall, *task.EscrowCreationTxHash, task.ID)
	}
	if !w.posted(receipt.Logs, id, terms) {
		return 0, fmt.Errorf("%w: transaction %s does not show that task %d of the escrow is task %s",
			ErrOtherCall, *task.EscrowCreationTxHash, id, task.ID)
	}
	return id, nil
}

// posted reports whether the logs show a posting of the task under this ID. A posting may lack a
// terms hash; if it has one, the hash must match.
func (w *session) posted(logs []*types.Log, id uint64, terms market.Terms) bool {
	var posted, otherTerms bool
	for _, log := range logs {
		event, err := w.deployment.calls.Decode(*log)
		if err != nil || event.TaskID != id {
			continue // the log is from the token or about another task
		}
		switch event.Kind {
		case market.EventTaskPosted:
			posted = event.Agent == terms.Agent && event.Amount.Cmp(terms.Amount) == 0
		case market.EventTaskTerms:
			otherTerms = event.Hash != terms.Hash()
		}
	}
	return posted && !otherTerms
}

// terms returns the task's terms after comparing their hash with the record's terms hash.
func (w *session) terms(task Task) (market.Terms, error) {
	amount, err := market.ParseWei(task.EscrowAmount)
	if err != nil {
		return market.Terms{}, fmt.Errorf("read the task's amount: %w", err)
	}
	fee, err := basisPoints(task.FeeBasisPoints)
	if err != nil {
		return market.Terms{}, err
	}
	terms := market.Terms{
		TaskID: task.ID, Agent: w.signer.Address(), Amount: amount, FeeBasisPoints: fee,
		Deadline: task.Deadline.Optional(), Title: task.Title, Description: task.Description,
	}
	if common.HexToHash(task.TermsHash) != terms.Hash() {
		return market.Terms{}, fmt.Errorf("%w: the record's terms_hash is %s, but the hash computed from its terms is %s", ErrOtherTerms, task.TermsHash, terms.Hash())
	}
	return terms, nil
}

// readStake reads the application's stake from the staking contract. The stake must belong to the
// applicant and to this task.
func (a *action) readStake(ctx context.Context, application Application) error {
	id, err := parseID(*application.OnchainApplicationID)
	if err != nil {
		return err
	}
	stake, err := a.stakeView(ctx, id)
	if err != nil {
		return err
	}
	if stake.Human != common.HexToAddress(application.HumanWallet) || stake.TaskId.Cmp(bigID(a.escrowID)) != 0 {
		return fmt.Errorf("%w: stake %d belongs to wallet %s and escrow task %s, not to wallet %s and escrow task %d",
			ErrOtherCall, id, stake.Human, stake.TaskId, application.HumanWallet, a.escrowID)
	}
	a.stake, a.staked = &id, stake
	return nil
}

func (a *action) stakeView(ctx context.Context, id uint64) (contracts.IApplicationStakingStakeView, error) {
	staking := contracts.NewApplicationStaking()
	return node.View(ctx, a.node, "the application's stake", a.deployment.Staking, staking.PackGetStake(bigID(id)), staking.UnpackGetStake)
}

func parseID(text string) (_ uint64, err error) {
	defer wrap(&err, "parse on-chain ID %q", text)
	return strconv.ParseUint(text, 10, 64)
}
