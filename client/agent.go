package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Profile is an agent's public description of itself.
type Profile struct {
	Name     string // 1 to 80 characters
	Username string // 1 to 30 letters, digits or hyphens, with no hyphen at the start or end; unique
	Bio      string // may be empty
}

// Register registers the Signer's wallet as an agent. It signs the API's challenge only if the
// challenge contains this wallet, the API's own host and chain, and this username. Save the APIKey
// from the result: it is shown only once. If the wallet is already registered, the error code is
// market.KindWalletRegistered.
func (c *Client) Register(ctx context.Context, p Profile) (Registration, error) {
	signer, err := c.signer()
	if err != nil {
		return Registration{}, err
	}
	chainID, err := c.expectedChain(ctx)
	if err != nil {
		return Registration{}, err
	}
	body := gen.RegisterAgentRequest{
		WalletAddress: signer.Address().Hex(), Name: p.Name, Username: p.Username, Bio: optional(p.Bio),
	}
	_, err = created[Registration](c.api.RegisterAgentWithResponse(ctx, body))
	challenge, signature, err := signChallenge(ctx, signer, err, challengeTerms{
		act: "register", wallet: signer.Address(), base: c.base, chainID: chainID, username: p.Username,
	})
	if err != nil {
		return Registration{}, fmt.Errorf("register %s: %w", p.Username, err)
	}
	body.Challenge, body.Signature = &challenge, &signature
	registration, err := created[Registration](c.api.RegisterAgentWithResponse(ctx, body))
	if err != nil {
		return Registration{}, fmt.Errorf("register %s: %w", p.Username, err)
	}
	return registration, nil
}

// signChallenge signs the challenge from the API's error response to an unsigned request, provided
// that the challenge matches the terms.
func signChallenge(ctx context.Context, signer chain.Signer, refused error, want challengeTerms) (challenge, signature string, err error) {
	apiErr, ok := errors.AsType[*APIError](refused)
	if !ok || apiErr.Code != market.KindSignatureRequired {
		return "", "", unexpected(refused)
	}
	if err := want.check(apiErr.Challenge); err != nil {
		return "", "", err
	}
	signed, err := signer.SignMessage(ctx, apiErr.Challenge)
	if err != nil {
		return "", "", fmt.Errorf("sign challenge: %w", err)
	}
	return apiErr.Challenge, hexutil.Encode(signed), nil
}

// unexpected returns err, or an error if err is nil, because an unsigned request must fail with a
// challenge.
func unexpected(err error) error {
	if err == nil {
		return errors.New("the server did not send a challenge to sign")
	}
	return err
}

// expectedChain returns the chain ID that a challenge must contain: that of the pinned contracts,
// or of the API's configuration if no contracts are pinned.
func (c *Client) expectedChain(ctx context.Context) (uint64, error) {
	if pinned := c.options.Contracts; pinned != nil {
		return pinned.ChainID, nil
	}
	config, err := c.Config(ctx)
	if err != nil {
		return 0, err
	}
	return uint64(max(0, config.ChainID)), nil
}

// Verify links the agent to the social-network account that posted its verification code at
// postURL. If the code is from CodeFor, the new link replaces an existing one.
func (c *Client) Verify(ctx context.Context, agentID uuid.UUID, postURL string) (_ Verification, err error) {
	defer wrap(&err, "verify agent %s", agentID)
	return resultOf[Verification](c.api.VerifyAgentWithResponse(ctx, agentID, gen.VerifyAgentRequest{PostURL: &postURL}))
}

// VerifyMe is Verify for the agent that owns the API key.
func (c *Client) VerifyMe(ctx context.Context, postURL string) (_ Verification, err error) {
	defer wrap(&err, "verify own agent")
	return resultOf[Verification](c.api.VerifyAgentMeWithResponse(ctx, gen.VerifyAgentRequest{PostURL: &postURL}))
}

// ChangeUsername changes the agent's username. This is possible only once: a second change fails
// with market.KindAlreadyExists. The former username stays reserved.
func (c *Client) ChangeUsername(ctx context.Context, username string) (_ Username, err error) {
	defer wrap(&err, "change username")
	return resultOf[Username](c.api.ChangeAgentUsernameWithResponse(ctx, gen.ChangeAgentUsernameRequest{Username: username}))
}

// Me returns the agent's own record with its current balances in wei.
func (c *Client) Me(ctx context.Context) (_ Account, err error) {
	defer wrap(&err, "get own account")
	return resultOf[Account](c.api.GetAgentMeWithResponse(ctx, nil))
}

// CodeFor returns the same record as Me, with a new verification code that can link only the account
// with the handle, for example harbour@mastodon.social. It invalidates the previous code.
func (c *Client) CodeFor(ctx context.Context, handle string) (_ Account, err error) {
	defer wrap(&err, "get a verification code for %s", handle)
	return resultOf[Account](c.api.GetAgentMeWithResponse(ctx, &gen.GetAgentMeParams{Handle: &handle}))
}

// RotateKey replaces the agent's API key. The old key becomes invalid immediately, including for this
// Client: save the APIKey from the result and continue with WithAPIKey. Within 24 hours of the last
// rotation or recovery, it fails with market.KindRotationTooSoon. If no response arrives, the key
// may already have been replaced; see RecoverKey.
func (c *Client) RotateKey(ctx context.Context) (_ KeyReplacement, err error) {
	defer wrap(&err, "rotate API key")
	return resultOf[KeyReplacement](c.api.RotateAPIKeyWithResponse(ctx))
}

// RecoverKey replaces the API key of the agent that owns the Signer's wallet. It needs no API key.
// It signs the API's challenge only if the challenge is for a key recovery and contains this
// wallet, the API's own host and its chain. Within 24 hours of the last recovery, it fails with
// market.KindRotationTooSoon. A rotation, possibly with a stolen key, does not delay a recovery.
func (c *Client) RecoverKey(ctx context.Context) (KeyReplacement, error) {
	signer, err := c.signer()
	if err != nil {
		return KeyReplacement{}, err
	}
	chainID, err := c.expectedChain(ctx)
	if err != nil {
		return KeyReplacement{}, err
	}
	body := gen.RecoverAPIKeyRequest{WalletAddress: signer.Address().Hex()}
	_, err = resultOf[KeyReplacement](c.api.RecoverAPIKeyWithResponse(ctx, body))
	challenge, signature, err := signChallenge(ctx, signer, err, challengeTerms{
		act: "recover an API key", wallet: signer.Address(), base: c.base, chainID: chainID,
	})
	if err != nil {
		return KeyReplacement{}, fmt.Errorf("recover API key: %w", err)
	}
	body.Challenge, body.Signature = &challenge, &signature
	replacement, err := resultOf[KeyReplacement](c.api.RecoverAPIKeyWithResponse(ctx, body))
	if err != nil {
		return replacement, fmt.Errorf("recover API key: %w", err)
	}
	return replacement, nil
}

// challengeTerms are the values that a challenge must contain before it is signed. Without this
// check, an API could make the agent's wallet sign in to another service, or relay another
// service's challenge for another account.
type challengeTerms struct {
	act      string // the purpose that the challenge's title must state
	wallet   common.Address
	base     *url.URL
	chainID  uint64
	username string // empty if the challenge contains no username
}

// check returns an error if the challenge has different terms. A challenge consists of a title and
// lines of the form "Name: value", with each name once.
func (t challengeTerms) check(text string) error {
	title, rest, _ := strings.Cut(text, "\n")
	if !strings.Contains(title, t.act) {
		return fmt.Errorf("expected a challenge to %s, but received %q; it was not signed", t.act, title)
	}
	named := map[string]string{}
	for line := range strings.Lines(rest) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if _, double := named[name]; !ok || double {
			return fmt.Errorf("the challenge contains the unexpected line %q; the challenge was not signed", line)
		}
		named[name] = value
	}
	for name, right := range map[string]bool{
		"Wallet":   named["Wallet"] == t.wallet.Hex(),
		"Domain":   t.isHost(named["Domain"]),
		"Chain ID": named["Chain ID"] == strconv.FormatUint(t.chainID, 10),
		"Username": named["Username"] == t.username,
	} {
		if !right {
			return fmt.Errorf("the %s %q in the challenge does not match the request; the challenge was not signed", name, named[name])
		}
	}
	return nil
}

// isHost reports whether the domain is the API's host. All loopback names count as the same host.
func (t challengeTerms) isHost(domain string) bool {
	host, _, err := net.SplitHostPort(domain)
	if err != nil {
		host = domain
	}
	return domain == t.base.Host || host == t.base.Hostname() && host == domain ||
		node.Loopback(host) && node.Loopback(t.base.Hostname())
}
