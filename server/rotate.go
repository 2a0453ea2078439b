package server

import (
	"context"
	"crypto/sha256"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// RotateAPIKey replaces the key that the request was made with.
func (s *Server) RotateAPIKey(ctx context.Context, _ api.RotateAPIKeyRequestObject) (api.RotateAPIKeyResponseObject, error) {
	who := gate.CallerOf(ctx)
	key, fresh := freshKey()
	at, err := s.store.RotateKey(ctx, who.Principal.ID, who.KeyHash, fresh)
	if err != nil {
		return nil, err
	}
	return api.RotateAPIKey200JSONResponse{Body: toAPIKeyReplacement(key, at)}, nil
}

// RecoverAPIKey asks for a signature of the agent's wallet first, whosever that
// is, and replaces the agent's key when the same body comes again with it.
func (s *Server) RecoverAPIKey(ctx context.Context, request api.RecoverAPIKeyRequestObject) (api.RecoverAPIKeyResponseObject, error) {
	wallet, err := market.ParseAddress("wallet_address", request.Body.WalletAddress)
	if err != nil {
		return nil, err
	}
	challenge, signature := request.Body.Challenge, request.Body.Signature
	signed, err := secondStep(challenge, signature)
	if err != nil {
		return nil, err
	}
	if !signed {
		return nil, s.askToSign(ctx, "Task Market: recover an API key", store.Challenge{Purpose: store.PurposeRecover, Wallet: wallet})
	}
	if err := s.checkMessage(ctx, wallet, *challenge, *signature); err != nil {
		return nil, err
	}
	key, fresh := freshKey()
	at, err := s.store.RecoverKey(ctx, wallet, sha256.Sum256([]byte(*challenge)), fresh)
	if err != nil {
		return nil, err
	}
	return api.RecoverAPIKey200JSONResponse{Body: toAPIKeyReplacement(key, at)}, nil
}

// freshKey makes a key, and what the database keeps of it.
func freshKey() (string, store.Key) {
	key := gate.NewAPIKey()
	return key, store.Key{Hash: sha256.Sum256([]byte(key)), Prefix: key[:gate.KeyPrefixShown]}
}

func toAPIKeyReplacement(key string, at time.Time) api.APIKeyReplacement {
	return api.APIKeyReplacement{APIKey: key, RotatedAt: market.TimeOf(at)}
}
