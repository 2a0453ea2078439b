package signer

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/market"
)

// ErrPassword is returned when the password does not open the keystore.
var ErrPassword = errors.New("the password does not open this keystore")

// Limits and fixed values for the parameters in a keystore file. The most expensive common setting,
// go-ethereum's standard, takes 256 MiB and 2²¹ steps, calculated as n·r·p.
const (
	longestKeystore     = 64 << 10 // maximum file size, in bytes
	maxScryptMemory     = 1 << 30  // maximum memory for scrypt, in bytes, calculated as 128·n·r
	maxScryptSteps      = 1 << 23
	maxPBKDF2Iterations = 1 << 22
	derivedKeyLength    = 32
	longestSalt         = 256
	vectorLength        = 16 // length of the AES initialization vector, in bytes
	keystoreVersion     = 3
	foundryKeystores    = ".foundry/keystores"
	privateKeyLength    = 32
	scryptBlockFactor   = 128
)

// stored is the content of a keystore file (Web3 Secret Storage, version 3). Files from Foundry
// contain no address.
type stored struct {
	Version int    `json:"version"`
	Address string `json:"address"`
	Crypto  struct {
		Cipher       string `json:"cipher"`
		CipherText   string `json:"ciphertext"`
		CipherParams struct {
			IV string `json:"iv"`
		} `json:"cipherparams"`
		KDF       string     `json:"kdf"`
		KDFParams derivation `json:"kdfparams"`
		MAC       string     `json:"mac"`
	} `json:"crypto"`
}

// derivation describes how the encryption key is derived from the password.
type derivation struct {
	DKLen int    `json:"dklen"`
	Salt  string `json:"salt"`
	// scrypt parameters: cost, block size and parallelism
	N int `json:"n"`
	R int `json:"r"`
	P int `json:"p"`
	// PBKDF2 parameters: number of iterations, and pseudorandom function
	C   int    `json:"c"`
	PRF string `json:"prf"`
}

// Keystore opens the key in the file with one of the passwords, such as those of Passwords. It also tries
// each password in the forms in which other programs and earlier versions write the same visible text. It
// returns ErrPassword if none is right. Errors never contain a password.
func Keystore(path string, passwords ...string) (*chain.KeySigner, error) {
	file, err := readKeystore(path)
	if err != nil {
		return nil, fmt.Errorf("keystore %s: %w", path, err)
	}
	err = ErrPassword
	tried := map[string]bool{}
	for _, password := range passwords {
		for _, variant := range variants(password) {
			if tried[variant] {
				continue
			}
			tried[variant] = true
			var signer *chain.KeySigner
			if signer, err = file.open(variant); err == nil {
				return signer, nil
			}
			if !errors.Is(err, ErrPassword) {
				return nil, fmt.Errorf("keystore %s: %w", path, err)
			}
		}
	}
	return nil, fmt.Errorf("keystore %s: %w", path, err)
}

// Find returns the path of a keystore file. name is either a path or the name of a key in Foundry's
// keystore folder below home.
func Find(home, name string) (path string, err error) {
	if _, err = os.Stat(name); err == nil || strings.ContainsAny(name, `/\`) {
		return name, err
	}
	path = filepath.Join(home, filepath.FromSlash(foundryKeystores), name)
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no keystore %s, neither in the current directory nor in ~/%s", name, foundryKeystores)
	}
	return path, err
}

func readKeystore(path string) (*stored, error) {
	reader, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	raw, err := io.ReadAll(io.LimitReader(reader, longestKeystore+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > longestKeystore {
		return nil, fmt.Errorf("it is larger than %d bytes", longestKeystore)
	}
	text, err := market.FileText(raw)
	if err != nil {
		return nil, err
	}
	var file stored
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("it is not a keystore file: %w", err)
	}
	return &file, file.check()
}

// check rejects excessive or invalid parameters. It is needed because the decryption trusts the
// file, including its cost parameters.
func (f *stored) check() error {
	c := f.Crypto
	switch vector, err := hex.DecodeString(c.CipherParams.IV); {
	case f.Version != keystoreVersion:
		return fmt.Errorf("its version is %d; only version %d can be read", f.Version, keystoreVersion)
	case c.Cipher != "aes-128-ctr":
		return fmt.Errorf("its cipher %q is not aes-128-ctr", c.Cipher)
	case err != nil || len(vector) != vectorLength:
		return errors.New("its cipher's initialization vector is not 16 bytes in hexadecimal")
	case len(c.CipherText) != hex.EncodedLen(privateKeyLength):
		return errors.New("it does not contain 32 encrypted bytes")
	}
	return c.KDFParams.check(c.KDF)
}

func (d derivation) check(function string) error {
	if d.DKLen != derivedKeyLength || len(d.Salt) > hex.EncodedLen(longestSalt) {
		return fmt.Errorf("unsupported key derivation: a key of %d bytes (must be %d) with a salt of %d hexadecimal digits (at most %d)",
			d.DKLen, derivedKeyLength, len(d.Salt), hex.EncodedLen(longestSalt))
	}
	switch function {
	case "scrypt":
		return d.checkScrypt()
	case "pbkdf2":
		if d.PRF != "hmac-sha256" || d.C <= 0 || d.C > maxPBKDF2Iterations {
			return fmt.Errorf("it has %d iterations of PBKDF2 with %q; only hmac-sha256 with 1 to %d iterations is supported", d.C, d.PRF, maxPBKDF2Iterations)
		}
		return nil
	}
	return fmt.Errorf("it derives its key with %q; only scrypt and pbkdf2 are supported", function)
}

// checkScrypt checks the scrypt parameters. It divides instead of multiplying to avoid an overflow.
func (d derivation) checkScrypt() error {
	powerOfTwo := d.N > 1 && d.N&(d.N-1) == 0
	if !powerOfTwo || d.R <= 0 || d.P <= 0 ||
		d.N > maxScryptMemory/scryptBlockFactor/d.R || d.P > maxScryptSteps/d.R/d.N {
		return fmt.Errorf("unsupported scrypt parameters n=%d, r=%d, p=%d: n must be a power of two, n·r·%d (bytes of memory) at most %d, and n·r·p at most %d",
			d.N, d.R, d.P, scryptBlockFactor, maxScryptMemory, maxScryptSteps)
	}
	return nil
}

// open decrypts the key with the password.
func (f *stored) open(password string) (*chain.KeySigner, error) {
	c, d := f.Crypto, f.Crypto.KDFParams
	checked := keystore.CryptoJSON{
		Cipher: c.Cipher, CipherText: c.CipherText, KDF: c.KDF, MAC: c.MAC,
		KDFParams: map[string]any{"dklen": d.DKLen, "salt": d.Salt, "n": d.N, "r": d.R, "p": d.P, "c": d.C, "prf": d.PRF},
	}
	checked.CipherParams.IV = c.CipherParams.IV
	secret, err := keystore.DecryptDataV3(checked, password)
	if errors.Is(err, keystore.ErrDecrypt) {
		return nil, ErrPassword
	}
	if err != nil {
		return nil, fmt.Errorf("decrypt: %w", err)
	}
	key, err := crypto.ToECDSA(secret)
	if err != nil {
		return nil, errors.New("it does not contain the key of an Ethereum account")
	}
	signer := chain.NewKeySigner(key)
	if f.Address != "" && common.HexToAddress(f.Address) != signer.Address() {
		return nil, fmt.Errorf("it names the address %s, but its key is for %s", f.Address, signer.Address())
	}
	return signer, nil
}
