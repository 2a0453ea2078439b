package server_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
)

func TestTaskFromCreationToPayment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	created, err := agent.CreateTaskWithResponse(t.Context(), nil, client.CreateTaskRequest{
		Title: "Photograph the harbour", Description: "Ten photos.", EscrowAmount: "1000000000000000000",
	})
	if err != nil || created.JSON201 == nil {
		t.Fatalf("create = %s, %v", answer(created), err)
	}
	task := *created.JSON201
	_, receipt := r.net.Post(t, r.net.Agent, chaintest.Tokens(1), common.HexToHash(task.TermsHash))
	confirmed, err := agent.ConfirmTaskFundingWithResponse(t.Context(), task.ID, client.ConfirmRequest{TxHash: receipt.TxHash.Hex()})
	if err != nil || confirmed.JSON200 == nil {
		t.Fatalf("confirm-create = %s, %v", answer(confirmed), err)
	}
	if confirmed.JSON200.Status != client.TaskStatusFunded {
		t.Fatalf("status = %s", confirmed.JSON200.Status)
	}
}
