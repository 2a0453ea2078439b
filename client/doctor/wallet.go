package doctor

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// wallet compares the configured wallet with the account's.
func (e *examination) wallet(context.Context) finding {
	e.address = e.Wallet
	switch {
	case e.account == nil && e.address == (common.Address{}) && e.Options.APIKey != "":
		return skip("it is not configured, and the API does not return it")
	case e.account == nil && e.address == (common.Address{}):
		return fail("no wallet is configured", "`taskmarket help wallets` says how one is named; `taskmarket register` can make one")
	case e.account == nil:
		return ok(e.address.Hex())
	case e.address == (common.Address{}):
		e.address = common.HexToAddress(e.account.WalletAddress)
		return warn("it is not known here; the account's is "+e.address.Hex(),
			"reading works; to sign, name the wallet: `taskmarket help wallets`")
	case e.address != common.HexToAddress(e.account.WalletAddress):
		return fail(fmt.Sprintf("%s is configured, but the account's is %s", e.address, e.account.WalletAddress),
			"name the account's wallet, or use the API key of the other account")
	}
	return ok(e.address.Hex() + ", which is the account's")
}

// postingGas is the gas of a posting, rounded up: an agent's most expensive transaction.
const postingGas = 200_000

func (e *examination) gas(ctx context.Context) finding {
	coin, err := askNode(ctx, e, func(ctx context.Context) (*big.Int, error) { return e.eth.BalanceAt(ctx, e.address, nil) })
	if err != nil {
		return fail("the balance cannot be read: "+withoutURL(err), "try again")
	}
	price, err := askNode(ctx, e, e.eth.SuggestGasPrice)
	if err != nil {
		return fail("the price of gas cannot be read: "+withoutURL(err), "try again")
	}
	once := new(big.Int).Mul(price, big.NewInt(postingGas))
	hint := fmt.Sprintf("send some of the chain's own coin to %s; posting a task takes about %s wei", e.address, once)
	times := new(big.Int).Div(coin, larger(once))
	switch {
	case coin.Sign() == 0:
		return fail("the wallet has nothing to pay for transactions", hint)
	case times.Sign() == 0:
		return fail(fmt.Sprintf("the wallet has %s wei, too little to post a task", coin), hint)
	case times.Cmp(big.NewInt(fewTransactions)) < 0:
		return warn(fmt.Sprintf("the wallet can pay for %s more tasks", times), hint)
	}
	return ok("the wallet can pay for transactions")
}

// fewTransactions is the number of affordable transactions below which the check warns.
const fewTransactions = 5

// larger returns at least 1, so that a price of 0, as on test chains, is not a divisor.
func larger(n *big.Int) *big.Int {
	if n.Sign() == 0 {
		return big.NewInt(1)
	}
	return n
}

func (e *examination) tokens(ctx context.Context) finding {
	balance, _, err := e.opened.Balances(ctx, e.address)
	if err != nil {
		return fail("the balance cannot be read: "+err.Error(), "try again")
	}
	symbol := e.opened.Token().Symbol
	if balance.Sign() == 0 {
		return fail("the wallet has no "+symbol, fmt.Sprintf("send %s to %s; its contract is %s", symbol, e.address, e.opened.Deployment().Token))
	}
	if least, err := market.ParseWei(e.config.MinimumEscrow); err == nil && balance.Cmp(least) < 0 {
		return warn(fmt.Sprintf("the wallet has %s wei of %s, less than the smallest task takes", balance, symbol),
			fmt.Sprintf("send %s to %s", symbol, e.address))
	}
	return ok("the wallet has " + symbol)
}

// transactions checks whether a transaction of the wallet is stuck.
func (e *examination) transactions(ctx context.Context) finding {
	for until := time.Now().Add(e.Patience); ; {
		used, next, err := e.nonces(ctx)
		switch {
		case err != nil:
			return fail("they cannot be counted: "+withoutURL(err), "try again")
		case next <= used:
			return ok("none waits to be mined")
		case time.Now().After(until):
			return fail(fmt.Sprintf("%d of the wallet's waits to be mined, from nonce %d on", next-used, used),
				"ask for the same action again: it goes on with that transaction, and offers more for it if it must")
		}
		select {
		case <-ctx.Done():
			return skip(ctx.Err().Error())
		case <-time.After(e.Patience / 10):
		}
	}
}

func (e *examination) nonces(ctx context.Context) (used, next uint64, err error) {
	used, err = askNode(ctx, e, func(ctx context.Context) (uint64, error) { return e.eth.NonceAt(ctx, e.address, nil) })
	if err != nil {
		return 0, 0, err
	}
	next, err = askNode(ctx, e, func(ctx context.Context) (uint64, error) { return e.eth.PendingNonceAt(ctx, e.address) })
	return used, next, err
}

func (e *examination) journal(ctx context.Context) finding {
	if e.Unfinished == nil {
		return skip("there is none")
	}
	flows, err := e.Unfinished(ctx, e.address)
	switch {
	case err != nil:
		return fail("it cannot be read: "+err.Error(), "check who may read the state directory that `taskmarket config` shows")
	case len(flows) > 0:
		begun := "1 action was begun"
		if len(flows) > 1 {
			begun = fmt.Sprintf("%d actions were begun", len(flows))
		}
		return warn(begun+" and not seen to end: "+listed(flows),
			"the command of that name goes on, as in `taskmarket create-task --resume`")
	}
	return ok("nothing is under way")
}

// mostListed is how many items of a list are printed.
const mostListed = 5

func listed(all []string) string {
	if len(all) > mostListed {
		return strings.Join(all[:mostListed], ", ") + " …"
	}
	return strings.Join(all, ", ")
}
