package doctor

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/send"
	"taskmarket/market"
)

// wallet compares the configured wallet with the wallet in the agent's account.
func (e *examination) wallet(context.Context) finding {
	e.address = e.Wallet
	switch {
	case e.account == nil && e.address == (common.Address{}) && e.Options.APIKey != "":
		return skip("no wallet address is configured, and the account's wallet could not be read from the API")
	case e.account == nil && e.address == (common.Address{}):
		return fail("no wallet address or private key is configured", "see `taskmarket help wallets`; `taskmarket register --new-wallet FILE` creates a wallet")
	case e.account == nil:
		return ok(e.address.Hex())
	case e.address == (common.Address{}):
		e.address = common.HexToAddress(e.account.WalletAddress)
		return warn("no wallet address or private key is configured; the account's wallet is "+e.address.Hex(),
			"set wallet_address to it; to sign, also configure the wallet: see `taskmarket help wallets`")
	case e.address != common.HexToAddress(e.account.WalletAddress):
		return fail(fmt.Sprintf("%s is configured, but the account's wallet is %s", e.address, e.account.WalletAddress),
			"configure the account's wallet, or use the API key of the other account")
	}
	return ok(e.address.Hex() + ", the account's wallet")
}

// postingGas is an upper limit for the gas of a posting, an agent's most expensive transaction.
const postingGas = 200_000

func (e *examination) gas(ctx context.Context) finding {
	coin, err := askNode(ctx, e, func(ctx context.Context) (*big.Int, error) { return e.eth.BalanceAt(ctx, e.address, nil) })
	if err != nil {
		return fail("the balance cannot be read: "+withoutURL(err), "try again, or use another node")
	}
	price, err := askNode(ctx, e, func(ctx context.Context) (*big.Int, error) { return send.GasPrice(ctx, e.eth) })
	if err != nil {
		return fail("the gas price cannot be read: "+withoutURL(err), "try again, or use another node")
	}
	once := new(big.Int).Mul(price, big.NewInt(postingGas))
	hint := fmt.Sprintf("send %s to %s; posting a task costs about %s", market.ChainCoin, e.address, market.FormatAmount(once, market.ChainCoin))
	times := new(big.Int).Div(coin, larger(once))
	switch {
	case coin.Sign() == 0:
		return fail("the wallet has no "+market.ChainCoin+" to pay for gas", hint)
	case times.Sign() == 0:
		return fail(fmt.Sprintf("the wallet has %s for gas, too little to post a task", market.FormatAmount(coin, market.ChainCoin)), hint)
	case times.Cmp(big.NewInt(fewTransactions)) < 0:
		return warn(fmt.Sprintf("the wallet's balance for gas is low; postings that it covers: %s", times), hint)
	}
	return ok("enough for gas")
}

// fewTransactions is the number of postings below which the gas check warns.
const fewTransactions = 5

// larger returns n, or 1 if n is 0. The price of a posting is used as a divisor, and it is 0 on
// some test chains.
func larger(n *big.Int) *big.Int {
	if n.Sign() == 0 {
		return big.NewInt(1)
	}
	return n
}

func (e *examination) tokens(ctx context.Context) finding {
	balance, _, err := e.opened.Balances(ctx, e.address)
	if err != nil {
		return fail("the balance cannot be read: "+err.Error(), "try again, or use another node")
	}
	symbol := e.opened.Token().Symbol
	if balance.Sign() == 0 {
		return fail("the wallet has no "+symbol, fmt.Sprintf("send %s to %s; the token's contract is %s", symbol, e.address, e.opened.Deployment().Token))
	}
	if minimum, err := market.ParseWei(e.config.MinimumEscrow); err == nil && balance.Cmp(minimum) < 0 {
		return warn(fmt.Sprintf("the wallet has %s, less than the minimum amount of a task, %s", market.FormatAmount(balance, symbol), market.FormatAmount(minimum, symbol)),
			fmt.Sprintf("send %s to %s", symbol, e.address))
	}
	return ok("the wallet has " + symbol)
}

// transactions checks whether one of the wallet's transactions is stuck.
func (e *examination) transactions(ctx context.Context) finding {
	for until := time.Now().Add(e.PendingTimeout); ; {
		used, next, err := e.nonces(ctx)
		switch {
		case err != nil:
			return fail("the transactions cannot be counted: "+withoutURL(err), "try again, or use another node")
		case next <= used:
			return ok("none pending")
		case time.Now().After(until):
			return fail(fmt.Sprintf("%d pending, starting with nonce %d", next-used, used),
				"repeat the command that sent the first one, which resumes the transaction and raises its fee if necessary")
		}
		select {
		case <-ctx.Done():
			return skip(ctx.Err().Error())
		case <-time.After(e.PendingTimeout / 10):
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
		return skip("no journal")
	}
	flows, err := e.Unfinished(ctx, e.address)
	switch {
	case err != nil:
		return fail("the journal cannot be read: "+err.Error(), "check the permissions of the state directory, which `taskmarket config` shows")
	case len(flows) > 0:
		unfinished := "1 unfinished operation"
		if len(flows) > 1 {
			unfinished = fmt.Sprintf("%d unfinished operations", len(flows))
		}
		return warn(unfinished+": "+listed(flows), "resume them, for example with `taskmarket create-task --resume`")
	}
	return ok("no unfinished operations")
}

// maxListed is the maximum number of list items that a message prints.
const maxListed = 5

func listed(all []string) string {
	if len(all) > maxListed {
		return strings.Join(all[:maxListed], ", ") + " …"
	}
	return strings.Join(all, ", ")
}
