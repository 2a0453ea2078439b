package spend

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

const (
	// longestSignatureFile is the maximum size of the file for --signature, in bytes. It leaves
	// room for other output of the wallet in addition to the signature.
	longestSignatureFile = 64 << 10
	signatureBytes       = 65
	// minedTimeout is how long --tx-hash waits for the transaction to be mined.
	minedTimeout = 3 * time.Minute
)

// prepareUnsigned prints the data that an external wallet must sign and send. Before that, it
// performs all steps that require no private key. For example, the API records the task or the
// reason, because the transaction contains its hash.
func (s *Command) prepareUnsigned(ctx context.Context, begin Begin) error {
	carried, err := s.readSignature()
	if err != nil {
		return err
	}
	agent, wallet, err := s.offline(ctx, carried)
	if err != nil {
		return err
	}
	defer agent.Close()
	plan, err := planOf(ctx, agent, begin)
	if err != nil {
		return err
	}
	outcome, err := agent.Execute(ctx, plan)
	switch {
	case err == nil:
		s.Note("already done; nothing to sign")
		s.JSON = true
		return s.deliver(ctx, agent, plan.Key, outcome)
	case errors.Is(err, signer.ErrOtherData) && errors.Is(err, client.ErrPermitExpired):
		return &cli.ExitError{Code: cli.ExitChain, Err: err, Hint: "run the command with --unsigned and without --signature, and sign the new typed data before its deadline"}
	case errors.Is(err, signer.ErrOtherData):
		return &cli.ExitError{Code: cli.ExitChain, Err: err, Hint: "run the command with --unsigned and without --signature, and sign the typed data that it prints"}
	case !errors.Is(err, signer.ErrNoKey):
		return err
	}
	if plan, err = agent.Plan(ctx, plan.Request); err != nil { // now with the API's record
		return err
	}
	if tx := wallet.Asked(); tx != nil {
		plan.Signature = nil // the transaction already contains the signature
		plan.Transaction = &client.PlannedTransaction{
			To: *tx.To(), Data: tx.Data(), Gas: tx.Gas(), Tip: tx.GasTipCap(), MaxFee: tx.GasFeeCap(),
		}
	}
	if err := s.PrintJSON(plan); err != nil {
		return err
	}
	if plan.Signature != nil {
		s.Note("Sign typed_data (EIP-712) with wallet %s, put the signature into a file, and run the same command with --signature FILE%s.", plan.Wallet, before(plan))
		return nil
	}
	s.Note("Have wallet %s sign and send this transaction%s, and run the same command with --tx-hash HASH instead of --unsigned.", plan.Wallet, before(plan))
	return nil
}

// before states until when the plan's permit is valid. It returns "" for a plan without a permit.
func before(p client.Plan) string {
	if p.Deadline == nil {
		return ""
	}
	return " before " + market.FormatTime(*p.Deadline)
}

// offline returns a client for a wallet whose private key is on another machine.
func (s *Command) offline(ctx context.Context, carried []byte) (*client.Client, *signer.Offline, error) {
	o, err := s.NodeOptions()
	if err != nil {
		return nil, nil, err
	}
	address, err := s.address(ctx)
	if err != nil {
		return nil, nil, err
	}
	wallet := signer.NewOffline(address, carried)
	o.Signer = wallet
	if o.Flows, err = s.Flows(address); err != nil {
		return nil, nil, err
	}
	s.Journal = o.Flows
	agent, err := cli.NewClient(o)
	return agent, wallet, err
}

// address returns the address of the sending wallet: the value of --wallet, the configured wallet,
// or the wallet in the agent's record.
func (s *Command) address(ctx context.Context) (common.Address, error) {
	all, err := s.Settings()
	if err != nil {
		return common.Address{}, err
	}
	text := s.wallet
	if text == "" {
		text = all.Text(cli.SettingWalletAddress)
	}
	if text == "" {
		agent, err := s.AgentClient()
		if err != nil {
			return common.Address{}, err
		}
		defer agent.Close()
		me, err := agent.Me(ctx)
		if err != nil {
			return common.Address{}, err
		}
		text = me.WalletAddress
	}
	address, err := market.ParseAddress("wallet", text)
	if err != nil {
		return common.Address{}, cli.UsageError("wallet %q: %s", text, cli.AddressFault("wallet", err))
	}
	return address, nil
}

// readSignature reads the file named by --signature. It returns nil if the flag is not set.
func (s *Command) readSignature() ([]byte, error) {
	if s.signature == "" {
		return nil, nil
	}
	from := s.In
	if s.signature != cli.Stdin {
		file, err := os.Open(s.signature)
		if err != nil {
			return nil, cli.UsageError("--signature: %v", err)
		}
		defer file.Close()
		from = file
	}
	raw, err := io.ReadAll(io.LimitReader(from, longestSignatureFile))
	if err != nil {
		return nil, cli.Fail(cli.ExitUsage, "read --signature: %w", err)
	}
	text, err := market.FileText(raw)
	if err != nil {
		return nil, cli.UsageError("--signature: %w", err)
	}
	return parseSignature(text)
}

// parseSignature parses a signature of 65 bytes in hexadecimal, bare or as a JSON string.
func parseSignature(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	var quoted string
	if json.Unmarshal([]byte(text), &quoted) == nil {
		text = quoted
	}
	signature, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(signature) != signatureBytes {
		return nil, cli.UsageError("--signature: no signature found: expected 0x followed by 130 hexadecimal digits")
	}
	return signature, nil
}

// finishExternal waits until the transaction that an external wallet sent is mined, and then
// finishes the operation.
func (s *Command) finishExternal(ctx context.Context, begin Begin) error {
	raw, err := hex.DecodeString(strings.TrimPrefix(s.txHash, "0x"))
	if err != nil || len(raw) != common.HashLength {
		return cli.UsageError("--tx-hash %q: must be 0x followed by 64 hexadecimal digits", s.txHash)
	}
	sent := common.Hash(raw)
	agent, wallet, err := s.offline(ctx, nil)
	if err != nil {
		return err
	}
	defer agent.Close()
	request, err := begin(ctx, agent)
	if err != nil {
		return err
	}
	if err := s.awaitMined(ctx, wallet, sent); err != nil {
		return err
	}
	err = agent.Confirm(ctx, request, sent)
	if errors.Is(err, client.ErrEnded) {
		return cli.Fail(cli.ExitUsage, "no operation that was prepared with --unsigned matches these arguments").WithHint("use the same arguments as in the command with --unsigned, including --key")
	}
	if err != nil {
		return err
	}
	plan, err := agent.Plan(ctx, request)
	if err == nil && !plan.Done && !plan.Resumes {
		return cli.Fail(cli.ExitChain, "transaction %s was mined, but it did not perform this action", sent).
			WithHint("check that --tx-hash is the hash of this command's transaction")
	}
	if err != nil {
		return err
	}
	return s.execute(ctx, agent, plan)
}

// awaitMined waits until the transaction is mined. It returns an error if the transaction reverted.
func (s *Command) awaitMined(ctx context.Context, wallet chain.Signer, hash common.Hash) error {
	all, err := s.Settings()
	if err != nil {
		return err
	}
	if _, err := client.CheckNodeURL(all.Text(cli.SettingRPCURL), all.InsecureNode()); err != nil {
		return err
	}
	s.Progress("waiting for transaction %s", hash)
	waiting, cancel := context.WithTimeout(ctx, minedTimeout)
	defer cancel()
	node, err := rpc.Dial(waiting, []string{all.Text(cli.SettingRPCURL)}, 0, all.NodeOptions())
	if err != nil {
		return err
	}
	defer node.Close()
	receipt, err := send.NewSender(node, wallet).Wait(waiting, hash)
	switch {
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return cli.Fail(cli.ExitLater, "transaction %s was not seen in a block within %s", hash, minedTimeout).
			WithHint("if it has not been sent yet, send it; then run the same command again to continue waiting")
	case err != nil:
		return err
	case receipt.Status != types.ReceiptStatusSuccessful:
		return cli.Fail(cli.ExitChain, "transaction %s was mined but reverted: it cost gas and had no other effect", hash).
			WithHint("run the command with --unsigned to prepare a new transaction")
	}
	return nil
}
