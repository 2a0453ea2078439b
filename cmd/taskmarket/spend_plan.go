package main

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"taskmarket/client"
	"taskmarket/market"
)

// acts says what each action is called on a terminal.
var acts = map[market.Action]string{
	market.ActionFund:    "create the task and lock its amount",
	market.ActionAccept:  "accept the application",
	market.ActionReject:  "reject the application",
	market.ActionApprove: "approve the work",
	market.ActionDispute: "dispute the work",
	market.ActionCancel:  "cancel the task",
}

// commandOf is the command that does an action.
var commandOf = map[market.Action]string{
	market.ActionFund:    "create-task",
	market.ActionAccept:  "accept-application",
	market.ActionReject:  "reject-application",
	market.ActionApprove: "approve-submission",
	market.ActionDispute: "dispute-task",
	market.ActionCancel:  "cancel-task",
}

// printPlan is the result of --dry-run.
func (s *spending) printPlan(ctx context.Context, agent *client.Client, p client.Plan) error {
	if s.json {
		return s.printJSON(p)
	}
	fields, err := s.planFields(ctx, agent, p)
	if err != nil {
		return err
	}
	state := "not tried: there is nothing to send"
	switch {
	case p.Done:
		state = "done already"
	case p.Resumes:
		state = "signed before; it would go on"
	case p.Simulated:
		state = "tried: the contracts would take it now"
	}
	fields = append(fields, field{"State", state}, field{"Consequence", p.Consequence}, field{"Plan", p.ID})
	return s.printFields(fields...)
}

// planFields are what a person must see before agreeing: the money, who may
// take it and until when, on which chain, and from which wallet.
func (s *spending) planFields(ctx context.Context, agent *client.Client, p client.Plan) ([]field, error) {
	symbol, err := s.symbol(ctx, agent)
	if err != nil {
		return nil, err
	}
	fields := []field{{"To do", acts[p.Action]}}
	if p.TaskID != nil {
		fields = append(fields, field{"Task", p.TaskID.String()})
	}
	if p.ApplicationID != nil {
		fields = append(fields, field{"Application", p.ApplicationID.String()})
	}
	fields = append(fields, subjectFields(p, symbol)...)
	if p.Spends != nil && p.Spends.Sign() > 0 {
		fields = append(fields, field{"Amount", formatAmount(p.Spends, symbol) + ", locked in the escrow"})
	}
	fields = append(fields, moneyFields(p, symbol)...)
	if p.Spender != nil {
		fields = append(fields, field{"Spender", p.Spender.Hex() + ", the escrow"})
	}
	if p.Deadline != nil {
		fields = append(fields, field{"Permit until", moment(market.TimeOf(*p.Deadline))})
	}
	fields = append(fields, field{"Chain", strconv.FormatUint(p.ChainID, 10)}, field{"Wallet", p.Wallet.Hex()})
	if p.Transaction != nil {
		fields = append(fields, field{"Contract", p.Transaction.To.Hex()}, field{"Gas", s.gasText(p)})
	}
	if p.TermsHash != nil {
		fields = append(fields, field{"Terms hash", p.TermsHash.Hex()})
	}
	return fields, nil
}

// gasText says what gas costs at most, also where it becomes dearer: until the
// signature it may cost twice as much, and what has to be replaced then four times that.
func (s *spending) gasText(p client.Plan) string {
	text := "at most " + formatAmount(p.GasCost, chainCoin)
	limit := s.loaded.values[settingMaxFeePerGas]
	if limit.text == "" {
		return text + "; 8 times that if replaced"
	}
	most := new(big.Int).Mul(s.loaded.maxFeePerGas(), new(big.Int).SetUint64(p.Transaction.Gas))
	return text + "; " + formatAmount(most, chainCoin) + " if replaced"
}

// subjectFields are what task is made, or whom and what the action is about.
func subjectFields(p client.Plan, symbol string) []field {
	fields := []field{{"Title", p.Title}}
	if p.TaskDeadline != nil {
		fields = append(fields, field{"Deadline", moment(market.TimeOf(*p.TaskDeadline))})
	}
	if p.Human != nil {
		fields = append(fields, field{"Human", p.Human.Hex()})
	}
	if p.StakeID != nil {
		fields = append(fields, field{"Stake", fmt.Sprintf("%s, number %d", formatAmount(p.Stake, symbol), *p.StakeID)})
	}
	if p.WorkHash != nil {
		fields = append(fields, field{"Work hash", p.WorkHash.Hex()})
	}
	return fields
}

// moneyFields are who gets what in the end.
func moneyFields(p client.Plan, symbol string) []field {
	if p.Payout == nil || p.Action == market.ActionReject || p.Action == market.ActionCancel {
		return nil // nobody is paid
	}
	fee := new(big.Int)
	if p.Fee != nil {
		fee = p.Fee
	}
	return []field{
		{"Fee", fmt.Sprintf("%s (%s %%), taken from the amount when the human is paid", formatAmount(fee, symbol), market.FeePercent(p.FeeBasisPoints))},
		{"Human gets", formatAmount(p.Payout, symbol)},
	}
}
