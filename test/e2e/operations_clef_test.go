//go:build operations

package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/client/signer"
	"taskmarket/market"
	"taskmarket/test/process"
)

const clefPassword = "password-of-the-keeper"

// clefUI is a user interface for Clef that confirms every request. Clef calls the methods of clefUI
// over its own standard input and output.
type clefUI struct{}

// ApproveListing grants access to all accounts.
func (clefUI) ApproveListing(request struct {
	Accounts json.RawMessage `json:"accounts"`
},
) map[string]any {
	return map[string]any{"accounts": request.Accounts}
}

// ApproveTx confirms a transaction without changes.
func (clefUI) ApproveTx(request struct {
	Transaction json.RawMessage `json:"transaction"`
},
) map[string]any {
	return map[string]any{"transaction": request.Transaction, "approved": true}
}

// ApproveSignData confirms a message.
func (clefUI) ApproveSignData(json.RawMessage) map[string]any {
	return map[string]any{"approved": true}
}

// OnInputRequired enters the account's password.
func (clefUI) OnInputRequired(json.RawMessage) map[string]any {
	return map[string]any{"text": clefPassword}
}

// pipes combines the standard output and input of a process into one connection.
type pipes struct {
	io.ReadCloser
	in *os.File
}

func (p pipes) Write(data []byte) (int, error) { return p.in.Write(data) }

func (p pipes) SetWriteDeadline(at time.Time) error { return p.in.SetWriteDeadline(at) }

func (p pipes) Close() error {
	_ = p.in.Close()
	return p.ReadCloser.Close()
}

// startClef starts Clef with the keeper's key and returns its URL.
func startClef(w *world) string {
	w.t.Helper()
	root, err := process.ModuleRoot()
	w.must(err)
	dir := w.t.TempDir()
	store := keystore.NewKeyStore(filepath.Join(dir, "keys"), keystore.LightScryptN, keystore.LightScryptP)
	_, err = store.ImportECDSA(w.net.Dev.Accounts()[keeperAccount].Key, clefPassword)
	w.must(err)
	port := freePort(w.t)
	clef := exec.CommandContext(w.ctx, filepath.Join(root, ".dev", "clef", "clef"), "--stdio-ui", "--suppress-bootwarn", "--nousb",
		"--lightkdf", "--configdir", filepath.Join(dir, "settings"), "--keystore", filepath.Join(dir, "keys"), "--auditlog", "",
		"--chainid", strconv.FormatUint(w.net.Deployment.ChainID, 10), "--ipcdisable", "--http", "--http.port", strconv.Itoa(port))
	// Not StdinPipe: its result has no deadlines.
	theirs, in, err := os.Pipe()
	w.must(err)
	clef.Stdin = theirs
	out, err := clef.StdoutPipe()
	w.must(err)
	log, err := os.Create(filepath.Join(dir, "log"))
	w.must(err)
	clef.Stderr = log
	w.must(clef.Start())
	w.must(theirs.Close())
	ui := rpc.NewServer()
	w.must(ui.RegisterName("ui", clefUI{}))
	go ui.ServeCodec(rpc.NewCodec(pipes{out, in}), 0)
	w.t.Cleanup(func() {
		_ = clef.Process.Kill()
		_ = clef.Wait()
		ui.Stop()
		_ = log.Close()
		if raw, err := os.ReadFile(log.Name()); err == nil && w.t.Failed() {
			w.t.Logf("log of Clef: %s", raw)
		}
	})
	return "http://" + address(port)
}

// TestOperationsClef: the keeper's key is in Clef. The keeper settles a task with it, and a client
// signs messages and typed data.
func TestOperationsClef(t *testing.T) {
	w := newWorld(t)
	defer w.end()
	url := startClef(w)
	var external *signer.External
	for {
		var err error
		if external, err = signer.OpenExternal(w.ctx, url, common.Address{}); err == nil {
			break
		}
		w.pause("wait for Clef: " + err.Error())
	}
	t.Cleanup(external.Close)
	if external.Address() != w.net.Keeper.Address() {
		t.Errorf("Address() = %s, want %s", external.Address(), w.net.Keeper.Address())
	}
	for name, sign := range map[string]func(chain.Signer) ([]byte, error){
		"message": func(s chain.Signer) ([]byte, error) { return s.SignMessage(w.ctx, "Sign in\nnonce: 17") },
		"typed data": func(s chain.Signer) ([]byte, error) {
			return s.SignTypedData(w.ctx, chain.PermitTypedData(chain.Permit{
				TokenName: "Task Token", Version: "1", ChainID: w.net.Deployment.ChainID, Token: w.net.Deployment.Token,
				Owner: s.Address(), Spender: w.net.Deployment.Escrow, Value: big.NewInt(1e18), Nonce: new(big.Int), Deadline: big.NewInt(1_900_000_000),
			}))
		},
	} {
		got, err := sign(external)
		w.must(err)
		want, err := sign(w.net.Keeper)
		w.must(err)
		if !bytes.Equal(got, want) {
			t.Errorf("the signature of a %s is %x, want %x", name, got, want)
		}
	}

	w.must(w.server.kill())
	w.extra = append(w.extra, "TASKMARKET_KEEPER_PRIVATE_KEY=", "TASKMARKET_KEEPER_SIGNER_URL="+url,
		"TASKMARKET_KEEPER_ADDRESS="+w.net.Keeper.Address().Hex())
	w.must(w.server.start(w.ctx))
	id := w.net.Submitted(t, common.Hash{1}, common.Hash{2})
	w.net.Approve(t, w.net.Agent, id)
	w.net.Warp(t, market.ApprovedReview)
	w.awaitSettled([]uint64{id})
}
