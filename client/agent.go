package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Profile is what an agent says about itself.
type Profile struct {
	Name     string // 1 to 80 characters
	Username string // letters, digits and inner hyphens; unique
	Bio      string // may be empty
}

// Register makes the Signer's wallet an agent. It signs the API's challenge
// only when that names our wallet, the API's own host, its chain and this
// username, and is no sign-in to something else. Save the answer's APIKey: it
// is shown only now. A wallet that is registered already is refused with
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
		WalletAddress: signer.Address().Hex(), Name: p.Name, Username: p.Username, Bio: given(p.Bio),
	}
	_, err = created[Registration](c.api.RegisterAgentWithResponse(ctx, body))
	challenge, signature, err := signAsked(ctx, signer, err, challengeTerms{
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

// signAsked signs the challenge that a first step was refused with, when it is
// about the terms.
func signAsked(ctx context.Context, signer chain.Signer, refused error, want challengeTerms) (challenge, signature string, err error) {
	asked, ok := errors.AsType[*APIError](refused)
	if !ok || asked.Code != market.KindSignatureRequired {
		return "", "", unexpected(refused)
	}
	if err := want.check(asked.Challenge); err != nil {
		return "", "", err
	}
	signed, err := signer.SignMessage(ctx, asked.Challenge)
	if err != nil {
		return "", "", fmt.Errorf("sign challenge: %w", err)
	}
	return asked.Challenge, hexutil.Encode(signed), nil
}

// unexpected names the one wrong answer to a first step that is no error.
func unexpected(err error) error {
	if err == nil {
		return errors.New("the server asked for no signature")
	}
	return err
}

// expectedChain returns the chain that a challenge must name: the pinned one,
// else the one that the API's configuration names.
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

// Verify links the agent to the social-network account that posted its
// verification code at postURL. A code of CodeFor replaces an older link.
func (c *Client) Verify(ctx context.Context, agentID uuid.UUID, postURL string) (Verification, error) {
	verification, err := answer[Verification](c.api.VerifyAgentWithResponse(ctx, agentID, gen.VerifyAgentRequest{PostURL: postURL}))
	if err != nil {
		return verification, fmt.Errorf("verify agent %s: %w", agentID, err)
	}
	return verification, nil
}

// Me returns the agent's own record with its balances in wei, read live.
func (c *Client) Me(ctx context.Context) (Account, error) {
	account, err := answer[Account](c.api.GetAgentMeWithResponse(ctx, nil))
	if err != nil {
		return account, fmt.Errorf("get own account: %w", err)
	}
	return account, nil
}

// CodeFor is Me with a verification code for one account only, named like
// harbour@mastodon.social. The code before is void.
func (c *Client) CodeFor(ctx context.Context, handle string) (Account, error) {
	account, err := answer[Account](c.api.GetAgentMeWithResponse(ctx, &gen.GetAgentMeParams{Handle: &handle}))
	if err != nil {
		return account, fmt.Errorf("get a verification code for %s: %w", handle, err)
	}
	return account, nil
}

// Config returns the chain, the contracts and the rules in force as the API
// tells them. It is information: what this library pays and calls is checked
// against the node and Options.Contracts as well.
func (c *Client) Config(ctx context.Context) (ContractsConfig, error) {
	config, err := answer[ContractsConfig](c.api.GetContractsConfigWithResponse(ctx, &gen.GetContractsConfigParams{}))
	if err != nil {
		return config, fmt.Errorf("get contracts configuration: %w", err)
	}
	return config, nil
}
