package chain_test

import (
	"errors"
	"strings"
	"testing"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

func TestProviderErrorsHideTheKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := newProxy(t, net.Dev.URL())
	const key = "v2/0123456789abcdef"
	node := chaintest.Dial(t, p.URL+"/"+key)
	p.server.Close()
	_, _, err := chain.NewReader(node, net.Contracts).Balances(t.Context(), net.Agent.Address())
	failure, ok := errors.AsType[*market.Error](err)
	if !ok || strings.Contains(failure.Error()+failure.Cause.Error(), key) {
		t.Errorf("Balances() = %v (%v), want an error without the key", err, failure.Cause)
	}
	_, err = newWatcher(net, node, newJournal(net.Deployment), chain.WatcherOptions{}).Step(t.Context())
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("Step() = %v, want an error without the key", err)
	}
}
