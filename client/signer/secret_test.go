package signer_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/client/signer"
)

// utf16LE returns the text as an editor on Windows saves it in "Unicode".
func utf16LE(text string) string {
	raw := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		raw = binary.LittleEndian.AppendUint16(raw, unit)
	}
	return string(raw)
}

const (
	composed   = "w\u00f6rd"
	decomposed = "wo\u0308rd"
)

// A file whose password is not its visible text is refused before a wallet exists.
func TestReadSecret(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"word\n": "word", "\ufeffword\r\n": "word", " word ": " word ", composed + "\n": composed,
		"": "error: empty", "\ufeff": "error: empty", "\r\n": "error: empty",
		utf16LE("word\r\n"): "error: UTF-16", utf16LE("word")[2:]: "error: UTF-16", "w\xf6rd": "error: not UTF-8", "wor\x00d": "error: NUL",
		"word\n\n": "error: more than one newline", "word\nnext": "error: several lines", "word\r": "error: several lines",
		decomposed: "error: decomposed", "wo\u200brd": "error: U+200B", "wo\trd": "error: U+0009", "\ufeff\ufeffword": "error: U+FEFF",
	} {
		got, err := signer.ReadSecret(write(t, 0o600, text))
		words, fails := strings.CutPrefix(want, "error: ")
		if fails && (err == nil || !strings.Contains(err.Error(), words)) || !fails && (err != nil || got != want) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "word") && !strings.Contains(err.Error(), "password") {
			t.Errorf("the error contains the password: %v", err)
		}
		path := filepath.Join(t.TempDir(), "wallet")
		if _, err := signer.NewKeystore(path, got, signer.ForRandom); err == nil != !fails {
			t.Errorf("%q: NewKeystore() = %v", text, err)
		}
		if _, err := os.Stat(path); os.IsNotExist(err) != fails {
			t.Errorf("%q: the wallet exists: %v", text, err)
		}
	}
	for _, typed := range []string{decomposed, "wo\x00rd", "wo\nrd", "w\xf6rd"} {
		if _, err := signer.NewKeystore(filepath.Join(t.TempDir(), "wallet"), typed, signer.ForRandom); err == nil {
			t.Errorf("a wallet was created with the password %q", typed)
		}
	}
}

// A wallet whose password earlier versions read differently, or that another program made, opens with its
// file, and where possible with the visible text.
func TestOldPasswordsOpenTheirWallets(t *testing.T) {
	t.Parallel()
	key, err := crypto.HexToECDSA(privateKey)
	must(t, err)
	for name, c := range map[string]struct{ made, file string }{
		"a byte order mark that counted":         {"\ufeffword", "\ufeffword\r\n"},
		"a byte order mark, by the visible text": {"\ufeffword", "word"},
		"UTF-16":                                 {utf16LE("word"), utf16LE("word")},
		"two newlines":                           {"word\n", "word\n\n"},
		"two newlines, by geth":                  {"word", "word\n\n"},
		"decomposed, by the keyboard":            {decomposed, composed},
		"composed, by the file":                  {composed, decomposed + "\n"},
		"not UTF-8":                              {"w\xf6rd", "w\xf6rd\n"},
		"a carriage return":                      {"word\r", "word\r"},
	} {
		text, err := keystore.EncryptKey(&keystore.Key{Id: uuid.New(), Address: owner, PrivateKey: key}, c.made, 2, 1)
		must(t, err)
		path := write(t, 0o600, string(text))
		if _, err := signer.Keystore(path, signer.Passwords([]byte(c.file))...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := signer.Keystore(path, signer.Passwords([]byte("other"))...); !errors.Is(err, signer.ErrPassword) {
			t.Errorf("%s: another password: %v", name, err)
		}
	}
}

func TestOddities(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"word\n": "", "": "", composed: "",
		"\ufeffword":  "byte order mark",
		"word\r\n":    "Windows line endings",
		"word \n":     "ends with a blank",
		" word":       "starts with a blank",
		"word\n\n":    "several lines or newlines",
		decomposed:    "decomposed",
		"wo\u200brd":  "invisible",
		"w\xf6rd":     "not UTF-8",
		utf16LE("ab"): "UTF-16",
	} {
		odd := signer.Oddities([]byte(text))
		if found := slices.ContainsFunc(odd, func(words string) bool { return strings.Contains(words, want) }); found != (want != "") || len(odd) > 0 && want == "" {
			t.Errorf("%q: %q, want %q", text, odd, want)
		}
		if strings.Contains(strings.Join(odd, ""), "word") {
			t.Errorf("%q: the description contains the password: %q", text, odd)
		}
	}
}
