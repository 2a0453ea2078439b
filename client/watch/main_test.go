package watch_test

import (
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"

	ethereum "github.com/ethereum/go-ethereum"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/gen/contracts"
)

// object is a decoded JSON object that a test can change.
type object = map[string]any

// world consists of a chain, a server that returns the API's configuration, and client options that
// use both.
type world struct {
	*chaintest.Net
	config  object
	options client.Options
}

// newWorld starts a chain whose finalized block is two blocks behind the head.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Net: chaintest.New(t, devnet.Options{})}
	d := w.Deployment
	w.config = object{
		"chain_id": d.ChainID, "escrow_address": d.Escrow.Hex(), "application_staking_address": d.Staking.Hex(),
		"treasury_address": d.Treasury.Hex(), "token": object{"address": d.Token.Hex()},
		"permit_domain": object{"name": "Task Token", "version": "1", "chainId": d.ChainID, "verifyingContract": d.Token.Hex()},
	}
	w.options = client.Options{RPCURL: w.Dev.URL(), BaseURL: serve(t, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(rw).Encode(maps.Clone(w.config))
	}))}
	return w
}

func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// client creates a client for the world; change modifies its options.
func (w *world) client(t *testing.T, change ...func(*client.Options)) *client.Client {
	t.Helper()
	options := w.options
	for _, c := range change {
		c(&options)
	}
	c, err := client.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// stake reads an application's stake from the staking contract.
func (w *world) stake(t *testing.T, id uint64) contracts.IApplicationStakingStakeView {
	t.Helper()
	staking := contracts.NewApplicationStaking()
	answer, err := w.Dev.Client().CallContract(t.Context(), ethereum.CallMsg{To: &w.Deployment.Staking, Data: staking.PackGetStake(new(big.Int).SetUint64(id))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stake, err := staking.UnpackGetStake(answer)
	if err != nil {
		t.Fatal(err)
	}
	return stake
}
