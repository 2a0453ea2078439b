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

// shownHoldings contains what a wallet has in the contracts. Its members have the same names as in
// the API.
type shownHoldings struct {
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
	Tasks              []shownHolding `json:"tasks"`
	Applications       []shownStake   `json:"applications"`
	Credits            []shownCredit  `json:"credits"`
	Rewards            *shownReward   `json:"rewards,omitempty"`
}

type shownHolding struct {
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
	Exits             []shownExit        `json:"exits"`
	IfNobodyActsTurns []shownTransitions `json:"if_nobody_acts"`
}

type shownTransitions struct {
	At       market.Time    `json:"at"`
	Status   market.Status  `json:"status"`
	Payments []shownPayment `json:"payments"`
}

type shownPayment struct {
	To     market.Payee       `json:"to"`
	Kind   market.PaymentKind `json:"kind"`
	Amount string             `json:"amount"`
}

type shownStake struct {
	ApplicationID string                   `json:"onchain_application_id"`
	EscrowTaskID  string                   `json:"escrow_task_id"`
	Role          market.Role              `json:"role"`
	Status        market.ApplicationStatus `json:"status"`
	Stake         market.StakeStatus       `json:"stake_status"`
	StakeAmount   string                   `json:"stake_amount"`
	HumanWallet   string                   `json:"human_wallet_address"`
	ExpiresAt     market.Time              `json:"expires_at"`
	Exits         []shownExit              `json:"exits"`
}

type shownCredit struct {
	ContractAddress string      `json:"contract_address"`
	Amount          string      `json:"amount"`
	Exits           []shownExit `json:"exits"`
}

type shownReward struct {
	Claimed string `json:"claimed"`
	Budget  string `json:"budget"`
}

type shownExit struct {
	Exit     string       `json:"exit"`
	ID       string       `json:"id,omitempty"`
	OpensAt  *market.Time `json:"opens_at,omitempty"`
	Deadline *market.Time `json:"deadline,omitempty"`
	Needs    rescue.Need  `json:"needs,omitempty"`
}

func showHoldings(h *rescue.Holdings) shownHoldings {
	d := h.Deployment
	shown := shownHoldings{
		WalletAddress: h.Wallet.Hex(), ChainID: d.ChainID, BlockNumber: h.Block.Number, BlockTime: market.TimeOf(h.Block.Time),
		TokenAddress: d.Token.Hex(), TokenSymbol: h.Token.Symbol, EscrowAddress: d.Escrow.Hex(), StakingAddress: d.Staking.Hex(),
		TreasuryAddress: d.Treasury.Hex(), DistributorAddress: ifSet(d.Distributor), Balance: h.Balance.String(), GasBalance: h.Gas.String(),
		Tasks: []shownHolding{}, Applications: []shownStake{}, Credits: []shownCredit{},
	}
	for _, t := range h.Tasks {
		shown.Tasks = append(shown.Tasks, showTask(t))
	}
	for _, s := range h.Stakes {
		shown.Applications = append(shown.Applications, shownStake{
			strconv.FormatUint(s.ID, 10), strconv.FormatUint(s.TaskID, 10), s.Role, s.Application, s.Status, s.Amount.String(),
			s.Human.Hex(), market.TimeOf(s.ExpiresAt), showExits(s.Exits),
		})
	}
	for _, c := range h.Credits {
		shown.Credits = append(shown.Credits, shownCredit{c.Contract.Hex(), c.Amount.String(), showExits(c.Exits)})
	}
	if h.Reward != nil {
		shown.Rewards = &shownReward{h.Reward.Claimed.String(), h.Reward.Budget.String()}
	}
	return shown
}

func showTask(t rescue.Task) shownHolding {
	shown := shownHolding{
		EscrowTaskID: strconv.FormatUint(t.ID, 10), Role: t.Role, Status: string(t.Status), EscrowAmount: t.Amount.String(),
		LockedAmount: t.Locked().String(), FeeBasisPoints: t.FeeBasisPoints, AgentWallet: t.Agent.Hex(), HumanWallet: ifSet(t.Human),
		AgentApproved: t.AgentApproved, FundedAt: ifKnown(t.PostedAt), SubmittedAt: ifKnown(t.SubmittedAt),
		DisputeDeadline: ifKnown(t.DisputeDeadline()), EndedAt: ifKnown(t.EndedAt), PaidAmount: ifPaid(t.Paid), RefundAmount: ifPaid(t.Refund),
		Exits: showExits(t.Exits), IfNobodyActsTurns: []shownTransitions{},
	}
	if t.WorkHash != (common.Hash{}) {
		shown.WorkHash = t.WorkHash.Hex()
	}
	if t.EndTx != (common.Hash{}) {
		shown.EndTxHash = t.EndTx.Hex()
	}
	for _, transition := range t.Transitions {
		payments := []shownPayment{}
		for _, p := range transition.Payments {
			payments = append(payments, shownPayment{p.To, p.Kind, p.Amount.String()})
		}
		shown.IfNobodyActsTurns = append(shown.IfNobodyActsTurns, shownTransitions{market.TimeOf(transition.At), transition.Status, payments})
	}
	return shown
}

func showExits(exits []rescue.Exit) []shownExit {
	shown := []shownExit{}
	for _, e := range exits {
		s := shownExit{Exit: e.Name, OpensAt: ifKnown(e.Opens), Deadline: ifKnown(e.Closes), Needs: e.Needs}
		if e.ID != 0 {
			s.ID = strconv.FormatUint(e.ID, 10)
		}
		shown = append(shown, s)
	}
	return shown
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
