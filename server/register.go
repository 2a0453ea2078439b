package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

const (
	codePrefix = "taskmarket-"
	codeSize   = 16
	nonceSize  = 24
)

// signatures verifies that the caller owns a wallet.
type signatures struct {
	store    *store.Store
	verifier Verifier
	domain   string
	chainID  uint64
	now      func() time.Time
	checking chan struct{} // contains a value for each running check of a contract wallet
}

// maxWalletChecks limits the concurrent checks of contract wallets, because each of them needs a node.
const maxWalletChecks = 8

// RegisterAgent first returns a challenge to sign. It registers the agent when the same body
// arrives again with the signature.
func (h *agentsHandler) RegisterAgent(ctx context.Context, request api.RegisterAgentRequestObject) (api.RegisterAgentResponseObject, error) {
	agent, err := fromAPIRegisterAgentRequest(request.Body)
	if err != nil {
		return nil, err
	}
	if err := h.screen.CheckWallet(agent.Wallet); err != nil {
		return nil, err
	}
	if err := h.store.CheckFree(ctx, agent.Wallet, agent.Username); err != nil {
		return nil, err
	}
	challenge, signature := request.Body.Challenge, request.Body.Signature
	signed, err := secondStep(challenge, signature)
	if err != nil {
		return nil, err
	}
	if !signed {
		return nil, h.challenge(ctx, agent)
	}
	expected := store.Challenge{Purpose: store.PurposeRegister, Wallet: agent.Wallet, Profile: profileHash(agent)}
	if err := h.checkMessage(ctx, expected, *challenge, *signature); err != nil {
		return nil, charged(ctx, err)
	}
	return h.register(ctx, agent, *challenge)
}

func fromAPIRegisterAgentRequest(body *api.RegisterAgentRequest) (market.Agent, error) {
	wallet, err := market.ParseAddress("wallet_address", body.WalletAddress)
	if err != nil {
		return market.Agent{}, err
	}
	if err := market.CheckUsername(body.Username); err != nil {
		return market.Agent{}, err
	}
	if err := market.CheckName("name", body.Name); err != nil {
		return market.Agent{}, err
	}
	return market.Agent{Wallet: wallet, Username: body.Username, Name: body.Name, Bio: deref(body.Bio)}, nil
}

// challenge returns an error that contains the text that the agent's wallet must sign. It is an
// error because the HTTP response has status 428.
func (h *agentsHandler) challenge(ctx context.Context, agent market.Agent) error {
	profile := profileHash(agent)
	return h.askToSign(ctx, "Task Market: register an agent",
		store.Challenge{Purpose: store.PurposeRegister, Wallet: agent.Wallet, Profile: profile},
		"Username: "+agent.Username, "Profile: "+profile.Hex())
}

// askToSign builds and stores the text of a challenge, and returns the error that requests its
// signature. It inserts the lines into the text after the wallet address.
func (s *signatures) askToSign(ctx context.Context, title string, c store.Challenge, lines ...string) error {
	now := s.now().Truncate(time.Second)
	c.ExpiresAt = now.Add(market.ChallengeLifetime)
	text := strings.Join(slices.Concat([]string{
		title,
		"Domain: " + s.domain,
		"Chain ID: " + strconv.FormatUint(s.chainID, 10),
		"Wallet: " + c.Wallet.Hex(),
	}, lines, []string{
		"Nonce: " + randomText(nonceSize),
		"Issued At: " + market.FormatTime(now),
		"Expires At: " + market.FormatTime(c.ExpiresAt),
	}), "\n")
	c.Hash = sha256.Sum256([]byte(text))
	if err := s.store.SaveChallenge(ctx, c); err != nil {
		return err
	}
	return &market.Error{
		Kind: market.KindSignatureRequired, Challenge: text,
		Message: "sign the challenge to prove that the wallet is yours",
		Hint:    "send the same body again with challenge and signature",
	}
}

// secondStep reports whether the request responds to a challenge. It rejects a request with only
// one of challenge and signature.
func secondStep(challenge, signature *string) (bool, error) {
	if (challenge == nil) != (signature == nil) {
		return false, market.Invalid("challenge", "required", "send challenge and signature together, in the second step")
	}
	return challenge != nil, nil
}

// profileHash returns the hash that binds a challenge to the whole profile. It hashes the length of
// each text before the text, so that different profiles never produce the same bytes.
func profileHash(agent market.Agent) common.Hash {
	var encoded []byte
	for _, text := range []string{agent.Username, agent.Name, agent.Bio} {
		encoded = binary.BigEndian.AppendUint64(encoded, uint64(len(text)))
		encoded = append(encoded, text...)
	}
	return sha256.Sum256(encoded)
}

// checkMessage returns an error unless the signature is the wallet's signature of the challenge's text. A
// signature by the wallet's own key is checked without I/O. Only a node can check the signature of a contract
// wallet, and callers can be anonymous, so cheap checks come first: the challenge must exist for this wallet,
// can be checked market.MaxChallengeChecks times, and each check counts against the limit of the client's
// network. If too many checks are running, it returns KindUnavailable.
func (s *signatures) checkMessage(ctx context.Context, c store.Challenge, text, signature string) error {
	decoded, err := hexutil.Decode(signature)
	if err != nil {
		return market.Invalid("signature", "pattern", "must be 0x and an even number of hexadecimal digits")
	}
	if s.verifier.SignedByKey(c.Wallet, text, decoded) {
		return nil
	}
	c.Hash = sha256.Sum256([]byte(text))
	if err := s.store.StartCheck(ctx, c); err != nil {
		return err
	}
	if err := gate.Charge(ctx); err != nil {
		return err
	}
	select {
	case s.checking <- struct{}{}:
		defer func() { <-s.checking }()
	default:
		return &market.Error{
			Kind: market.KindUnavailable, Message: "too many signatures of contract wallets are being checked",
			Hint: "try again in a few seconds", RetryAfter: gate.BusyRetry,
		}
	}
	return s.verifier.VerifyMessage(ctx, c.Wallet, text, decoded)
}

// charged counts err against the limit of the client's network if err refuses a proof of wallet ownership. It
// returns err, or KindRateLimited above the limit.
func charged(ctx context.Context, err error) error {
	if !gate.IsProofFault(err) {
		return err
	}
	if limited := gate.Charge(ctx); limited != nil {
		return limited
	}
	return err
}

// register consumes the challenge and creates the agent and its key.
func (h *agentsHandler) register(ctx context.Context, agent market.Agent, challenge string) (api.RegisterAgentResponseObject, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	key := gate.NewAPIKey()
	hash, _ := gate.HashAPIKey(key) // a new key is always valid
	profile := profileHash(agent)
	agent.ID, agent.APIKeyPrefix = id, key[:gate.KeyPrefixShown]
	agent.VerificationCode, agent.CodeExpiresAt = newCode(), h.now().Add(market.CodeLifetime)
	if err := h.store.RegisterAgent(ctx, agent, hash, sha256.Sum256([]byte(challenge)), profile); err != nil {
		return nil, err
	}
	h.reportText(ctx, agent.ID, writing{
		subject: market.Subject{Kind: market.SubjectProfile, ID: agent.ID}, record: agent.ID,
		title: "profile", texts: []string{agent.Username, agent.Name, agent.Bio},
	})
	return api.RegisterAgent201JSONResponse{Body: api.AgentRegistration{
		AgentID: agent.ID, Username: agent.Username, APIKey: key, VerificationCode: agent.VerificationCode,
	}}, nil
}

// newCode generates a verification code for a post on a social network.
func newCode() string { return codePrefix + randomText(codeSize) }

// deref returns the value of an optional field, or the zero value if the field is absent.
func deref[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

// randomText returns random lower-case letters and digits for codes and nonces. Each has 5.17 bits of entropy.
func randomText(digits int) string {
	const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"
	out, size := make([]byte, digits), big.NewInt(int64(len(alphabet)))
	for i := range out {
		n, _ := rand.Int(rand.Reader, size) // never returns an error; it crashes the program instead
		out[i] = alphabet[n.Int64()]
	}
	return string(out)
}
