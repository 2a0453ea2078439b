package rpc_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/market"
)

// A response that cannot be decoded is the provider's fault, for every method: the node tries
// another provider and returns market.KindChainUnavailable if there is none.
func TestUndecodableAnswerIsAProviderError(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	bad := chaintest.NewProxy(t, net.Dev.URL())
	alone := chaintest.Dial(t, bad.URL)
	_, mined := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{})
	wallet := common.Address{7}
	chaintest.Install(t, net, wallet, chaintest.WalletFor(common.Hash{1}))
	for method, answers := range map[string][]string{
		"eth_call":                  {`"0x"`, `"0x01"`, `"0x` + common.Hash{}.Hex()[2:] + `01"`, `null`, `"garbage"`, `{}`},
		"eth_getBlockByNumber":      {`null`, `{}`, `"0x"`},
		"eth_getBalance":            {`null`, `"0x"`, `"much"`},
		"eth_getTransactionCount":   {`"0x"`, `"0x1ffffffffffffffff"`, `"0xffffffffffffffff"`, `"0x7fffffffffffffff"`, `{}`},
		"eth_getTransactionReceipt": {`{}`, `"0x"`, `[]`},
	} {
		for _, answer := range answers {
			asks := map[string]map[string]func(*chain.Reader, *rpc.Node) error{
				"eth_call": {
					"PermitNonce": func(r *chain.Reader, _ *rpc.Node) error {
						_, err := r.PermitNonce(t.Context(), net.Agent.Address())
						return err
					},
					"TokenInfo":    func(r *chain.Reader, _ *rpc.Node) error { _, err := r.TokenInfo(t.Context()); return err },
					"RewardBudget": func(r *chain.Reader, _ *rpc.Node) error { _, err := r.RewardBudget(t.Context()); return err },
					"RewardSigner": func(r *chain.Reader, _ *rpc.Node) error { _, err := r.RewardSigner(t.Context()); return err },
					"Simulate": func(r *chain.Reader, _ *rpc.Node) error {
						return r.Simulate(t.Context(), net.Agent.Address(), net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(1)))
					},
					"VerifyDigest": func(_ *chain.Reader, n *rpc.Node) error {
						return chain.NewVerifier(n).VerifyDigest(t.Context(), wallet, common.Hash{1}, []byte{1})
					},
				},
				"eth_getBlockByNumber": {"Head": func(r *chain.Reader, _ *rpc.Node) error { _, err := r.Head(t.Context()); return err }},
				"eth_getBalance": {"Balances": func(r *chain.Reader, _ *rpc.Node) error {
					_, _, err := r.Balances(t.Context(), net.Agent.Address())
					return err
				}},
				"eth_getTransactionCount": {"NextNonce": func(_ *chain.Reader, n *rpc.Node) error {
					_, err := send.NewSender(n, net.Agent).NextNonce(t.Context())
					return err
				}, "NonceBounds": func(_ *chain.Reader, n *rpc.Node) error {
					_, _, _, err := send.NewSender(n, net.Agent).NonceBounds(t.Context())
					return err
				}, "LeastUsedNoncesOf": func(_ *chain.Reader, n *rpc.Node) error {
					_, err := send.NewSender(n, net.Agent).LeastUsedNoncesOf(t.Context(), net.Agent.Address())
					return err
				}},
				"eth_getTransactionReceipt": {
					"Receipt": func(_ *chain.Reader, n *rpc.Node) error {
						_, err := send.NewSender(n, net.Agent).Receipt(t.Context(), mined.TxHash)
						return err
					},
					"ProveFunding": func(r *chain.Reader, _ *rpc.Node) error {
						_, err := r.ProveFunding(t.Context(), mined.TxHash, &market.Task{EscrowAddress: net.Deployment.Escrow})
						if market.KindOf(err) == market.KindTxMismatch { // the response was decoded
							return nil
						}
						return err
					},
				},
			}[method]
			for name, ask := range asks {
				spoil := func(c *chaintest.Exchange) {
					if c.Method == method && (method != "eth_getBlockByNumber" || string(c.Params[0]) == `"latest"`) {
						c.Result, c.Fault = json.RawMessage(answer), nil
					}
				}
				both := chaintest.Dial(t, bad.URL, net.Dev.URL())
				bad.Set(func(p *chaintest.Proxy) { p.Answer = spoil })
				if err := ask(chain.NewReader(both, net.Contracts), both); err != nil {
					t.Errorf("%s, one of two providers answering %s: %v", name, answer, err)
				}
				if err := ask(chain.NewReader(alone, net.Contracts), alone); market.KindOf(err) != market.KindChainUnavailable {
					t.Errorf("%s, the only provider answering %s: %v, want kind %q", name, answer, err, market.KindChainUnavailable)
				}
				bad.Set(func(p *chaintest.Proxy) { p.Answer = nil })
				if err := ask(chain.NewReader(alone, net.Contracts), alone); err != nil {
					t.Errorf("%s, when the provider works again: %v", name, err)
				}
			}
		}
	}
}

// A receipt that belongs to another transaction or lacks a required member counts as undecodable.
func TestInvalidReceiptIsAProviderError(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	bad := chaintest.NewProxy(t, net.Dev.URL())
	_, mined := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{})
	for member, value := range map[string]any{"transactionHash": common.Hash{9}, "blockNumber": nil, "logs": []any{nil}} {
		both := chaintest.Dial(t, bad.URL, net.Dev.URL())
		bad.Set(func(p *chaintest.Proxy) {
			p.Answer = func(c *chaintest.Exchange) {
				var receipt map[string]any
				if c.Method != "eth_getTransactionReceipt" || json.Unmarshal(c.Result, &receipt) != nil {
					return
				}
				receipt[member] = value
				c.Result, _ = json.Marshal(receipt)
			}
		})
		receipt, err := send.NewSender(both, net.Agent).Receipt(t.Context(), mined.TxHash)
		if err != nil || receipt.TxHash != mined.TxHash || bad.Count("eth_getTransactionReceipt") == 0 {
			t.Errorf("with another %s: Receipt() = %v, %v", member, receipt, err)
		}
		bad.Set(func(p *chaintest.Proxy) { p.Answer = nil })
	}
}
