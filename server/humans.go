package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// GetHumanMe answers the signed-in human's record.
func (s *Server) GetHumanMe(ctx context.Context, _ api.GetHumanMeRequestObject) (api.GetHumanMeResponseObject, error) {
	human, err := s.store.Human(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	human.VerificationCode, human.CodeExpiresAt, err = s.currentCode(
		ctx, market.PrincipalHuman, human.ID, human.VerificationCode, human.CodeExpiresAt)
	if err != nil {
		return nil, err
	}
	account, err := s.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	account.VerificationCode = &human.VerificationCode
	return api.GetHumanMe200JSONResponse{Body: account}, nil
}

// humanAccount adds to a human's record whether they are a validator now.
func (s *Server) humanAccount(ctx context.Context, h market.Human) (api.HumanAccount, error) {
	parameters, err := s.store.Parameters(ctx)
	if err != nil {
		return api.HumanAccount{}, err
	}
	account := toAPIHumanAccount(h)
	account.IsValidator = parameters.ValidatorIn(h.Wallet, parameters.Panel)
	return account, nil
}

func toAPIHumanAccount(h market.Human) api.HumanAccount {
	account := api.HumanAccount{
		ID: h.ID, Username: h.Username, Name: h.Name, Bio: h.Bio, WalletAddress: h.Wallet.Hex(),
		Skills: nonNil(h.Skills), Location: optional(h.Location), Remote: h.Remote, IsAvailable: h.Available,
		IsVerified: h.Link != nil, CreatedAt: market.TimeOf(h.CreatedAt),
	}
	if h.HourlyRate != nil {
		account.HourlyRate = new(h.HourlyRate.String())
	}
	if h.Link != nil {
		account.Network, account.Handle = &h.Link.Network, &h.Link.Handle
	}
	return account
}

// nonNil makes an empty list [] in JSON, not null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
