package rpc_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// The data of a revert decides, not the code or the words, in which nodes differ.
func TestRevertIsReadFromItsData(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	_, err := net.Dev.Client().CallContract(t.Context(), callOf(net.Human.Address(), net.Contracts.TransferToken(net.Agent.Address(), chaintest.Tokens(1_000_000_000))), nil)
	if err == nil {
		t.Fatal("the call does not revert")
	}
	failure, ok := errors.AsType[ethrpc.DataError](err)
	if !ok {
		t.Fatalf("%v has no data", err)
	}
	data, _ := failure.ErrorData().(string)
	const known = "ERC20InsufficientBalance"
	p := chaintest.NewProxy(t, net.Dev.URL())
	reader := chain.NewReader(chaintest.DialWith(t, rpc.NodeOptions{Tries: 1}, p.URL), net.Contracts)
	for name, c := range map[string]struct {
		fault chaintest.Fault
		want  string // name of the contract's error; "" for a revert without one, "none" for no revert
	}{
		"code 3":                  {chaintest.Fault{Code: 3, Message: "execution reverted: custom error", Data: json.RawMessage(strconv.Quote(data))}, known},
		"another code":            {chaintest.Fault{Code: -32000, Message: "Fehler", Data: json.RawMessage(strconv.Quote(data))}, known},
		"after a word":            {chaintest.Fault{Code: -32015, Message: "VM execution error.", Data: json.RawMessage(strconv.Quote("Reverted " + data))}, known},
		"in an object":            {chaintest.Fault{Code: -32603, Message: "internal error", Data: json.RawMessage(`{"data":` + strconv.Quote(data) + `}`)}, known},
		"code 3 without data":     {chaintest.Fault{Code: 3, Message: "x"}, ""},
		"only words":              {chaintest.Fault{Code: -32000, Message: "execution reverted"}, ""},
		"an execution error":      {chaintest.Fault{Code: -32000, Message: "stack limit reached 1024 (1023)"}, ""},
		"data of another kind":    {chaintest.Fault{Code: -32005, Message: "rate limited", Data: json.RawMessage(`{"rate":{"backoff_seconds":30}}`)}, "none"},
		"other words":             {chaintest.Fault{Code: -32000, Message: "stack trace: internal failure"}, "none"},
		"a text in place of data": {chaintest.Fault{Code: -32000, Message: "header not found", Data: json.RawMessage(`"0xnothing"`)}, "none"},
	} {
		p.Misbehave(func(calls []*chaintest.Exchange) bool {
			for _, call := range calls {
				call.Fault = &c.fault
			}
			return true
		})
		err := reader.Simulate(t.Context(), common.Address{1}, net.Contracts.TransferToken(net.Agent.Address(), common.Big1))
		reverted, ok := errors.AsType[*rpc.RevertError](err)
		if ok != (c.want != "none") || ok && (reverted.Name != c.want || market.KindOf(err) != market.KindWouldRevert) || !ok && market.KindOf(err) != market.KindChainUnavailable {
			t.Errorf("%s: Simulate() = %v, want the revert %q", name, err, c.want)
		}
	}
}

func callOf(from common.Address, call chain.Call) ethereum.CallMsg {
	return ethereum.CallMsg{From: from, To: &call.To, Data: call.Data}
}

// The table of explanations covers exactly the contracts' errors.
func TestRefusalsCoverTheContractsErrors(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, meta := range []*bind.MetaData{
		&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData,
		&contracts.TreasuryMetaData, &contracts.RewardDistributorMetaData, &contracts.SignatureCheckMetaData,
	} {
		contract, err := meta.ParseABI()
		chaintest.Must(t, err)
		for name := range contract.Errors {
			known[name] = true
			if _, ok := market.Refusals()[name]; !ok {
				t.Errorf("the contracts' error %s has no entry in refusals.json", name)
			}
		}
	}
	var sentences []string
	for name, refusal := range market.Refusals() {
		if !known[name] {
			t.Errorf("refusals.json has an entry for %s, which is not an error of the contracts", name)
		}
		for _, text := range []string{refusal.Sentence, refusal.Next} {
			if text == "" || strings.HasSuffix(text, ".") || unicode.IsUpper([]rune(text)[0]) {
				t.Errorf("%s: %q must not be empty, start with a capital letter or end with a period", name, text)
			}
		}
		if slices.Contains(sentences, refusal.Sentence) {
			t.Errorf("%s: two errors have the same sentence", name)
		}
		sentences = append(sentences, refusal.Sentence)
	}
}
