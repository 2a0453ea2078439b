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
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrOtherCall is returned when the API proposes another call than the one that
// was asked for. Nothing was sent.
var ErrOtherCall = errors.New("the API proposed another call than the one asked for")

// proposal is a call as the API answers it.
type proposal struct {
	to      string
	chainID int64
	value   string
	data    string
}

// check refuses a proposal that is not exactly the wanted call: the contract,
// the function and every argument are made here a second time and compared.
func (p proposal) check(want chain.Call, chainID uint64) error {
	data, err := hexutil.Decode(p.data)
	switch {
	case err != nil:
		return fmt.Errorf("%w: its data is not hexadecimal", ErrOtherCall)
	case uint64(max(0, p.chainID)) != chainID:
		return fmt.Errorf("%w: it is for chain %d, not %d", ErrOtherCall, p.chainID, chainID)
	case !common.IsHexAddress(p.to) || common.HexToAddress(p.to) != want.To:
		return fmt.Errorf("%w: it goes to %s, not %s", ErrOtherCall, p.to, want.To)
	case p.value != "0":
		return fmt.Errorf("%w: it would send coin along", ErrOtherCall)
	case len(data) < 4 || !bytes.Equal(data[:4], want.Data[:4]):
		return fmt.Errorf("%w: it calls another function", ErrOtherCall)
	case !bytes.Equal(data, want.Data):
		return fmt.Errorf("%w: its arguments are not this task's", ErrOtherCall)
	}
	return nil
}

// own makes sure that the task is the agent's in the escrow that we know: the
// record's terms hash must be that of its text, and the transaction that funded
// it must have posted the task under this number, for this wallet, amount and
// hash.
func (a *action) own(ctx context.Context) error {
	owner := a.signer.Address()
	if common.HexToAddress(a.task.AgentWalletAddress) != owner {
		return fmt.Errorf("task %s belongs to wallet %s, not to %s", a.task.ID, a.task.AgentWalletAddress, owner)
	}
	if a.task.EscrowTaskID == nil || a.task.EscrowCreationTxHash == nil {
		return fmt.Errorf("task %s is %s: nothing is locked in the escrow", a.task.ID, a.task.Status)
	}
	if uint64(max(0, a.task.ChainID)) != a.deployment.ChainID || common.HexToAddress(a.task.EscrowAddress) != a.deployment.Escrow {
		return fmt.Errorf("%w: the task's escrow is %s on chain %d", ErrOtherContracts, a.task.EscrowAddress, a.task.ChainID)
	}
	terms, err := a.terms()
	if err != nil {
		return err
	}
	if a.escrowID, err = parseID(*a.task.EscrowTaskID); err != nil {
		return err
	}
	receipt, err := a.sender.Receipt(ctx, common.HexToHash(*a.task.EscrowCreationTxHash))
	if err != nil {
		return err
	}
	if receipt == nil || !a.posted(receipt.Logs, terms) {
		return fmt.Errorf("%w: transaction %s does not show that task %d of the escrow is task %s",
			ErrOtherCall, *a.task.EscrowCreationTxHash, a.escrowID, a.task.ID)
	}
	return nil
}

// posted reports whether the logs post the task under its number. A posting may
// have gone without a terms hash; one that has a hash must have the right one.
func (a *action) posted(logs []*types.Log, terms market.Terms) bool {
	var posted, otherTerms bool
	for _, log := range logs {
		event, err := a.deployment.calls.Decode(*log)
		if err != nil || event.TaskID != a.escrowID {
			continue // a token's log, or another task's
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

// terms returns the task's terms once the record's hash is the one of its text.
func (a *action) terms() (market.Terms, error) {
	amount, err := market.ParseWei(a.task.EscrowAmount)
	if err != nil {
		return market.Terms{}, fmt.Errorf("read the task's amount: %w", err)
	}
	fee, err := basisPoints(a.task.FeeBasisPoints)
	if err != nil {
		return market.Terms{}, err
	}
	terms := market.Terms{
		TaskID: a.task.ID, Agent: a.signer.Address(), Amount: amount, FeeBasisPoints: fee,
		Deadline: a.task.Deadline, Title: a.task.Title, Description: a.task.Description,
	}
	if common.HexToHash(a.task.TermsHash) != terms.Hash() {
		return market.Terms{}, fmt.Errorf("%w: its terms hash is %s, not %s", ErrOtherTerms, a.task.TermsHash, terms.Hash())
	}
	return terms, nil
}

// stake returns the application's number in the staking contract, where it must
// be the same human's and for this task.
func (a *action) stake(ctx context.Context, application Application) (uint64, error) {
	if application.OnchainApplicationID == nil {
		return 0, fmt.Errorf("application %s has no stake yet", application.ID)
	}
	id, err := parseID(*application.OnchainApplicationID)
	if err != nil {
		return 0, err
	}
	staking := contracts.NewApplicationStaking()
	held, err := view(ctx, a.node, "the application's stake", a.deployment.Staking, staking.PackGetStake(bigID(id)), staking.UnpackGetStake)
	if err != nil {
		return 0, err
	}
	if held.Human != common.HexToAddress(application.HumanWalletAddress) || held.TaskId.Cmp(bigID(a.escrowID)) != 0 {
		return 0, fmt.Errorf("%w: stake %d belongs to %s and task %s of the escrow", ErrOtherCall, id, held.Human, held.TaskId)
	}
	return id, nil
}

func parseID(text string) (uint64, error) {
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read a contract's number %q: %w", text, err)
	}
	return id, nil
}
