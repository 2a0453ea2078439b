package client

import (
	"context"
	"fmt"

	gen "taskmarket/gen/client"
)

// RotateKey replaces the agent's API key, which is invalid from then on, this
// Client's too: save the answer's APIKey and go on with WithAPIKey. Within 24
// hours of the last replacement it is refused with market.KindRotationTooSoon.
// When no answer arrives, the key may have been replaced nevertheless: see
// RecoverKey.
func (c *Client) RotateKey(ctx context.Context) (KeyReplacement, error) {
	replacement, err := answer[KeyReplacement](c.api.RotateAPIKeyWithResponse(ctx))
	if err != nil {
		return replacement, fmt.Errorf("rotate API key: %w", err)
	}
	return replacement, nil
}

// RecoverKey replaces the API key of the agent of the Signer's wallet and needs
// no key. It signs the API's challenge only when that is about a key's recovery
// and names our wallet, the API's own host and its chain. Within 24 hours of the
// last recovery it is refused with market.KindRotationTooSoon; a rotation, which
// a stolen key may have made, does not keep the wallet waiting.
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
	_, err = answer[KeyReplacement](c.api.RecoverAPIKeyWithResponse(ctx, body))
	challenge, signature, err := signAsked(ctx, signer, err, challengeTerms{
		act: "recover an API key", wallet: signer.Address(), base: c.base, chainID: chainID,
	})
	if err != nil {
		return KeyReplacement{}, fmt.Errorf("recover API key: %w", err)
	}
	body.Challenge, body.Signature = &challenge, &signature
	replacement, err := answer[KeyReplacement](c.api.RecoverAPIKeyWithResponse(ctx, body))
	if err != nil {
		return replacement, fmt.Errorf("recover API key: %w", err)
	}
	return replacement, nil
}
