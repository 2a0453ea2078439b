package keeper_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/market"
)

func TestKeeperRelaysVerdicts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	released, refunded := verdictJob(t, net, true), verdictJob(t, net, false)
	released.Verdicts[0], released.Verdicts[1] = released.Verdicts[1], released.Verdicts[0] // the keeper must sort them
	j := newJobs(released, refunded)
	k := newKeeper(net, j, keeper.Options{})
	workOff(t, k, j)
	if len(j.done) != 2 || sentBy(t, net) != 2 {
		t.Errorf("done %v, %d transactions; want both done by two", j.done, sentBy(t, net))
	}
	ends := make(map[uint64]market.EventKind)
	for _, event := range eventsOf(t, net, j) {
		if event.Kind == market.EventTaskReleased || event.Kind == market.EventTaskRefunded {
			ends[event.TaskID] = event.Kind
		}
	}
	if ends[released.TaskID] != market.EventTaskReleased || ends[refunded.TaskID] != market.EventTaskRefunded {
		t.Errorf("ends are %v", ends)
	}
}

// One signature that the contract rejects does not block the other verdicts.
func TestKeeperOmitsInvalidVerdicts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	for name, signature := range map[string][]byte{
		"of a wallet without code": bytes.Repeat([]byte{7}, 96),
		"wrapped":                  append(bytes.Repeat([]byte{7}, 96), bytes.Repeat([]byte{0x64, 0x92}, 16)...),
		"too short for a wallet":   bytes.Repeat([]byte{7}, 45),
		"of another key":           bytes.Repeat([]byte{7}, 65),
	} {
		t.Run(name, func(t *testing.T) {
			work := common.Hash{2}
			id := net.Submitted(t, common.BytesToHash([]byte(name)), work)
			net.Dispute(t, net.Agent, id)
			verdicts := net.Verdicts(t, id, work, 1, false, 3)
			verdicts[1].Signature = signature
			j := newJobs(market.Job{Kind: market.OutboxVerdicts, TaskID: id, Verdicts: verdicts})
			workOff(t, newKeeper(net, j, keeper.Options{}), j)
			if len(j.done) != 1 {
				t.Errorf("done %v, ended %v, waits %v", j.done, j.ended, j.waits)
			}
		})
	}
}

// signByWallet makes the validator a contract wallet whose code decides whether the verdict's signature is valid.
func signByWallet(t *testing.T, net *chaintest.Net, v *market.Verdict, code []byte) {
	t.Helper()
	v.Signature = bytes.Repeat([]byte{7}, 96)
	must(t, net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_setCode", v.Validator, hexutil.Bytes(code)))
}

// A contract wallet accepts a signature while the gas price is zero, as in a simulation, and
// rejects it in a block. If enough validators signed with keys, the keeper uses no wallet
// signatures. If wallet signatures are necessary, the keeper eventually selects honest wallets.
func TestKeeperToleratesAWalletThatRejectsInABlock(t *testing.T) {
	t.Parallel()
	yes := common.FromHex("631626ba7e60e01b")      // PUSH4 the selector of isValidSignature, SHL 224
	returnWord := common.FromHex("5f5260205ff3")   // MSTORE at 0, RETURN 32 bytes
	deny := append(common.FromHex("3a15"), yes...) // GASPRICE, ISZERO, times yes
	deny = append(append(deny, 0x02), returnWord...)
	affirm := append(append([]byte(nil), yes...), returnWord...)
	for name, wallets := range map[string]map[int][]byte{
		"two keys":              {1: deny},
		"a key and two wallets": {0: deny, 2: affirm},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net, work := chaintest.New(t), common.Hash{2}
			id := net.Submitted(t, common.Hash{1}, work)
			net.Dispute(t, net.Agent, id)
			verdicts := net.Verdicts(t, id, work, 1, false, 3)
			for i, code := range wallets {
				signByWallet(t, net, &verdicts[i], code)
			}
			j := newJobs(market.Job{Kind: market.OutboxVerdicts, TaskID: id, Verdicts: verdicts})
			workOff(t, newKeeper(net, j, keeper.Options{}), j)
			if len(j.done) != 1 {
				t.Errorf("done %v, ended %v, waits %v", j.done, j.ended, j.waits)
			}
			if tried := sentBy(t, net); len(wallets) == 1 && tried != 1 {
				t.Errorf("%d transactions, want 1: the keys are a quorum", tried)
			}
		})
	}
}

// A dishonest node returns forged reverts for the simulations. The keeper tries again later.
func TestKeeperSurvivesForgedReverts(t *testing.T) {
	t.Parallel()
	invalid := func(index uint64) string {
		return fmt.Sprintf("0x%x%064x", crypto.Keccak256([]byte("InvalidSignature(uint256)"))[:4], index)
	}
	missing := func(signatures, quorum uint64) string {
		return fmt.Sprintf("0x%x%064x%064x", crypto.Keccak256([]byte("QuorumNotReached(uint256,uint256)"))[:4], signatures, quorum)
	}
	for name, reverts := range map[string][]string{
		"of a key's signature":        {invalid(0)},
		"of a signature not included": {invalid(2), invalid(math.MaxUint64)},
		"of a huge quorum":            {missing(0, 1), missing(0, math.MaxInt64)},
		"of more than the quorum":     {missing(0, 1), missing(math.MaxInt64, 1), missing(math.MaxUint64, 0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			net, work := chaintest.New(t), common.Hash{2}
			id := net.Submitted(t, common.Hash{1}, work)
			net.Dispute(t, net.Agent, id)
			verdicts := net.Verdicts(t, id, work, 1, false, 3)
			signByWallet(t, net, &verdicts[0], common.FromHex("631626ba7e60e01b5f5260205ff3")) // returns the selector of isValidSignature
			from, forged := strings.ToLower(net.Keeper.Address().Hex()), reverts
			p := newProxy(t, net, func(e *chaintest.Exchange) {
				if e.Method == "eth_call" && len(forged) > 0 && strings.Contains(strings.ToLower(string(e.Params[0])), from) {
					e.Fault = &chaintest.Fault{Code: 3, Message: "execution reverted", Data: json.RawMessage(`"` + forged[0] + `"`)}
					forged = forged[1:]
				}
			})
			j := newJobs(market.Job{Kind: market.OutboxVerdicts, TaskID: id, Verdicts: verdicts})
			k := newKeeperOn(net, chaintest.Dial(t, p.URL), j, keeper.Options{})
			for range 10 {
				if len(forged) == 0 {
					break
				}
				_ = k.Step(t.Context())
			}
			workOff(t, k, j)
			if len(j.done) != 1 || len(forged) > 0 {
				t.Errorf("done %v, ended %v, waits %v, %d reverts left", j.done, j.ended, j.waits, len(forged))
			}
		})
	}
}
