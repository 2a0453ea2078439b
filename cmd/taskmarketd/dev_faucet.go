package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// The faucet tops a wallet up to these balances, which are enough for a few tasks.
var (
	faucetTokens = tokens(100)
	faucetCoin   = big.NewInt(params.Ether)
)

// faucet sends development tokens and coins to any wallet. It handles one request at a time,
// because concurrent transactions would use the same nonce.
type faucet struct {
	*dev
	mu sync.Mutex
}

// fill tops a wallet up to faucetTokens and faucetCoin.
func (f *faucet) fill(ctx context.Context, wallet common.Address) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	contracts := chain.NewContracts(f.world.Deployment)
	balance, coin, err := chain.NewReader(f.node, contracts).Balances(ctx, wallet)
	if err != nil {
		return fmt.Errorf("read the balances of %s: %w", wallet, err)
	}
	if coin.Cmp(faucetCoin) < 0 {
		if err := f.net.SetBalance(ctx, wallet, faucetCoin); err != nil {
			return fmt.Errorf("send native currency to %s: %w", wallet, err)
		}
	}
	if missing := new(big.Int).Sub(faucetTokens, balance); missing.Sign() > 0 {
		if _, err := send.NewSender(f.node, f.key(accountFaucet)).Send(ctx, contracts.TransferToken(wallet, missing)); err != nil {
			return fmt.Errorf("send tokens to %s: %w", wallet, err)
		}
	}
	return nil
}

// ServeHTTP handles POST /faucet/{wallet}. It responds once the transactions are mined.
func (f *faucet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	wallet, err := market.ParseAddress("wallet", r.PathValue("wallet"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := f.fill(r.Context(), wallet); err != nil {
		f.log.WarnContext(r.Context(), "the faucet could not fund a wallet", slog.Any("err", err))
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "%s has at least %s %s and %s ETH\n", wallet, inTokens(faucetTokens), tokenSymbol, inTokens(faucetCoin))
}

// faucetPath is the path of the development faucet for the web app. The path is on the web app's
// own origin, because the content security policy allows no other server.
const faucetPath = "/dev/faucet"

// withFaucet adds the faucet to the service's handler. The faucet accepts only same-origin requests, so
// that other sites in the same browser cannot use it.
func (d *dev) withFaucet(service http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+faucetPath+"/{wallet}", d.faucet)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, faucetPath+"/") && r.Header.Get("Origin") == d.origin(d.world.Ports.API) {
			mux.ServeHTTP(w, r)
			return
		}
		service.ServeHTTP(w, r)
	})
}
