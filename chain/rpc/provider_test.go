package rpc_test

import (
	"errors"
	"strings"
	"testing"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/market"
)

func TestProviderErrorsHideTheKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	const key = "v2/0123456789abcdef"
	node := chaintest.Dial(t, p.URL+"/"+key)
	p.Stop()
	_, _, err := chain.NewReader(node, net.Contracts).Balances(t.Context(), net.Agent.Address())
	failure, ok := errors.AsType[*market.Error](err)
	if !ok || strings.Contains(failure.Error()+failure.Cause.Error(), key) {
		t.Errorf("Balances() = %v (%v), want an error without the key", err, failure.Cause)
	}
	_, err = chaintest.NewWatcher(net, node, chaintest.NewJournal(net.Deployment), follow.WatcherOptions{}).Step(t.Context())
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("Step() = %v, want an error without the key", err)
	}
}
