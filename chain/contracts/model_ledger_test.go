package contracts_test

import (
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// pair is an owner and a spender, or a contract and an account that it owes money.
type pair struct{ first, second common.Address }

// ledger models the token, and the credits for rejected transfers.
type ledger struct {
	balances   map[common.Address]*big.Int
	allowances map[pair]*big.Int // by owner and spender
	nonces     map[common.Address]uint64
	credits    map[pair]*big.Int // by contract and account
	refused    map[common.Address]bool
}

func newLedger() ledger {
	return ledger{
		balances: make(map[common.Address]*big.Int), allowances: make(map[pair]*big.Int), nonces: make(map[common.Address]uint64),
		credits: make(map[pair]*big.Int), refused: make(map[common.Address]bool),
	}
}

func (l *ledger) balance(account common.Address) *big.Int { return orNothing(l.balances[account]) }

func (l *ledger) allowance(owner, spender common.Address) *big.Int {
	return orNothing(l.allowances[pair{owner, spender}])
}

func (l *ledger) credit(contract, account common.Address) *big.Int {
	return orNothing(l.credits[pair{contract, account}])
}

func orNothing(amount *big.Int) *big.Int {
	if amount == nil {
		return new(big.Int)
	}
	return amount
}

// holders returns all accounts that can have tokens or credits.
func (w *world) holders() []common.Address {
	return append(slices.Clone(w.parties), w.owner, w.d.Treasury)
}

// owed lists the creditors of the contracts.
func (w *world) owed() []pair {
	var owed []pair
	for _, account := range w.holders() {
		for _, contract := range []common.Address{w.d.Escrow, w.d.Staking} {
			if w.credit(contract, account).Sign() > 0 {
				owed = append(owed, pair{contract, account})
			}
		}
	}
	return owed
}

func (l *ledger) move(from, to common.Address, amount *big.Int) {
	l.balances[from] = new(big.Int).Sub(l.balance(from), amount)
	l.balances[to] = new(big.Int).Add(l.balance(to), amount)
}

// permit is the permit of a call. A contract ignores an invalid one.
type permit struct {
	owner, spender common.Address
	value          *big.Int
	nonce          uint64
	deadline       time.Time
	forged         bool // signed by another account
}

// good reports whether the token accepts the permit for this use.
func (l *ledger) good(p *permit, owner, spender common.Address, value *big.Int, now time.Time) bool {
	return p != nil && !p.forged && p.owner == owner && p.spender == spender && p.value.Cmp(value) == 0 &&
		p.nonce == l.nonces[owner] && !now.After(p.deadline)
}

func (l *ledger) use(p *permit) {
	l.nonces[p.owner]++
	l.allowances[pair{p.owner, p.spender}] = p.value
}

// charge transfers the amount from the payer to a contract, using the permit or an existing
// allowance.
func (w *world) charge(o *outcome, payer, contract common.Address, amount *big.Int, p *permit) {
	allowed := w.allowance(payer, contract)
	permitted := w.good(p, payer, contract, amount, w.now)
	if permitted {
		allowed = amount
	}
	switch {
	case allowed.Cmp(amount) < 0:
		o.refuse(tokenABI, "ERC20InsufficientAllowance", contract, allowed, amount)
	case w.balance(payer).Cmp(amount) < 0:
		o.refuse(tokenABI, "ERC20InsufficientBalance", payer, w.balance(payer), amount)
	}
	o.then(func() {
		if permitted {
			w.use(p)
		}
		w.allowances[pair{payer, contract}] = new(big.Int).Sub(allowed, amount)
		w.move(payer, contract, amount)
	})
}

// pay transfers the amount from a contract, or credits it to the recipient if the transfer fails.
func (w *world) pay(o *outcome, contract, to common.Address, amount *big.Int) {
	switch {
	case amount.Sign() == 0:
	case w.refused[to]:
		o.emit(contract, w.abiOf(contract), "Credited", to, amount)
		o.then(func() { w.credits[pair{contract, to}] = new(big.Int).Add(w.credit(contract, to), amount) })
	default:
		o.then(func() { w.move(contract, to, amount) })
	}
}

func (w *world) withdrawCredit(contract, account common.Address) *outcome {
	o, amount := &outcome{}, w.credit(contract, account)
	if amount.Sign() == 0 {
		return o.refuse(w.abiOf(contract), "NothingToWithdraw", account)
	}
	if w.refused[account] {
		return o.refuse(tokenABI, "ERC20InvalidReceiver", account)
	}
	o.emit(contract, w.abiOf(contract), "CreditWithdrawn", account, amount)
	return o.then(func() {
		delete(w.credits, pair{contract, account})
		w.move(contract, account, amount)
	})
}

// transfer models a direct token transfer that bypasses the contracts, such as a donation.
func (w *world) transfer(from, to common.Address, amount *big.Int) *outcome {
	o := &outcome{}
	if w.balance(from).Cmp(amount) < 0 {
		return o.refuse(tokenABI, "ERC20InsufficientBalance", from, w.balance(from), amount)
	}
	return o.then(func() { w.move(from, to, amount) })
}

func (w *world) allow(owner, spender common.Address, amount *big.Int) *outcome {
	return new(outcome).then(func() { w.allowances[pair{owner, spender}] = amount })
}

// usePermit submits a permit from the mempool before its owner does.
func (w *world) usePermit(p *permit) *outcome {
	return new(outcome).then(func() { w.use(p) })
}
