package contracts_test

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

// world is the state that the Go rules predict for a sequence of actions. Its records are those of
// package market, derived from the predicted logs, as are all windows, statuses, stakes and fees. Rules
// that only the contracts enforce, such as the permitted callers and the order of checks, are
// implemented here from the specification.
type world struct {
	d               market.Deployment
	contracts       *chain.Contracts
	owner, guardian common.Address
	parties         []common.Address
	wallet          common.Address // a contract that accepts any signature

	now            time.Time
	block          uint64
	tasks          []*market.Task  // at index id − 1
	stakes         []*market.Stake // at index id − 1
	administration []market.Log
	parameters     market.Parameters
	ledger
}

// outcome is the result of a call: an error, or logs and effects.
type outcome struct {
	refusal string
	logs    []types.Log
	effects []func()
}

// refuse stores only the first error, because a contract stops at its first error.
func (o *outcome) refuse(contract *abi.ABI, name string, values ...any) *outcome {
	if o.refusal == "" {
		o.refusal = refusal(contract, name, values...)
	}
	return o
}

func (o *outcome) emit(address common.Address, contract *abi.ABI, name string, values ...any) {
	o.logs = append(o.logs, logOf(address, contract, name, values...))
}

func (o *outcome) then(effect func()) *outcome {
	o.effects = append(o.effects, effect)
	return o
}

func (w *world) abiOf(contract common.Address) *abi.ABI {
	if contract == w.d.Escrow {
		return escrowABI
	}
	return stakingABI
}

// pass advances the clock.
func (w *world) pass(to time.Time) error {
	w.now = to
	for _, task := range w.tasks {
		if err := task.LinkEscrow(task.Escrow, to); err != nil {
			return err
		}
	}
	return nil
}

// follow applies the outcome to the world as a new block at the current time.
func (w *world) follow(o *outcome) error {
	w.block++
	if o.refusal != "" {
		return nil
	}
	for i, raw := range o.logs {
		event, err := w.contracts.Decode(raw)
		if err != nil {
			return err
		}
		log := market.Log{
			ChainID: w.d.ChainID, Address: raw.Address, Index: uint(i), Event: event,
			Block: market.Block{Number: w.block, Time: w.now},
		}
		if err := w.fold(log); err != nil {
			return fmt.Errorf("the rules reject an event that the contract would emit: %w", err)
		}
	}
	for _, effect := range o.effects {
		effect()
	}
	return w.pass(w.now)
}

func (w *world) fold(log market.Log) error {
	switch event := log.Event; {
	case event.Kind == market.EventTaskPosted:
		return w.open(log)
	case event.OfTask():
		e := w.escrow(event.TaskID)
		if event.Kind == market.EventTaskCreated {
			e.Panel = w.parameters.Panel
		}
		return e.Apply(log)
	case event.Kind == market.EventStakeLocked:
		w.stakes = append(w.stakes, &market.Stake{ChainID: log.ChainID, Contract: log.Address, ID: event.ApplicationID})
		return w.stake(event.ApplicationID).Apply(log)
	case event.OfStake():
		return w.stake(event.ApplicationID).Apply(log)
	case event.OfParameters():
		w.administration = append(w.administration, log)
		w.parameters = market.FoldParameters(w.administration)
	}
	return nil
}

// open creates a task's record with the amount and terms that were posted.
func (w *world) open(log market.Log) error {
	ev := log.Event
	e := &market.EscrowTask{ChainID: log.ChainID, Escrow: log.Address, ID: ev.TaskID}
	w.tasks = append(w.tasks, &market.Task{
		AgentWallet: ev.Agent, Amount: ev.Amount, FeeBasisPoints: ev.FeeBasisPoints, TermsHash: termsOf(ev.TaskID),
		ChainID: log.ChainID, EscrowAddress: log.Address, Escrow: e,
	})
	return e.Apply(log)
}

// termsOf returns the hash of a task's terms, if it was posted with one.
func termsOf(taskID uint64) common.Hash { return common.BigToHash(number(taskID << 8)) }

// escrow returns the record of a task; an empty one for an unknown id.
func (w *world) escrow(taskID uint64) *market.EscrowTask {
	if taskID == 0 || taskID > uint64(len(w.tasks)) {
		return &market.EscrowTask{ChainID: w.d.ChainID, Escrow: w.d.Escrow, ID: taskID, Amount: new(big.Int)}
	}
	return w.tasks[taskID-1].Escrow
}

// stake returns the record of an application; an empty one for an unknown id.
func (w *world) stake(applicationID uint64) *market.Stake {
	if applicationID == 0 || applicationID > uint64(len(w.stakes)) {
		return &market.Stake{ID: applicationID, Amount: new(big.Int)}
	}
	return w.stakes[applicationID-1]
}

// isValidator reports whether the account is a validator of the current panel. Such an account
// cannot be a party.
func (w *world) isValidator(account common.Address) bool {
	return w.parameters.ValidatorIn(account, w.parameters.Panel)
}
