package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
)

// An API that falsely shows a task as funded is not trusted.
func TestCreateTaskFalselyReportedFunded(t *testing.T) {
	w := newWorld(t)
	other, _ := w.created(t, "another")
	w.api.lie = func(path string, answer object) {
		if strings.HasPrefix(path, "/tasks/") && answer["title"] == "not funded" {
			answer["status"], answer["fundable"] = "funded", false
			answer["escrow_task_id"], answer["escrow_creation_tx_hash"] = *other.EscrowTaskID, *other.EscrowCreationTxHash
		}
	}
	if _, err := w.client(t).CreateTask(t.Context(), request("not funded")); !errors.Is(err, client.ErrOtherCall) {
		t.Errorf("got error %v", err)
	}
}

// A client must not pay if the API's record differs from the request.
func TestCreateTaskRejectsOtherRecord(t *testing.T) {
	limit := uint16(chaintest.FeeBasisPoints - 1)
	other := common.HexToAddress("0x00000000000000000000000000000000000000aa").Hex()
	in := func(path string, change func(object)) func(string, object) {
		return func(p string, answer object) {
			if strings.HasPrefix(p, path) {
				change(answer)
			}
		}
	}
	tests := map[string]struct {
		lie    func(path string, answer object)
		change func(*client.TaskRequest)
		want   error
	}{
		"amount":                             {lie: in("/tasks", func(o object) { o["escrow_amount"] = "1000000000000000001" }), want: client.ErrOtherTerms},
		"terms":                              {lie: in("/tasks", func(o object) { o["terms_hash"] = common.Hash{1}.Hex() }), want: client.ErrOtherTerms},
		"fee":                                {lie: in("/tasks", func(o object) { o["fee_basis_points"] = 501 }), want: client.ErrOtherTerms},
		"id":                                 {lie: in("/tasks", func(o object) { o["id"] = "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80" }), want: client.ErrOtherTerms},
		"chain of the task":                  {lie: in("/tasks", func(o object) { o["chain_id"] = 1 }), want: client.ErrOtherContracts},
		"escrow of the task":                 {lie: in("/tasks", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"escrow":                             {lie: in("/config", func(o object) { o["escrow_address"] = other }), want: client.ErrOtherContracts},
		"token":                              {lie: in("/config", func(o object) { o["token"] = object{"address": other} }), want: client.ErrOtherContracts},
		"token of another market":            {lie: in("/config", func(o object) { o["token"] = object{"address": o["treasury_address"]} }), want: client.ErrOtherContracts},
		"staking contract of another market": {lie: in("/config", func(o object) { o["application_staking_address"] = o["treasury_address"] }), want: client.ErrOtherContracts},
		"treasury of another market":         {lie: in("/config", func(o object) { o["treasury_address"] = o["escrow_address"] }), want: client.ErrOtherContracts},
		"chain":                              {lie: in("/config", func(o object) { o["chain_id"] = 8453 }), want: client.ErrOtherContracts},
		"a fee above the limit":              {lie: func(string, object) {}, change: func(r *client.TaskRequest) { r.MaxFeeBasisPoints = &limit }},
	}
	w := newWorld(t)
	before := w.nonce(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w.api.lie = test.lie
			task := request(name)
			if test.change != nil {
				test.change(&task)
			}
			_, err := w.client(t).CreateTask(t.Context(), task)
			if err == nil || (test.want != nil && !errors.Is(err, test.want)) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if w.nonce(t) != before {
				t.Error("a transaction was sent")
			}
		})
	}
}

// An API cannot substitute other contracts for the pinned ones, even if its contracts are consistent
// with each other.
func TestPinnedContracts(t *testing.T) {
	w := newWorld(t)
	pinned := w.Deployment
	if _, err := w.client(t, func(o *client.Options) { o.Contracts = &pinned }).CreateTask(t.Context(), request("pinned")); err != nil {
		t.Errorf("the right contracts: %v", err)
	}
	other := w.Deployment
	other.Escrow = common.HexToAddress("0xaa")
	_, err := w.client(t, func(o *client.Options) { o.Contracts = &other }).CreateTask(t.Context(), request("other"))
	if !errors.Is(err, client.ErrOtherContracts) {
		t.Errorf("got error %v", err)
	}
}
