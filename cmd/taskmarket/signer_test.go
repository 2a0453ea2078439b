package main

import (
	"taskmarket/chain"
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

const (
	signerKey      = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
	signerPassword = "correct horse"
)

var signerAddress = common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")

// storeKey writes a keystore to Foundry's keystore directory in the user's home.
func (u *user) storeKey(name string) {
	u.t.Helper()
	key, err := crypto.HexToECDSA(signerKey)
	clitest.Must(u.t, err)
	text, err := keystore.EncryptKey(&keystore.Key{Id: uuid.New(), Address: signerAddress, PrivateKey: key}, signerPassword, 2, 1)
	clitest.Must(u.t, err)
	u.write(".foundry/keystores/"+name, string(text))
}

// opened opens the configured wallet in the same way as a command.
func (u *user) opened() (chain.Signer, error) {
	var output bytes.Buffer
	ctx, cancel := context.WithTimeout(u.t.Context(), testTimeout)
	defer cancel()
	return cli.New(u.streams(&output, &output), u.environ()).Signer(ctx)
}

func TestWallets(t *testing.T) {
	for name, c := range map[string]struct {
		set        func(*user)
		code       int
		wantStderr string
	}{
		"a key": {set: func(u *user) { u.set("PRIVATE_KEY", signerKey) }},
		"a key in a file": {set: func(u *user) {
			u.set("PRIVATE_KEY_FILE", u.write("key", "0x"+signerKey+"\n"))
		}},
		"a key in a file readable by all": {set: func(u *user) {
			path := u.write("key", signerKey)
			clitest.Must(t, os.Chmod(path, 0o644))
			u.set("PRIVATE_KEY_FILE", path)
		}, code: cli.ExitUsage, wantStderr: "other users can access it"},
		"a keystore with a password file": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", signerPassword+"\n"))
		}},
		"a keystore with a password prompt": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.terminal, u.secrets = true, []string{signerPassword}
		}},
		"a password file of Windows": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", "\ufeff"+signerPassword+"\r\n"))
		}},
		"a password file in UTF-16": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", "\xff\xfew\x00"))
		}, code: cli.ExitUsage, wantStderr: "the file is UTF-16: save it as UTF-8"},
		"a wrong password that ends with a blank": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", signerPassword+" \n"))
		}, code: cli.ExitUsage, wantStderr: "about the password in use: it ends with a blank"},
		"an empty password file": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", "\n"))
		}, code: cli.ExitUsage, wantStderr: "it is empty"},
		"a key file in UTF-16": {set: func(u *user) {
			u.set("PRIVATE_KEY_FILE", u.write("key", "0\x00x\x001\x00"))
		}, code: cli.ExitUsage, wantStderr: "the file is UTF-16: save it as UTF-8"},
		"a key file with two lines": {set: func(u *user) {
			u.set("PRIVATE_KEY_FILE", u.write("key", signerKey+"\n"+signerKey))
		}, code: cli.ExitUsage, wantStderr: "it has several lines"},
		"a keystore without a password": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
		}, code: cli.ExitUsage, wantStderr: "no password is configured for the keystore"},
		"a wrong password": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.terminal, u.secrets = true, []string{"wrong"}
		}, code: cli.ExitUsage, wantStderr: "does not open this keystore"},
		"an unknown keystore": {set: func(u *user) { u.set("KEYSTORE", "agent") }, code: cli.ExitUsage, wantStderr: "there is no keystore agent"},
		"a key entered at the prompt": {set: func(u *user) {
			u.terminal, u.secrets = true, []string{signerKey}
		}},
		"an invalid key entered at the prompt": {set: func(u *user) {
			u.terminal, u.secrets = true, []string{signerKey[1:]}
		}, code: cli.ExitUsage, wantStderr: "not 64 hexadecimal digits"},
		"no wallet":                {set: func(*user) {}, code: cli.ExitUsage, wantStderr: "no wallet is configured"},
		"a signer over plain http": {set: func(u *user) { u.set("SIGNER_URL", "http://signer.example") }, code: cli.ExitFailed, wantStderr: "https"},
		"two wallets":              {set: func(u *user) { u.set("PRIVATE_KEY", signerKey); u.set("KEYSTORE", "agent") }, code: cli.ExitUsage, wantStderr: "more than one wallet is configured: private_key, keystore"},
		"the environment takes precedence over the file": {set: func(u *user) {
			u.write("config/taskmarket/config.yaml", "keystore: elsewhere\n")
			u.set("PRIVATE_KEY", signerKey)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			c.set(u)
			wallet, err := u.opened()
			switch code := cli.ExitCode(t.Context(), err); {
			case code != c.code:
				t.Errorf("exit code %d (%v), want %d", code, err, c.code)
			case err != nil && (!strings.Contains(err.Error(), c.wantStderr) || strings.Contains(err.Error(), signerKey[1:20])):
				t.Errorf("error %v, want %q and no key", err, c.wantStderr)
			case err == nil && wallet.Address() != signerAddress:
				t.Errorf("the wallet is %s, want %s", wallet.Address(), signerAddress)
			}
		})
	}
}
