package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/server/gate"
)

const (
	minDistinct       = 10  // different bytes in a session key; 32 random hexadecimal digits contain 14 on average
	minPrivateKeyBits = 200 // one random key in 2^57 has fewer
)

// developmentChains are the default chain ids of local chains, whose funded accounts have published
// keys.
var developmentChains = []uint64{1337, 31337}

// sessionKeyFaults returns an error for each session key that could be guessed.
func (c config) sessionKeyFaults() []error {
	var faults []error
	for i, key := range c.SessionKeys {
		reason := ""
		switch {
		case len(key) < gate.MinSessionKey:
			reason = fmt.Sprintf("is shorter than %d bytes", gate.MinSessionKey)
		case predictable(string(key)):
			reason = "is not random"
		case slices.Contains(c.SessionKeys[:i], key):
			reason = "is in the list twice"
		default:
			continue
		}
		faults = append(faults, fmt.Errorf("%sSESSION_KEYS: key %d %s: create one with `openssl rand -hex 32`", prefix, i+1, reason))
	}
	return faults
}

// predictable reports whether the text is clearly not random: because it has few different bytes, repeats
// a part, or consists mostly of sequences such as abcdef.
func predictable(text string) bool {
	distinct, steps := make(map[byte]bool), 0
	for i := range len(text) {
		distinct[text[i]] = true
		if i > 0 && max(text[i], text[i-1])-min(text[i], text[i-1]) <= 1 {
			steps++
		}
	}
	// A text is a repeated part if and only if it occurs in text+text at a place other than the two ends.
	repeated := strings.Index((text + text)[1:], text) < len(text)-1
	return len(distinct) < minDistinct || steps > len(text)/2 || repeated
}

// privateKeyFaults returns an error for each private key that others know or can guess. For an
// external signer, only the address is configured, so only a published key is detected. Invalid keys and
// addresses are ignored, because other checks report them.
func (c config) privateKeyFaults() []error {
	var faults []error
	if account := common.HexToAddress(c.KeeperAddress); c.KeeperSignerURL != "" && c.published(account) {
		faults = append(faults, fmt.Errorf("%sKEEPER_ADDRESS is %s, whose key is published for development: use a new key on chain %d",
			prefix, account, c.deployed.ChainID))
	}
	for name, text := range map[string]secret{"KEEPER_PRIVATE_KEY": c.KeeperPrivateKey, "REWARD_SIGNER_PRIVATE_KEY": c.RewardSignerPrivateKey} {
		key, err := crypto.HexToECDSA(strings.TrimPrefix(string(text), "0x"))
		if err != nil {
			continue
		}
		account := crypto.PubkeyToAddress(key.PublicKey)
		if new(big.Int).SetBytes(crypto.FromECDSA(key)).BitLen() < minPrivateKeyBits {
			faults = append(faults, fmt.Errorf("%s%s is a small number, which can be guessed: use a new key", prefix, name))
		}
		if c.published(account) {
			faults = append(faults, fmt.Errorf("%s%s is the published key of %s, for development only: use a new key on chain %d",
				prefix, name, account, c.deployed.ChainID))
		}
	}
	return faults
}

// published reports whether the key of the account is public and the chain is not a local one.
func (c config) published(account common.Address) bool {
	return slices.Contains(publishedAccounts, account) && !slices.Contains(developmentChains, c.deployed.ChainID)
}

// publishedAccounts are the accounts that Hardhat funds; anvil funds the first ten.
var publishedAccounts = []common.Address{
	common.HexToAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
	common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
	common.HexToAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"),
	common.HexToAddress("0x90F79bf6EB2c4f870365E785982E1f101E93b906"),
	common.HexToAddress("0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"),
	common.HexToAddress("0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"),
	common.HexToAddress("0x976EA74026E726554dB657fA54763abd0C3a0aa9"),
	common.HexToAddress("0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"),
	common.HexToAddress("0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f"),
	common.HexToAddress("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"),
	common.HexToAddress("0xBcd4042DE499D14e55001CcbB24a551F3b954096"),
	common.HexToAddress("0x71bE63f3384f5fb98995898A86B02Fb2426c5788"),
	common.HexToAddress("0xFABB0ac9d68B0B445fB7357272Ff202C5651694a"),
	common.HexToAddress("0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec"),
	common.HexToAddress("0xdF3e18d64BC6A983f673Ab319CCaE4f1a57C7097"),
	common.HexToAddress("0xcd3B766CCDd6AE721141F452C550Ca635964ce71"),
	common.HexToAddress("0x2546BcD3c84621e976D8185a91A922aE77ECEc30"),
	common.HexToAddress("0xbDA5747bFD65F08deb54cb465eB87D40e51B197E"),
	common.HexToAddress("0xdD2FD4581271e230360230F9337D5c0430Bf44C0"),
	common.HexToAddress("0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199"),
}
