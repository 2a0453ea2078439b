package signer_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain/devnet"
	"taskmarket/client/signer"
)

const (
	privateKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
	password   = "correct horse"
)

var owner = common.HexToAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")

// write writes text to a temporary file.
func write(t *testing.T, mode os.FileMode, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	must(t, os.Chmod(path, mode))
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// geth returns a keystore that go-ethereum created for the test key, with its light parameters.
var geth = sync.OnceValue(func() string {
	key, err := crypto.HexToECDSA(privateKey)
	if err != nil {
		panic(err)
	}
	stored := &keystore.Key{Id: uuid.New(), Address: owner, PrivateKey: key}
	text, err := keystore.EncryptKey(stored, password, keystore.LightScryptN, keystore.LightScryptP)
	if err != nil {
		panic(err)
	}
	return string(text)
})

func TestKeystoreOfGoEthereum(t *testing.T) {
	t.Parallel()
	path := write(t, 0o644, geth()) // other users may read the file, because it is encrypted
	opened, err := signer.Keystore(path, password)
	if err != nil || opened.Address() != owner {
		t.Errorf("Keystore() = %v, %v, want %s", opened, err, owner)
	}
	if _, err := signer.Keystore(path, "wrong"); !errors.Is(err, signer.ErrPassword) {
		t.Errorf("Keystore() with another password = %v, want %v", err, signer.ErrPassword)
	}
}

func TestKeystoreOfFoundry(t *testing.T) {
	t.Parallel()
	cast, err := devnet.Program("cast")
	must(t, err)
	home := t.TempDir()
	folder := filepath.Join(home, ".foundry", "keystores")
	must(t, os.MkdirAll(folder, 0o700))
	importing := exec.CommandContext(t.Context(), cast, "wallet", "import", "agent", "--private-key", privateKey, "--keystore-dir", folder)
	importing.Env = append(os.Environ(), "CAST_UNSAFE_PASSWORD="+password)
	if output, err := importing.CombinedOutput(); err != nil {
		t.Fatalf("cast wallet import: %v: %s", err, output)
	}
	path, err := signer.Find(home, "agent")
	must(t, err)
	opened, err := signer.Keystore(path, password)
	if err != nil || opened.Address() != owner {
		t.Errorf("Keystore() = %v, %v, want %s", opened, err, owner)
	}
}

// These are the test vectors from the Web3 Secret Storage standard.
func TestKeystoreStandardVectors(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"scrypt": "testdata/scrypt.json", "pbkdf2": "testdata/pbkdf2.json"} {
		opened, err := signer.Keystore(path, "testpassword")
		if err != nil || opened.Address() != common.HexToAddress("0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b") {
			t.Errorf("%s: Keystore() = %v, %v", name, opened, err)
		}
	}
}

func TestFindPrefersLocalFile(t *testing.T) {
	t.Parallel()
	path := write(t, 0o600, "{}")
	if found, err := signer.Find(t.TempDir(), path); found != path || err != nil {
		t.Errorf("Find() = %q, %v, want the path itself", found, err)
	}
	if _, err := signer.Find(t.TempDir(), "nobody"); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("Find() of a missing file = %v", err)
	}
}

// Each file differs from a valid one in one place.
func TestKeystoreRejectsMalformedFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to string }{
		"excessive memory":                 {`"n":4096`, `"n":1099511627776`},
		"slightly too much memory":         {`"n":4096`, `"n":2097152`},
		"excessive time":                   {`"p":6`, `"p":2000`},
		"a product that overflows":         {`"r":8`, `"r":9223372036854775807`},
		"n that is not a power of two":     {`"n":4096`, `"n":4097`},
		"negative":                         {`"r":8`, `"r":-8`},
		"zero":                             {`"p":6`, `"p":0`},
		"duplicate members":                {`"n":4096`, `"n":1099511627776,"N":4096,"n":1099511627776`},
		"a number as a string":             {`"n":4096`, `"n":"4096"`},
		"a fraction":                       {`"n":4096`, `"n":4096.5`},
		"a short derived key":              {`"dklen":32`, `"dklen":8`},
		"a huge derived key":               {`"dklen":32`, `"dklen":4294967296`},
		"an unknown key derivation":        {`"kdf":"scrypt"`, `"kdf":"argon2id"`},
		"excessive rounds":                 {`"kdf":"scrypt","kdfparams":{`, `"kdf":"pbkdf2","kdfparams":{"prf":"hmac-sha256","c":2147483647,`},
		"no rounds":                        {`"kdf":"scrypt","kdfparams":{`, `"kdf":"pbkdf2","kdfparams":{"prf":"hmac-sha256","c":0,`},
		"an unknown PRF":                   {`"kdf":"scrypt","kdfparams":{`, `"kdf":"pbkdf2","kdfparams":{"prf":"md5","c":1000,`},
		"an unknown cipher":                {`aes-128-ctr`, `aes-128-cbc`},
		"a short initialization vector":    {`"iv":"`, `"iv":"00","was":"`},
		"an invalid initialization vector": {`"iv":"`, `"iv":"zz`},
		"a short ciphertext":               {`"ciphertext":"`, `"ciphertext":"00","was":"`},
		"an old version":                   {`"version":3`, `"version":1`},
		"a string as a version":            {`"version":3`, `"version":"1"`},
		"another address":                  {`"address":"f39fd6`, `"address":"000000`},
		"not an object":                    {`{"address"`, `["address"`},
		"ten megabytes":                    {`{"address"`, `{"padding":"` + strings.Repeat("x", 10<<20) + `","address"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hostile := strings.Replace(geth(), c.from, c.to, 1)
			if hostile == geth() {
				t.Fatalf("the file has no %s", c.from)
			}
			began := time.Now()
			opened, err := signer.Keystore(write(t, 0o600, hostile), password)
			if err == nil {
				t.Errorf("Keystore() = %s", opened)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("Keystore() took %s", took)
			}
		})
	}
}

func TestKeystoreNeverPanics(t *testing.T) {
	t.Parallel()
	var whole map[string]any
	must(t, json.Unmarshal([]byte(geth()), &whole))
	for _, value := range []any{nil, true, 1e300, "", "zz", []any{}, map[string]any{}} {
		for _, member := range []string{"address", "crypto", "version", "id"} {
			broken := make(map[string]any)
			for k, v := range whole {
				broken[k] = v
			}
			broken[member] = value
			text, err := json.Marshal(broken)
			must(t, err)
			_, _ = signer.Keystore(write(t, 0o600, string(text)), password) // only a panic would be a failure
		}
	}
}

func TestKeyFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"bare": privateKey, "with a line's end": "0x" + privateKey + "\r\n", "with a mark": "\ufeff" + privateKey + "\n\n"} {
		read, err := signer.KeyFile(write(t, 0o600, text))
		if err != nil || read.Address() != owner {
			t.Errorf("%s: KeyFile() = %v, %v, want %s", name, read, err, owner)
		}
	}
	for name, path := range map[string]string{
		"readable by others": write(t, 0o644, privateKey),
		"writable by others": write(t, 0o602, privateKey),
		"empty":              write(t, 0o600, "\n"),
		"not a key":          write(t, 0o600, privateKey[1:]),
		"several keys":       write(t, 0o600, privateKey+"\n"+privateKey+"\n"),
		"UTF-16":             write(t, 0o600, utf16LE(privateKey)),
		"too long":           write(t, 0o600, strings.Repeat("0", 5000)),
		"missing":            filepath.Join(t.TempDir(), "none"),
		"a folder":           t.TempDir(),
	} {
		if runtime.GOOS == "windows" && strings.HasSuffix(name, "by others") {
			continue
		}
		_, err := signer.KeyFile(path)
		if err == nil || strings.Contains(err.Error(), privateKey[1:20]) {
			t.Errorf("%s: KeyFile() = %v, want an error that does not show the key", name, err)
		}
	}
}

// Files that Windows wrote are read, or refused with the reason.
func TestKeystoreWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	opened, err := signer.Keystore(write(t, 0o600, "\ufeff"+geth()), password)
	if err != nil || opened.Address() != owner {
		t.Errorf("Keystore() = %v, %v, want %s", opened, err, owner)
	}
	if _, err := signer.Keystore(write(t, 0o600, utf16LE(geth())), password); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("Keystore() in UTF-16 = %v", err)
	}
}
