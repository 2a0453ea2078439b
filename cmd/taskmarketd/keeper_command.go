package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/spf13/cobra"

	"taskmarket/chain/send"
	"taskmarket/client/visible"
	"taskmarket/market"
	"taskmarket/server/operate"
	"taskmarket/store/outbox"
)

const (
	requestWait = time.Minute
	requestPoll = 500 * time.Millisecond

	// maxListedNonces limits how many nonces are checked for a recorded transaction. If there are more,
	// the node's answer is wrong or another program uses the keeper's key.
	maxListedNonces = 1000
)

// States of a transaction or a nonce on the chain.
const (
	txMined    = "mined"    // but the watcher has not followed the block yet
	txFailed   = "failed"   // mined, and reverted
	txReplaced = "replaced" // another transaction used the nonce
	txPending  = "pending"  // the provider in use has it
	txDropped  = "dropped"  // the provider in use does not have it; the keeper sends it again
	txWaiting  = "waiting"  // not sent yet
	txMissing  = "missing"  // no transaction has the nonce
	txForeign  = "foreign"  // another program sent a transaction with the nonce
)

func keeperCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "keeper",
		Short: "List, resend or cancel the keeper's transactions",
		Long: "List, resend or cancel the keeper's transactions. The commands need the environment of `serve`.\n" +
			"They send nothing themselves: the running keeper performs the requests, because it alone uses the\n" +
			"nonces of its account.",
	}
	command.AddCommand(keeperListCommand(), keeperRequestCommand(resendRequest), keeperRequestCommand(cancelRequest))
	return command
}

func keeperListCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "list",
		Short: "List the keeper's open transactions, the nonces that block them, and the jobs that do not advance",
		Args:  cobra.NoArgs,
		RunE: offline(func(ctx context.Context, s *service, out io.Writer) error {
			entries, err := s.keeperEntries(ctx)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(out, entries)
			}
			return printEntries(out, entries)
		}),
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

func writeJSON(out io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err == nil {
		_, err = out.Write(append(visible.JSON(text), '\n'))
	}
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}

func printEntries(out io.Writer, entries []operate.Transaction) error {
	if len(entries) == 0 {
		_, err := fmt.Fprintln(out, "no open transactions, and no job with an error")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NONCE\tSTATE\tPURPOSE\tAGE\tMAX FEE\tREPLACED\tACCOUNT\tTRANSACTION\tERROR")
	for _, e := range entries {
		nonce, account, fee, hash := "", "", "", ""
		if e.Nonce != nil {
			nonce, account = strconv.FormatUint(*e.Nonce, 10), e.Account.Hex()
		}
		if e.MaxFee != nil {
			fee = e.MaxFee.String() + " wei"
		}
		if e.Hash != nil {
			hash = e.Hash.Hex()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n",
			nonce, e.State, e.Purpose, time.Duration(e.AgeSeconds)*time.Second, fee, e.Replacements, account, hash, visible.Line(e.Error))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the transactions: %w", err)
	}
	return nil
}

// keeperEntries returns the nonces of the current account that no recorded transaction has, the open
// transactions of all accounts, and the jobs that do not advance.
func (s *service) keeperEntries(ctx context.Context) ([]operate.Transaction, error) {
	transactions, err := s.store.Outbox.KeeperTransactions(ctx)
	if err != nil {
		return nil, err
	}
	sender := send.NewSender(s.node, nil)
	entries, err := s.keeperGaps(ctx, sender, transactions)
	if err != nil {
		return nil, err
	}
	for _, tx := range transactions {
		entry, err := entryOf(ctx, sender, tx)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// keeperGaps returns the nonces below the highest known transaction of the current account that no
// recorded transaction has. listGaps limits their number.
func (s *service) keeperGaps(ctx context.Context, sender *send.Sender, transactions []outbox.KeeperTransaction) ([]operate.Transaction, error) {
	account, err := s.keeperAccount(ctx)
	if err != nil || account == (common.Address{}) {
		return []operate.Transaction{}, err
	}
	used, err := sender.UsedNoncesOf(ctx, account)
	if err != nil {
		return nil, err
	}
	next, err := sender.NextNonceOf(ctx, account)
	if err != nil {
		return nil, err
	}
	end, recorded := next, make(map[uint64]bool)
	for _, tx := range transactions {
		if tx.Job.RawTx != nil && tx.Job.Sender == account {
			end, recorded[tx.Job.Nonce] = max(end, tx.Job.Nonce), true
		}
	}
	return listGaps(account, used, next, end, recorded), nil
}

// listGaps returns the nonces n with used <= n < end that are not recorded. A nonce below next is
// foreign, any other is missing. Only maxListedNonces nonces are checked; one more entry counts the
// unrecorded nonces among the rest.
func listGaps(account common.Address, used, next, end uint64, recorded map[uint64]bool) []operate.Transaction {
	gaps := []operate.Transaction{}
	add := func(nonce uint64, note string) {
		state := txMissing
		if nonce < next {
			state = txForeign
		}
		gaps = append(gaps, operate.Transaction{Nonce: &nonce, State: state, Account: account, Error: note})
	}
	nonce := used
	for ; nonce < end && nonce-used < maxListedNonces; nonce++ {
		if !recorded[nonce] {
			add(nonce, "")
		}
	}
	if nonce >= end {
		return gaps
	}
	left := end - nonce
	for n := range recorded {
		if n >= nonce && n < end {
			left--
		}
	}
	if left > 0 {
		for recorded[nonce] {
			nonce++
		}
		note := ""
		if left > 1 {
			note = fmt.Sprintf("and %d more nonces up to %d; compare the account's nonces with another node's", left-1, end-1)
		}
		add(nonce, note)
	}
	return gaps
}

// keeperAccount returns the account of the last keeper; the zero address if none has run.
func (s *service) keeperAccount(ctx context.Context) (common.Address, error) {
	state, err := s.store.Operators.Operations(ctx)
	if market.KindOf(err) == market.KindNotFound {
		return common.Address{}, nil
	}
	return state.KeeperAccount, err
}

func entryOf(ctx context.Context, sender *send.Sender, tx outbox.KeeperTransaction) (operate.Transaction, error) {
	job := tx.Job
	entry := operate.Transaction{
		State: txWaiting, Purpose: job.String(), TaskID: job.TaskID, AgeSeconds: int64(tx.Age.Seconds()),
		Replacements: tx.Replacements, Error: job.Error,
	}
	if job.RawTx == nil && job.Kind == market.OutboxCancel {
		entry.Nonce, entry.Account = &job.Cancels.Nonce, job.Cancels.Account
	}
	if job.RawTx == nil {
		return entry, nil
	}
	entry.Nonce, entry.Account = &job.Nonce, job.Sender
	hash := common.BytesToHash(job.TxHash)
	entry.Hash = &hash
	var signed types.Transaction
	if err := signed.UnmarshalBinary(job.RawTx); err != nil {
		return entry, fmt.Errorf("decode transaction %s: %w", hash, err)
	}
	entry.MaxFee, entry.MaxTip = signed.GasFeeCap(), signed.GasTipCap()
	var err error
	entry.State, err = stateOf(ctx, sender, job)
	return entry, err
}

// stateOf returns the state of the job's transaction on the chain. It reads the used nonces before the
// receipt: if the nonce is used and there is no receipt, another transaction used the nonce.
func stateOf(ctx context.Context, sender *send.Sender, job market.Job) (string, error) {
	hash := common.BytesToHash(job.TxHash)
	used, err := sender.UsedNoncesOf(ctx, job.Sender)
	if err != nil {
		return "", err
	}
	receipt, err := sender.Receipt(ctx, hash)
	switch {
	case err != nil:
		return "", err
	case receipt != nil && receipt.Status == types.ReceiptStatusSuccessful:
		return txMined, nil
	case receipt != nil:
		return txFailed, nil
	case used > job.Nonce:
		return txReplaced, nil
	}
	exists, err := sender.Known(ctx, hash)
	if exists {
		return txPending, err
	}
	return txDropped, err
}

// keeperRequest is a request that the running keeper performs.
type keeperRequest struct {
	name, short, long string
	question          string // format for the nonce and the account
	store             func(context.Context, *service, market.AccountNonce) (int64, error)
}

var (
	resendRequest = keeperRequest{
		name: "resend", short: "Send a transaction again, with fees that are at least 12.5% higher",
		long: "Send a transaction again with the same nonce and fees that are at least 12.5% higher, within the\n" +
			"limits KEEPER_MAX_FEE and KEEPER_DAILY_LIMIT. Only one of the two transactions can be mined.",
		question: "Send the transaction with nonce %d of %s again, with higher fees?",
		store: func(ctx context.Context, s *service, n market.AccountNonce) (int64, error) {
			return s.store.Outbox.RequestResend(ctx, n)
		},
	}
	cancelRequest = keeperRequest{
		name: "cancel", short: "Replace a transaction with an empty transfer, or fill a missing nonce",
		long: "Replace a transaction with an empty transfer from the account to itself, with the same nonce and higher\n" +
			"fees, or fill a nonce that no transaction has. If the transfer is mined and a job used this nonce, the\n" +
			"keeper sends that job's transaction again with another nonce.",
		question: "Use nonce %d of %s for an empty transfer?",
		store: func(ctx context.Context, s *service, n market.AccountNonce) (int64, error) {
			return s.store.Outbox.RequestCancel(ctx, n)
		},
	}
)

func keeperRequestCommand(r keeperRequest) *cobra.Command {
	var yes, asJSON bool
	command := &cobra.Command{
		Use:   r.name + " NONCE",
		Short: r.short,
		Long:  r.long,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			nonce, err := strconv.ParseUint(args[0], 10, 63)
			if err != nil {
				return fmt.Errorf("%q is not a nonce; see `taskmarketd keeper list`", args[0])
			}
			return offline(func(ctx context.Context, s *service, out io.Writer) error {
				n, err := s.keeperNonce(ctx, nonce)
				if err != nil {
					return err
				}
				if !yes && !confirmed(cmd, fmt.Sprintf(r.question, n.Nonce, n.Account)) {
					return errNotConfirmed
				}
				return s.request(ctx, r, n, asJSON, out)
			})(cmd, nil)
		},
	}
	command.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

// errNotConfirmed is returned if the operator did not answer yes, or no terminal could be asked.
var errNotConfirmed = errors.New("not confirmed; nothing was done: answer yes, or use --yes")

// confirmed asks the question and reports whether the answer is yes.
func confirmed(cmd *cobra.Command, question string) bool {
	fmt.Fprint(cmd.ErrOrStderr(), visible.Line(question)+" [y/N] ")
	reply, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	return strings.EqualFold(strings.TrimSpace(reply), "y") || strings.EqualFold(strings.TrimSpace(reply), "yes")
}

var errNoKeeper = errors.New("no keeper is running, and only a running keeper can send transactions: start a server with " +
	prefix + "KEEPER_PRIVATE_KEY or " + prefix + "KEEPER_SIGNER_URL")

// keeperNonce returns the nonce with the account of the running keeper. It returns errNoKeeper if no
// keeper is running.
func (s *service) keeperNonce(ctx context.Context, nonce uint64) (market.AccountNonce, error) {
	state, err := s.store.Operators.Operations(ctx)
	if err != nil && market.KindOf(err) != market.KindNotFound {
		return market.AccountNonce{}, err
	}
	if state.Keeper.Left <= 0 {
		return market.AccountNonce{}, errNoKeeper
	}
	return market.AccountNonce{Account: state.KeeperAccount, Nonce: nonce}, nil
}

// request stores the request and waits until the keeper has sent the transaction or rejected the
// request. It returns an error after requestWait, but the request stays open.
func (s *service) request(ctx context.Context, r keeperRequest, n market.AccountNonce, asJSON bool, out io.Writer) error {
	id, err := r.store(ctx, s, n)
	if market.KindOf(err) == market.KindNotFound {
		return fmt.Errorf("no open job has a transaction with nonce %d of %s; see `taskmarketd keeper list`", n.Nonce, n.Account)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestWait)
	defer cancel()
	for {
		entry, done, err := s.requested(ctx, id)
		if err != nil {
			return err
		}
		if done && asJSON {
			return writeJSON(out, entry)
		}
		if done {
			_, err := fmt.Fprintf(out, "sent transaction %s with nonce %d, at most %s wei per unit of gas\n", entry.Hash, n.Nonce, entry.MaxFee)
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the keeper has not performed the request after %s; the request stays open: see `taskmarketd keeper list` and the keeper's log", requestWait)
		case <-time.After(requestPoll):
		}
	}
}

// requested returns the job's transaction once the keeper has performed the request, or an error
// with the keeper's reason if it rejected the request.
func (s *service) requested(ctx context.Context, id int64) (operate.Transaction, bool, error) {
	transactions, err := s.store.Outbox.KeeperTransactions(ctx)
	if err != nil {
		return operate.Transaction{}, false, err
	}
	for _, tx := range transactions {
		switch {
		case tx.Job.ID != id:
		case tx.Job.Resend, tx.Job.RawTx == nil && tx.Job.Error == "":
			return operate.Transaction{}, false, nil
		case tx.Job.RawTx == nil:
			return operate.Transaction{}, false, fmt.Errorf("the keeper has not sent the transaction yet, and will retry: %s", visible.Line(tx.Job.Error))
		case tx.Job.Error != "":
			return operate.Transaction{}, false, fmt.Errorf("the keeper did not perform the request: %s", visible.Line(tx.Job.Error))
		default:
			entry, err := entryOf(ctx, send.NewSender(s.node, nil), tx)
			return entry, err == nil, err
		}
	}
	state, reason, err := s.store.Outbox.KeeperJobOutcome(ctx, id)
	switch {
	case err != nil:
		return operate.Transaction{}, false, err
	case state == "failed":
		return operate.Transaction{}, false, fmt.Errorf("the keeper rejected the request: %s", visible.Line(reason))
	}
	return operate.Transaction{}, false, errors.New("a transaction with this nonce has already been mined; it may be the one that you requested")
}
