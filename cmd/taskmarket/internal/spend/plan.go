package spend

import (
	"context"
	"fmt"
	"math/big"
	"strconv"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// printPlan prints the plan for --dry-run.
func (s *Command) printPlan(ctx context.Context, agent *client.Client, p client.Plan) error {
	if s.JSON {
		return s.PrintJSON(p)
	}
	fields, err := s.planFields(ctx, agent, p)
	if err != nil {
		return err
	}
	state := "not simulated: nothing to send"
	switch {
	case p.Done:
		state = "already done"
	case p.Resumes:
		state = "signed earlier; the command would resume it"
	case p.Simulated:
		state = "simulated: the contracts would accept it now"
	}
	fields = append(fields, cli.Field{"State", state}, cli.Field{"Consequence", p.Consequence}, cli.Field{"Plan", p.ID})
	return s.PrintFields(fields...)
}

// planFields returns the output fields that the user needs to decide: the amounts, their recipients
// and deadlines, the chain, and the wallet.
func (s *Command) planFields(ctx context.Context, agent *client.Client, p client.Plan) ([]cli.Field, error) {
	symbol, err := s.Symbol(ctx, agent)
	if err != nil {
		return nil, err
	}
	fields := []cli.Field{{"Action", market.ActOf(p.Action).Does}}
	if p.TaskID != nil {
		fields = append(fields, cli.Field{"Task", p.TaskID.String()})
	}
	if p.ApplicationID != nil {
		fields = append(fields, cli.Field{"Application", p.ApplicationID.String()})
	}
	fields = append(fields, subjectFields(p, symbol)...)
	if p.Spends != nil && p.Spends.Sign() > 0 {
		fields = append(fields, cli.Field{"Amount", market.FormatAmount(p.Spends, symbol) + ", locked in the escrow"})
	}
	fields = append(fields, moneyFields(p, symbol)...)
	if p.Spender != nil {
		fields = append(fields, cli.Field{"Spender", p.Spender.Hex() + ", the escrow"})
	}
	if p.Deadline != nil {
		fields = append(fields, cli.Field{"Permit expires", cli.FormatTime(market.TimeOf(*p.Deadline))})
	}
	fields = append(fields, cli.Field{"Chain", strconv.FormatUint(p.ChainID, 10)}, cli.Field{"Wallet", p.Wallet.Hex()})
	if p.Transaction != nil {
		fields = append(fields, cli.Field{"Contract", p.Transaction.To.Hex()}, cli.Field{"Gas", s.gasText(p)})
	}
	if p.TermsHash != nil {
		fields = append(fields, cli.Field{"Terms hash", p.TermsHash.Hex()})
	}
	return fields, nil
}

// gasText returns the maximum gas cost of the plan and of a replacement. The gas price may double
// before the signature, and a replacement transaction may cost four times that, but the price
// per unit of gas never exceeds the setting max_fee_per_gas. If the user has set it, a replacement can
// use all of it.
func (s *Command) gasText(p client.Plan) string {
	text := "at most " + market.FormatAmount(p.GasCost, market.ChainCoin)
	maxCost := new(big.Int).Mul(s.Loaded.MaxFeePerGas(), new(big.Int).SetUint64(p.Transaction.Gas))
	isDefault := s.Loaded.Text(cli.SettingMaxFeePerGas) == ""
	if isDefault && new(big.Int).Mul(p.GasCost, big.NewInt(8)).Cmp(maxCost) <= 0 {
		return text + "; up to 8 times that if gas rises"
	}
	return text + "; up to " + market.FormatAmount(maxCost, market.ChainCoin) + " if gas rises"
}

// subjectFields returns the output fields with the task and the human that the action concerns.
func subjectFields(p client.Plan, symbol string) []cli.Field {
	fields := []cli.Field{{"Title", p.Title}}
	if p.TaskDeadline != nil {
		fields = append(fields, cli.Field{"Deadline", cli.FormatTime(market.TimeOf(*p.TaskDeadline))})
	}
	if p.Human != nil {
		fields = append(fields, cli.Field{"Human", p.Human.Hex()})
	}
	if p.StakeID != nil {
		fields = append(fields, cli.Field{"Stake", fmt.Sprintf("%s, number %d", market.FormatAmount(p.Stake, symbol), *p.StakeID)})
	}
	if p.WorkHash != nil {
		fields = append(fields, cli.Field{"Work hash", p.WorkHash.Hex()})
	}
	return fields
}

// moneyFields returns the output fields with the fee and the human's share of the payment.
func moneyFields(p client.Plan, symbol string) []cli.Field {
	if money := market.ActOf(p.Action).Money; p.Payout == nil || money == market.MoneyForfeited || money == market.MoneyRefunded {
		return nil // the action pays neither the human nor a fee
	}
	fee := new(big.Int)
	if p.Fee != nil {
		fee = p.Fee
	}
	return []cli.Field{
		{"Fee", fmt.Sprintf("%s (%s%%), taken from the amount when the human is paid", market.FormatAmount(fee, symbol), market.FeePercent(p.FeeBasisPoints))},
		{"Human receives", market.FormatAmount(p.Payout, symbol)},
	}
}
