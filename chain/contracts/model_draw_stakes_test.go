package contracts_test

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

func (d *draw) apply() action {
	e, by := d.task(market.ChainPosted), d.mostly(d.party())
	stake := d.nearly(market.RequiredStake(e.Amount))
	with := fmt.Sprintf("task %d, %s wei", e.ID, stake)
	if d.unaided(by, d.d.Staking, stake) {
		return action{"apply", by, with, func() chain.Call {
			return d.net.Contracts.LockStake(e.ID, stake)
		}, d.w.apply(by, e.ID, stake, nil)}
	}
	p := d.permit(by, d.d.Staking, stake)
	return action{"apply with permit", by, with + p.String(), func() chain.Call {
		call, err := d.net.Contracts.LockStakeWithPermit(e.ID, stake, seconds(p.deadline), d.sign(p))
		if err != nil {
			panic(err)
		}
		return call
	}, d.w.apply(by, e.ID, stake, p)}
}

func (d *draw) rejectApplication() action {
	s := d.application()
	by := d.mostly(d.w.escrow(s.TaskID).Agent)
	return action{"reject application", by, fmt.Sprint(s.ID), func() chain.Call {
		return d.net.Contracts.RejectApplication(s.ID)
	}, d.w.rejectApplication(by, s.ID)}
}

// withdrawStake draws a withdrawal by the human or by any account. While the application is pending,
// only the human is permitted to withdraw it.
func (d *draw) withdrawStake() action {
	s := d.application()
	by, kind := d.mostly(s.Human), "withdraw application"
	switch {
	case !d.w.pending(s):
		by, kind = d.anyone(), "send stake back"
	case d.oneIn(3):
		by = d.anyone()
	}
	return action{kind, by, fmt.Sprint(s.ID), func() chain.Call {
		return d.net.Contracts.WithdrawStake(s.ID)
	}, d.w.withdrawStake(by, s.ID)}
}

func (d *draw) moveStake() action {
	s, by := d.application(), d.anyone()
	data := pick(d,
		stakingCalls.PackActivateStake(number(s.ID), number(s.TaskID)),
		stakingCalls.PackReturnStake(number(s.ID)), stakingCalls.PackForfeitStake(number(s.ID)))
	return action{"move a stake", by, fmt.Sprint(s.ID), callOf(d.d.Staking, data), d.w.moveStake(by)}
}

func (d *draw) withdrawCredit() action {
	from := pair{pick(d, d.d.Escrow, d.d.Staking), d.party()}
	if owed := d.w.owed(); len(owed) > 0 && !d.oneIn(4) {
		from = pick(d, owed...)
	}
	contract, account := from.first, from.second
	data := escrowCalls.PackWithdrawCredit(account)
	return action{"withdraw credit", d.anyone(), fmt.Sprintf("of %s from %s", account, contract), callOf(contract, data), d.w.withdrawCredit(contract, account)}
}

func (d *draw) donate() action {
	by, to, amount := d.party(), pick(d, d.d.Escrow, d.d.Staking), d.amount()
	return action{"donate", by, fmt.Sprintf("%s wei to %s", amount, to), func() chain.Call {
		return d.net.Contracts.TransferToken(to, amount)
	}, d.w.transfer(by, to, amount)}
}

func (d *draw) setAllowance() action {
	by, spender := d.party(), pick(d, d.d.Escrow, d.d.Staking)
	amount := pick(d, new(big.Int), chaintest.Tokens(1), chaintest.Tokens(2*purse))
	return action{"set allowance", by, fmt.Sprintf("%s wei for %s", amount, spender), func() chain.Call {
		return d.net.Contracts.ApproveToken(spender, amount)
	}, d.w.allow(by, spender, amount)}
}

// usePermit submits a party's permit before the party does.
func (d *draw) usePermit() action {
	owner, spender := d.party(), pick(d, d.d.Escrow, d.d.Staking)
	p := &permit{owner: owner, spender: spender, value: d.amount(), nonce: d.w.nonces[owner], deadline: d.w.now}
	return action{"use a permit first", d.anyone(), p.String(), func() chain.Call {
		s := d.sign(p)
		data := tokenCalls.PackPermit(owner, spender, p.value, seconds(p.deadline), s[64], [32]byte(s[:32]), [32]byte(s[32:64]))
		return chain.Call{To: d.d.Token, Data: data}
	}, d.w.usePermit(p)}
}

// unaided draws whether the caller pays from its existing allowance instead of using a permit.
func (d *draw) unaided(owner, spender common.Address, amount *big.Int) bool {
	return d.oneIn(5) || d.oneIn(2) && d.w.allowance(owner, spender).Cmp(amount) >= 0
}

// permit draws a valid permit, or an invalid one that the contract must ignore.
func (d *draw) permit(owner, spender common.Address, value *big.Int) *permit {
	p := &permit{owner: owner, spender: spender, value: value, nonce: d.w.nonces[owner], deadline: d.w.now.Add(time.Duration(d.IntN(2)) * time.Hour)}
	if !d.oneIn(6) {
		return p
	}
	switch d.IntN(4) {
	case 0:
		p.forged = true
	case 1:
		p.nonce++
	case 2:
		p.deadline = d.w.now.Add(-time.Second)
	case 3:
		p.value = plusOne(value)
	}
	return p
}

func (p *permit) String() string {
	return fmt.Sprintf(", permit of %s wei with nonce %d until %d, forged %t", p.value, p.nonce, p.deadline.Unix(), p.forged)
}

func (d *draw) sign(p *permit) []byte {
	signer, known := d.keys[p.owner]
	if !known || p.forged {
		signer = d.net.Rewarder
	}
	signature, err := signer.SignTypedData(context.Background(), chain.PermitTypedData(chain.Permit{
		TokenName: d.token.Name, Version: d.token.Version, ChainID: d.d.ChainID, Token: d.d.Token,
		Owner: p.owner, Spender: p.spender, Value: p.value, Nonce: number(p.nonce), Deadline: seconds(p.deadline),
	}))
	if err != nil {
		panic(err)
	}
	return signature
}
