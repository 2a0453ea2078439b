package operate

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client/rescue"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// holdingsOutput contains what a wallet has in the contracts. Its members have the same names as in
// the API.
type holdingsOutput struct {
	WalletAddress      string         `json:"wallet_address"`
	ChainID            uint64         `json:"chain_id"`
	BlockNumber        uint64         `json:"block_number"`
	BlockTime          market.Time    `json:"block_time"`
	TokenAddress       string         `json:"token_address"`
	TokenSymbol        string         `json:"token_symbol"`
	EscrowAddress      string         `json:"escrow_address"`
	StakingAddress     string         `json:"application_staking_address"`
	TreasuryAddress    string         `json:"treasury_address"`
	DistributorAddress string         `json:"reward_distributor_address,omitempty"`
	Balance            string         `json:"balance"`
	GasBalance         string         `json:"gas_balance"`
	Tasks              []taskOutput   `json:"tasks"`
	Applications       []stakeOutput  `json:"applications"`
	Credits            []creditOutput `json:"credits"`
	Rewards            *rewardOutput  `json:"rewards,omitempty"`
}

type taskOutput struct {
	EscrowTaskID      string             `json:"escrow_task_id"`
	Role              market.Role        `json:"role"`
	Status            string             `json:"status"`
	EscrowAmount      string             `json:"escrow_amount"`
	LockedAmount      string             `json:"locked_amount"`
	FeeBasisPoints    uint16             `json:"fee_basis_points"`
	AgentWallet       string             `json:"agent_wallet_address"`
	HumanWallet       string             `json:"human_wallet_address,omitempty"`
	WorkHash          string             `json:"work_hash,omitempty"`
	AgentApproved     bool               `json:"agent_approved"`
	FundedAt          *market.Time       `json:"funded_at,omitempty"`
	SubmittedAt       *market.Time       `json:"submitted_at,omitempty"`
	DisputeDeadline   *market.Time       `json:"dispute_deadline,omitempty"`
	EndedAt           *market.Time       `json:"ended_at,omitempty"`
	PaidAmount        string             `json:"paid_amount,omitempty"`
	RefundAmount      string             `json:"refund_amount,omitempty"`
	EndTxHash         string             `json:"end_tx_hash,omitempty"`
	Exits             []exitOutput       `json:"exits"`
	IfNobodyActsTurns []transitionOutput `json:"if_nobody_acts"`
}

type transitionOutput struct {
	At       market.Time     `json:"at"`
	Status   market.Status   `json:"status"`
	Payments []paymentOutput `json:"payments"`
}

type paymentOutput struct {
	To     market.Payee       `json:"to"`
	Kind   market.PaymentKind `json:"kind"`
	Amount string             `json:"amount"`
}

type stakeOutput struct {
	ApplicationID string                   `json:"onchain_application_id"`
	EscrowTaskID  string                   `json:"escrow_task_id"`
	Role          market.Role              `json:"role"`
	Status        market.ApplicationStatus `json:"status"`
	Stake         market.StakeStatus       `json:"stake_status"`
	StakeAmount   string                   `json:"stake_amount"`
	HumanWallet   string                   `json:"human_wallet_address"`
	ExpiresAt     market.Time              `json:"expires_at"`
	Exits         []exitOutput             `json:"exits"`
}

type creditOutput struct {
	ContractAddress string       `json:"contract_address"`
	Amount          string       `json:"amount"`
	Exits           []exitOutput `json:"exits"`
}

type rewardOutput struct {
	Claimed string `json:"claimed"`
	Budget  string `json:"budget"`
}

type exitOutput struct {
	Exit     string       `json:"exit"`
	ID       string       `json:"id,omitempty"`
	OpensAt  *market.Time `json:"opens_at,omitempty"`
	Deadline *market.Time `json:"deadline,omitempty"`
	Needs    rescue.Need  `json:"needs,omitempty"`
}

func showHoldings(h *rescue.Holdings) holdingsOutput {
	d := h.Deployment
	output := holdingsOutput{
		WalletAddress: h.Wallet.Hex(), ChainID: d.ChainID, BlockNumber: h.Block.Number, BlockTime: market.TimeOf(h.Block.Time),
		TokenAddress: d.Token.Hex(), TokenSymbol: h.Token.Symbol, EscrowAddress: d.Escrow.Hex(), StakingAddress: d.Staking.Hex(),
		TreasuryAddress: d.Treasury.Hex(), DistributorAddress: ifSet(d.Distributor), Balance: h.Balance.String(), GasBalance: h.Gas.String(),
		Tasks: []taskOutput{}, Applications: []stakeOutput{}, Credits: []creditOutput{},
	}
	for _, t := range h.Tasks {
		output.Tasks = append(output.Tasks, showTask(t))
	}
	for _, s := range h.Stakes {
		output.Applications = append(output.Applications, stakeOutput{
			strconv.FormatUint(s.ID, 10), strconv.FormatUint(s.TaskID, 10), s.Role, s.Application, s.Status, s.Amount.String(),
			s.Human.Hex(), market.TimeOf(s.ExpiresAt), showExits(s.Exits),
		})
	}
	for _, c := range h.Credits {
		output.Credits = append(output.Credits, creditOutput{c.Contract.Hex(), c.Amount.String(), showExits(c.Exits)})
	}
	if h.Reward != nil {
		output.Rewards = &rewardOutput{h.Reward.Claimed.String(), h.Reward.Budget.String()}
	}
	return output
}

func showTask(t rescue.Task) taskOutput {
	output := taskOutput{
		EscrowTaskID: strconv.FormatUint(t.ID, 10), Role: t.Role, Status: string(t.Status), EscrowAmount: t.Amount.String(),
		LockedAmount: t.Locked().String(), FeeBasisPoints: t.FeeBasisPoints, AgentWallet: t.Agent.Hex(), HumanWallet: ifSet(t.Human),
		AgentApproved: t.AgentApproved, FundedAt: ifKnown(t.PostedAt), SubmittedAt: ifKnown(t.SubmittedAt),
		DisputeDeadline: ifKnown(t.DisputeDeadline()), EndedAt: ifKnown(t.EndedAt), PaidAmount: ifPaid(t.Paid), RefundAmount: ifPaid(t.Refund),
		Exits: showExits(t.Exits), IfNobodyActsTurns: []transitionOutput{},
	}
	if t.WorkHash != (common.Hash{}) {
		output.WorkHash = t.WorkHash.Hex()
	}
	if t.EndTx != (common.Hash{}) {
		output.EndTxHash = t.EndTx.Hex()
	}
	for _, transition := range t.Transitions {
		payments := []paymentOutput{}
		for _, p := range transition.Payments {
			payments = append(payments, paymentOutput{p.To, p.Kind, p.Amount.String()})
		}
		output.IfNobodyActsTurns = append(output.IfNobodyActsTurns, transitionOutput{market.TimeOf(transition.At), transition.Status, payments})
	}
	return output
}

func showExits(exits []rescue.Exit) []exitOutput {
	output := []exitOutput{}
	for _, e := range exits {
		s := exitOutput{Exit: e.Name, OpensAt: ifKnown(e.Opens), Deadline: ifKnown(e.Closes), Needs: e.Needs}
		if e.ID != 0 {
			s.ID = strconv.FormatUint(e.ID, 10)
		}
		output = append(output, s)
	}
	return output
}

func ifSet(a common.Address) string {
	if a == (common.Address{}) {
		return ""
	}
	return a.Hex()
}

func ifKnown(t time.Time) *market.Time {
	if t.IsZero() {
		return nil
	}
	return new(market.TimeOf(t))
}

func ifPaid(amount *big.Int) string {
	if amount == nil {
		return ""
	}
	return amount.String()
}

// printHoldings prints the holdings as text, with the command for each exit.
func (o *rescueOptions) printHoldings(h *rescue.Holdings) error {
	symbol := h.Token.Symbol
	fields := []cli.Field{
		{"Wallet", h.Wallet.Hex()},
		{"Chain", fmt.Sprintf("%d, block %d, %s", h.Deployment.ChainID, h.Block.Number, cli.FormatTime(market.TimeOf(h.Block.Time)))},
		{"Escrow", h.Deployment.Escrow.Hex()},
		{"Balance", market.FormatAmount(h.Balance, symbol)},
		{"For gas", market.FormatAmount(h.Gas, market.ChainCoin)},
	}
	for _, c := range h.Credits {
		fields = append(fields, cli.Field{"Credit", market.FormatAmount(c.Amount, symbol)})
	}
	if h.Reward != nil {
		fields = append(fields, cli.Field{"Rewards paid", market.FormatAmount(h.Reward.Claimed, symbol)})
	}
	if err := o.PrintFields(fields...); err != nil {
		return err
	}
	tasks, stakes, exits, ended := o.rows(h)
	for _, table := range []struct {
		heading []string
		rows    [][]string
	}{
		{[]string{"TASK", "YOU ARE", "STATUS", "LOCKED", "IF NO ONE ACTS"}, tasks},
		{[]string{"APPLICATION", "TASK", "YOU ARE", "STATUS", "STAKE", "EXPIRES"}, stakes},
		{[]string{"EXIT", "WHEN"}, exits},
	} {
		if len(table.rows) == 0 {
			continue
		}
		if err := o.Write([]byte("\n")); err != nil {
			return err
		}
		if err := o.PrintTable(table.heading, table.rows); err != nil {
			return err
		}
	}
	if len(exits) == 0 {
		o.Note("this wallet has no money in the contracts")
	}
	if ended > 0 {
		o.Note("ended records not shown: %d; --all shows them", ended)
	}
	return nil
}

// rows returns the rows of the tables for printHoldings. ended is the number of omitted records
// that have ended.
func (o *rescueOptions) rows(h *rescue.Holdings) (tasks, stakes, exits [][]string, ended int) {
	symbol := h.Token.Symbol
	for _, t := range h.Tasks {
		if t.EscrowTask.Status.Ended() && !o.all {
			ended++
			continue
		}
		tasks = append(tasks, []string{
			strconv.FormatUint(t.ID, 10), string(t.Role), string(t.Status), market.FormatAmount(t.Locked(), symbol), taskOutcome(t, symbol),
		})
		exits = append(exits, exitRows(t.Exits)...)
	}
	for _, s := range h.Stakes {
		locked := s.Status == market.StakeLive || s.Status == market.StakeActivated
		if !locked && !o.all {
			ended++
			continue
		}
		stakes = append(stakes, []string{
			strconv.FormatUint(s.ID, 10), strconv.FormatUint(s.TaskID, 10), string(s.Role), string(s.Application),
			market.FormatAmount(s.Amount, symbol), cli.FormatTime(market.TimeOf(s.ExpiresAt)),
		})
		exits = append(exits, exitRows(s.Exits)...)
	}
	for _, c := range h.Credits {
		exits = append(exits, exitRows(c.Exits)...)
	}
	return tasks, stakes, exits, ended
}

func exitRows(exits []rescue.Exit) [][]string {
	var rows [][]string
	for _, e := range exits {
		words := []string{"taskmarket rescue", e.Name}
		if e.ID != 0 {
			words = append(words, strconv.FormatUint(e.ID, 10))
		}
		switch e.Needs {
		case rescue.NeedWorkHash:
			words = append(words, "--work-hash HASH")
		case rescue.NeedSignatures:
			words = append(words, "--signature FILE …")
		case rescue.NeedNothing:
		}
		rows = append(rows, []string{strings.Join(words, " "), opening(e)})
	}
	return rows
}

// opening describes when the exit is possible.
func opening(e rescue.Exit) string {
	switch {
	case e.Opens.IsZero() && e.Closes.IsZero():
		return "now"
	case e.Opens.IsZero():
		return "until " + cli.FormatTime(market.TimeOf(e.Closes))
	case e.Closes.IsZero():
		return "from " + cli.FormatTime(market.TimeOf(e.Opens))
	default:
		return "from " + cli.FormatTime(market.TimeOf(e.Opens)) + " to " + cli.FormatTime(market.TimeOf(e.Closes))
	}
}

// taskOutcome describes what happens to a task if neither party acts.
func taskOutcome(t rescue.Task, symbol string) string {
	if t.EscrowTask.Status.Ended() {
		return "ended"
	}
	for _, transition := range t.Transitions {
		for _, p := range transition.Payments {
			if p.Kind == market.PaymentPayout {
				return fmt.Sprintf("%s to the human, from %s", market.FormatAmount(p.Amount, symbol), cli.FormatTime(market.TimeOf(transition.At)))
			}
		}
	}
	return "stays locked"
}
