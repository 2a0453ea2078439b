package chain_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/follow"
	"taskmarket/market"
)

// offer returns a task record that the agent will fund.
func offer(net *chaintest.Net, agent common.Address, amount *big.Int, terms common.Hash) *market.Task {
	return &market.Task{
		AgentWallet: agent, Amount: amount, FeeBasisPoints: chaintest.FeeBasisPoints, TermsHash: terms,
		ChainID: net.Deployment.ChainID, EscrowAddress: net.Deployment.Escrow, Status: market.StatusNew,
	}
}

func TestProveFunding(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	one, terms := chaintest.Tokens(1), common.Hash{1}
	fullID, full := net.Post(t, net.Agent, one, terms)
	bareID, bare := net.Post(t, net.Agent, one, common.Hash{})
	_, foreign := net.Post(t, net.OtherAgent, one, terms)
	_, short := net.Post(t, net.Agent, new(big.Int).Sub(one, common.Big1), terms)
	_, other := net.Post(t, net.Agent, one, common.Hash{2})
	transfer := net.Send(t, net.Agent, net.Contracts.TransferToken(net.Human.Address(), one))
	cases := map[string]struct {
		tx   common.Hash
		kind market.Kind
		want chain.Proof
	}{
		"with the terms":         {tx: full.TxHash, want: proof(t, net, full, fullID, true)},
		"without terms":          {tx: bare.TxHash, want: proof(t, net, bare, bareID, false)},
		"of another agent":       {tx: foreign.TxHash, kind: market.KindTxMismatch},
		"one wei short":          {tx: short.TxHash, kind: market.KindTxMismatch},
		"of other terms":         {tx: other.TxHash, kind: market.KindTxMismatch},
		"a plain transfer":       {tx: transfer.TxHash, kind: market.KindTxMismatch},
		"a failed transaction":   {tx: failed(t, net), kind: market.KindTxFailed},
		"an unknown transaction": {tx: common.Hash{0xee}, kind: market.KindTxNotFound},
		"a fake event":           {tx: faked(t, net, one), kind: market.KindTxMismatch},
		"a pending transaction":  {tx: pending(t, net), kind: market.KindTxNotFound},
	}
	for name, c := range cases {
		got, err := net.Reader.ProveFunding(t.Context(), c.tx, offer(net, net.Agent.Address(), one, terms))
		if market.KindOf(err) != c.kind || c.kind == "" && err != nil {
			t.Errorf("%s: ProveFunding() = %v, want kind %q", name, err, c.kind)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// proof returns the expected proof for a receipt with a single posting.
func proof(t *testing.T, net *chaintest.Net, receipt *types.Receipt, id uint64, hasTerms bool) chain.Proof {
	t.Helper()
	for _, log := range receipt.Logs {
		if event, err := net.Contracts.Decode(*log); err == nil && event.Kind == market.EventTaskPosted {
			block := receipt.BlockNumber.Uint64()
			return chain.Proof{
				EscrowTaskID: id, HasTerms: hasTerms, Block: block,
				Posting: market.Posting{TxHash: receipt.TxHash, Block: block, Index: log.Index},
			}
		}
	}
	t.Fatal("no posting")
	return chain.Proof{}
}

// transact sends from an account whose key the node has, without simulating the call.
func transact(t *testing.T, net *chaintest.Net, from common.Address, call chain.Call) (tx common.Hash) {
	t.Helper()
	chaintest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), &tx, "eth_sendTransaction", map[string]any{
		"from": from, "to": call.To, "data": hexutil.Bytes(call.Data), "gas": "0xf4240",
	}))
	return tx
}

// mined calls transact and waits for the block.
func mined(t *testing.T, net *chaintest.Net, from common.Address, call chain.Call) common.Hash {
	t.Helper()
	tx := transact(t, net, from, call)
	_, err := net.Sender(net.Keeper).Wait(t.Context(), tx)
	chaintest.Must(t, err)
	return tx
}

func failed(t *testing.T, net *chaintest.Net) common.Hash {
	t.Helper()
	return mined(t, net, net.Agent.Address(), net.Contracts.PostTask(chaintest.Tokens(1), 400, common.Hash{1}))
}

// faked makes an unrelated contract emit TaskPosted for the agent.
func faked(t *testing.T, net *chaintest.Net, amount *big.Int) common.Hash {
	t.Helper()
	topic := crypto.Keccak256([]byte("TaskPosted(uint256,address,uint256,uint16)"))
	code := append([]byte{0x7f}, common.BigToHash(amount).Bytes()...)  // PUSH32 amount
	code = append(code, common.FromHex("5f526101f460205273")...)       // MSTORE at 0; fee 500 at 32; PUSH20
	code = append(code, net.Agent.Address().Bytes()...)                // agent
	code = append(append(code, common.FromHex("60017f")...), topic...) // task id 1; PUSH32 topic
	code = append(code, common.FromHex("60405fa300")...)               // LOG3 of 64 bytes at 0, STOP
	faker := common.Address{0xfa}
	chaintest.Install(t, net, faker, code)
	return mined(t, net, net.Agent.Address(), chain.Call{To: faker})
}

func pending(t *testing.T, net *chaintest.Net) common.Hash {
	t.Helper()
	chaintest.Must(t, net.Dev.SetMining(t.Context(), false))
	return transact(t, net, net.Agent.Address(), net.Contracts.ApproveToken(net.Deployment.Escrow, common.Big1))
}

// batcher returns the code of a wallet that sends each 100 bytes of its input to the escrow:
// CALLDATACOPY(0, i, 100), CALL(gas, escrow, 0, 0, 100, 0, 0), i += 100.
func batcher(escrow common.Address) []byte {
	code := common.FromHex("5f5b368110156032576064815f375f5f60645f5f73")
	code = append(code, escrow.Bytes()...)
	return append(code, common.FromHex("5af1506064016001565b00")...)
}

func TestProveFundingByOneTransactionWithSeveralPostings(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	wallet := common.Address{0xba}
	chaintest.Install(t, net, wallet, batcher(net.Deployment.Escrow))
	net.Send(t, net.Owner, net.Contracts.TransferToken(wallet, chaintest.Tokens(10)))
	chaintest.Must(t, net.Dev.SetBalance(t.Context(), wallet, chaintest.Tokens(1)))
	chaintest.Must(t, net.Dev.Impersonate(t.Context(), wallet))
	mined(t, net, wallet, net.Contracts.ApproveToken(net.Deployment.Escrow, chaintest.Tokens(10)))
	var input []byte
	terms := []common.Hash{{1}, {}, {3}, {}}
	for i, hash := range terms {
		input = append(input, net.Contracts.PostTask(chaintest.Tokens(int64(i+1)), chaintest.FeeBasisPoints, hash).Data...)
	}
	tx := mined(t, net, net.Agent.Address(), chain.Call{To: wallet, Data: input})
	for i, hash := range terms {
		task := offer(net, wallet, chaintest.Tokens(int64(i+1)), common.Hash{byte(i + 1)})
		got, err := net.Reader.ProveFunding(t.Context(), tx, task)
		chaintest.Must(t, err)
		if got.Posting.Ordinal != i || got.HasTerms != (hash != common.Hash{}) {
			t.Errorf("task %d: ProveFunding() = %+v", i, got)
		}
	}
	if _, err := net.Reader.ProveFunding(t.Context(), tx, offer(net, wallet, chaintest.Tokens(5), common.Hash{5})); market.KindOf(err) != market.KindTxMismatch {
		t.Errorf("a fifth task: ProveFunding() = %v, want kind %q", err, market.KindTxMismatch)
	}
}

func TestProveTx(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	amount := chaintest.Tokens(1)
	id, posted := net.Post(t, net.Agent, amount, common.Hash{1})
	application, _ := net.Apply(t, net.Human, id, amount)
	accepted := net.Accept(t, net.Agent, id, application)
	net.Submit(t, net.Human, id, common.Hash{2})
	approved := net.Approve(t, net.Agent, id)
	task := offer(net, net.Agent.Address(), amount, common.Hash{1})

	if _, err := net.Reader.ProveBinding(t.Context(), accepted.TxHash, task); market.KindOf(err) != market.KindWrongStatus {
		t.Errorf("ProveBinding() of a task without an escrow = %v, want kind %q", err, market.KindWrongStatus)
	}
	task.Escrow = &market.EscrowTask{ID: id}
	block, err := net.Reader.ProveBinding(t.Context(), accepted.TxHash, task)
	if err != nil || block != accepted.BlockNumber.Uint64() {
		t.Errorf("ProveBinding() = %d, %v, want block %s", block, err, accepted.BlockNumber)
	}
	block, err = net.Reader.ProveTx(t.Context(), approved.TxHash, market.EventAgentApproved, task)
	if err != nil || block != approved.BlockNumber.Uint64() {
		t.Errorf("ProveTx() = %d, %v, want block %s", block, err, approved.BlockNumber)
	}
	if _, err := net.Reader.ProveBinding(t.Context(), posted.TxHash, task); market.KindOf(err) != market.KindTxMismatch {
		t.Errorf("ProveBinding() by the posting = %v, want kind %q", err, market.KindTxMismatch)
	}
	task.Escrow = &market.EscrowTask{ID: id + 1}
	if _, err := net.Reader.ProveBinding(t.Context(), accepted.TxHash, task); market.KindOf(err) != market.KindTxMismatch {
		t.Errorf("ProveBinding() of another task = %v, want kind %q", err, market.KindTxMismatch)
	}
}

func TestDeploymentHasItsStartBlockAndParameters(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	j := chaintest.NewJournal(net.Deployment)
	chaintest.CatchUp(t, chaintest.NewWatcher(net, net.Node, j, follow.WatcherOptions{}))
	parameters := market.FoldParameters(j.All())
	if parameters.FeeBasisPoints != chaintest.FeeBasisPoints || parameters.QuorumOf(parameters.Panel) != 2 || len(parameters.Validators) != 3 {
		t.Errorf("parameters are %+v, want the fee, three validators and a quorum of two", parameters)
	}
	for _, v := range net.Validators {
		if !parameters.ValidatorIn(v.Address(), parameters.Panel) {
			t.Errorf("%s is not a validator", v)
		}
	}
	if first := j.All()[0]; first.Block.Number != net.Deployment.StartBlock || bytes.Equal(first.TxHash[:], make([]byte, 32)) {
		t.Errorf("the first log is in block %d, want the start block %d", first.Block.Number, net.Deployment.StartBlock)
	}
}
