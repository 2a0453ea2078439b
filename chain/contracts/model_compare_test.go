package contracts_test

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// question is a view and its expected result.
type question struct {
	to     common.Address
	method abi.Method
	data   []byte
	want   []byte
}

func ask(to common.Address, contract *abi.ABI, name string, args []any, want ...any) question {
	method, known := contract.Methods[name]
	if !known {
		panic("no function " + name)
	}
	return question{to: to, method: method, data: append(bytes.Clone(method.ID), packed(method.Inputs, args...)...), want: packed(method.Outputs, want...)}
}

func of(args ...any) []any { return args }

// check calls all views in one batch and compares their results with the expected ones.
func (s *sequence) check(who string, questions []question) {
	s.Helper()
	batch := make([]rpc.BatchElem, len(questions))
	for i, q := range questions {
		batch[i] = rpc.BatchElem{
			Method: "eth_call", Result: new(hexutil.Bytes),
			Args: []any{map[string]any{"to": q.to, "data": hexutil.Bytes(q.data)}, "latest"},
		}
	}
	must(s.T, s.net.Dev.Client().Client().BatchCallContext(s.Context(), batch))
	for i, q := range questions {
		must(s.T, batch[i].Error)
		got, _ := batch[i].Result.(*hexutil.Bytes)
		if !bytes.Equal(*got, q.want) {
			s.Fatalf("%s at %s of %x\ncontract: %s\n%s: %s", q.method.Name, q.to, q.data[4:], q.say(*got), who, q.say(q.want))
		}
	}
	s.total.answers += len(questions)
}

func (q question) say(answer []byte) string {
	values, err := q.method.Outputs.UnpackValues(answer)
	if err != nil {
		return fmt.Sprintf("%x (%v)", answer, err)
	}
	return fmt.Sprintf("%+v", values)
}

// compareState compares the whole state of the contracts.
func (s *sequence) compareState() {
	s.Helper()
	var questions []question
	for _, task := range s.w.tasks {
		questions = append(questions, askTask(task.Escrow)...)
		questions = append(questions, s.askDigests(task.Escrow)...)
	}
	for _, stake := range s.w.stakes {
		questions = append(questions, askStake(s.w.stakes, stake))
	}
	questions = append(questions, s.askMoney()...)
	questions = append(questions, askParameters(s.w.d, s.w.parameters, len(s.w.tasks))...)
	s.check("model", append(questions, s.askValidators()...))
}

func askTask(e *market.EscrowTask) []question {
	by := uint8(0)
	switch {
	case e.DisputedAt.IsZero():
	case e.DisputedBy == e.Agent:
		by = 1
	default:
		by = 2
	}
	return []question{
		ask(e.Escrow, escrowABI, "getTask", of(e.ID), viewOf(e)),
		ask(e.Escrow, escrowABI, "due", of(e.ID), e.Due()),
		ask(e.Escrow, escrowABI, "workHash", of(e.ID), e.WorkHash),
		ask(e.Escrow, escrowABI, "panelOf", of(e.ID), e.Panel),
		ask(e.Escrow, escrowABI, "disputedBy", of(e.ID), by),
	}
}

// askDigests returns questions for the required stake and, for submitted work, the verdict digests.
func (s *sequence) askDigests(e *market.EscrowTask) []question {
	s.Helper()
	questions := []question{ask(s.d.Staking, stakingABI, "requiredStake", of(e.ID), s.w.requiredStake(e))}
	if !delivered(e) {
		return questions
	}
	for _, approved := range []bool{true, false} {
		digest, err := s.net.Contracts.VerdictDigest(e, approved)
		must(s.T, err)
		questions = append(questions, ask(e.Escrow, escrowABI, "verdictDigest", of(e.ID, approved), digest))
	}
	return questions
}

// askValidators returns questions about the validators of the current and the previous panel.
func (s *sequence) askValidators() []question {
	p := s.w.parameters
	var questions []question
	for _, account := range s.bench {
		questions = append(questions,
			ask(s.d.Escrow, escrowABI, "isValidator", of(account), s.w.isValidator(account)),
			ask(s.d.Escrow, escrowABI, "validatorIn", of(account, p.Panel-1), p.ValidatorIn(account, p.Panel-1)))
	}
	return questions
}

func askStake(all []*market.Stake, s *market.Stake) question {
	return ask(s.Contract, stakingABI, "getStake", of(s.ID), stakeViewOf(all, s))
}

// askMoney returns questions for all balances, credits, allowances and nonces.
func (s *sequence) askMoney() []question {
	w := s.w
	var questions []question
	for _, account := range append(w.holders(), w.d.Escrow, w.d.Staking) {
		questions = append(questions, ask(w.d.Token, tokenABI, "balanceOf", of(account), w.balance(account)))
	}
	for _, account := range w.holders() {
		questions = append(questions,
			ask(w.d.Escrow, escrowABI, "withdrawable", of(account), w.credit(w.d.Escrow, account)),
			ask(w.d.Staking, stakingABI, "withdrawable", of(account), w.credit(w.d.Staking, account)),
			ask(w.d.Token, tokenABI, "allowance", of(account, w.d.Escrow), w.allowance(account, w.d.Escrow)),
			ask(w.d.Token, tokenABI, "allowance", of(account, w.d.Staking), w.allowance(account, w.d.Staking)),
			ask(w.d.Token, tokenABI, "nonces", of(account), w.nonces[account]))
	}
	return questions
}

func askParameters(d market.Deployment, p market.Parameters, tasks int) []question {
	return []question{
		ask(d.Escrow, escrowABI, "platformFeeBasisPoints", nil, p.FeeBasisPoints),
		ask(d.Escrow, escrowABI, "paused", nil, p.Paused),
		ask(d.Escrow, escrowABI, "panel", nil, p.Panel),
		ask(d.Escrow, escrowABI, "quorumOf", of(p.Panel), p.QuorumOf(p.Panel)),
		ask(d.Escrow, escrowABI, "taskCount", nil, tasks),
	}
}

// compareLogs compares logs byte by byte and in order.
func (s *sequence) compareLogs(got, want []types.Log) {
	s.Helper()
	s.total.logs += len(want)
	same := slices.EqualFunc(got, want, func(a, b types.Log) bool {
		return a.Address == b.Address && slices.Equal(a.Topics, b.Topics) && bytes.Equal(a.Data, b.Data)
	})
	if !same {
		s.Fatalf("logs of the last action\ncontract:\n%s\nmodel:\n%s", describeLogs(got), describeLogs(want))
	}
}

func describeLogs(logs []types.Log) string {
	var lines []string
	for _, log := range logs {
		lines = append(lines, "  "+describeLog(log))
	}
	return strings.Join(lines, "\n")
}

// viewOf returns the folded task in the contract's form.
func viewOf(e *market.EscrowTask) contracts.IEscrowTaskView {
	return contracts.IEscrowTaskView{
		Agent: e.Agent, Human: e.Human, Amount: e.Locked(), FeeBasisPoints: e.FeeBasisPoints, Status: uint8(e.Status),
		AgentApproved: e.AgentApproved, SubmittedAt: seconds(e.SubmittedAt), DisputeDeadline: seconds(e.DisputeDeadline()),
		LastActivityAt: seconds(e.LastActivityAt), ApplicationId: number(e.ApplicationID),
	}
}

// stakeViewOf returns the folded stake in the contract's form. After the human has applied again,
// the contract no longer stores the expiry of the earlier application.
func stakeViewOf(all []*market.Stake, s *market.Stake) contracts.IApplicationStakingStakeView {
	v := contracts.IApplicationStakingStakeView{
		Human: s.Human, IntendedAgent: s.Agent, TaskId: number(s.TaskID), Amount: s.Amount, ExpiresAt: seconds(s.ExpiresAt), Status: stakeStatus(s),
	}
	if s.Status == market.StakeReturned || s.Status == market.StakeForfeited {
		v.Amount = new(big.Int)
	}
	if latestOf(all, s.TaskID, s.Human) != s {
		v.ExpiresAt = new(big.Int)
	}
	return v
}
