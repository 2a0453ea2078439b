package server

import (
	"context"
	_ "embed" // embeds skills.json
	"encoding/json"
	"fmt"
	"math/big"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gazetteer"
	"taskmarket/server/screening"
)

// The stake rate and the signing domain for verdicts, as defined in the contracts.
const (
	verdictDomain    = "TaskmarketEscrow"
	verdictVersion   = "1"
	stakeBasisPoints = 500
)

// tokenInfo caches the token's metadata, which never changes.
type tokenInfo struct{ cached atomic.Pointer[market.Token] }

// configHandler handles the operations with the tag "config".
type configHandler struct {
	*contracts

	head     func() (market.Block, error)
	skills   []api.SkillCategory
	explorer string
	version  string
	problems func(context.Context) []market.HealthReason
	stopping func() bool
	starting func() bool
	screen   *screening.Screen
}

// read returns the cached metadata. It reads the metadata from the chain if no earlier read has succeeded.
func (t *tokenInfo) read(ctx context.Context, reader Reader) (market.Token, error) {
	if cached := t.cached.Load(); cached != nil {
		return *cached, nil
	}
	token, err := reader.TokenInfo(ctx)
	if err != nil {
		return market.Token{}, err
	}
	t.cached.Store(&token)
	return token, nil
}

// tokenInfo returns the token's metadata.
func (h *configHandler) tokenInfo(ctx context.Context) (market.Token, error) {
	return h.token.read(ctx, h.reader)
}

// GetContractsConfig returns the addresses and parameters that a wallet needs to use the contracts.
func (h *configHandler) GetContractsConfig(ctx context.Context, _ api.GetContractsConfigRequestObject) (api.GetContractsConfigResponseObject, error) {
	token, err := h.tokenInfo(ctx)
	if err != nil {
		return nil, err
	}
	parameters, err := h.parameters(ctx)
	if err != nil {
		return nil, err
	}
	return api.GetContractsConfig200JSONResponse{Body: h.toAPIContractsConfig(token, parameters)}, nil
}

// parameters returns the escrow's parameters. It fails until the watcher has followed the first
// logs.
func (c *contracts) parameters(ctx context.Context) (market.Parameters, error) {
	p, err := c.store.Journal.Parameters(ctx)
	if err == nil && p.Panel == 0 {
		return p, market.Errorf(market.KindChainUnavailable, "the contract parameters have not been read from the chain yet")
	}
	return p, err
}

func (h *configHandler) toAPIContractsConfig(token market.Token, p market.Parameters) api.ContractsConfig {
	d := h.deployment
	config := api.ContractsConfig{
		ChainID: signed(d.ChainID),
		Token: api.TokenConfig{
			Address: d.Token.Hex(), Name: token.Name, Symbol: token.Symbol, Decimals: int(token.Decimals),
		},
		EscrowAddress: d.Escrow.Hex(), ApplicationStakingAddress: d.Staking.Hex(), TreasuryAddress: d.Treasury.Hex(),
		PermitDomain:  h.domain(token.Name, token.Version, d.Token),
		VerdictDomain: h.domain(verdictDomain, verdictVersion, d.Escrow),
		FeePercent:    market.FeePercent(p.FeeBasisPoints), FeeBasisPoints: int(p.FeeBasisPoints),
		MinimumEscrow: market.MinimumEscrow().String(), Stake: stakeRule(), Windows: windows(),
		Panel: signed(p.Panel), PanelSize: p.PanelSize(p.Panel), Quorum: int(p.QuorumOf(p.Panel)),
		ExplorerURL: optional(h.explorer),
	}
	if d.Distributor != (common.Address{}) {
		config.RewardDistributorAddress = new(d.Distributor.Hex())
	}
	return config
}

func (h *configHandler) domain(name, version string, contract common.Address) api.TypedDataDomain {
	return api.TypedDataDomain{
		Name: name, Version: version, ChainID: signed(h.deployment.ChainID), VerifyingContract: contract.Hex(),
	}
}

// stakeRule returns the rate and bounds of stakes. The minimum is the stake for an amount of zero, and the
// maximum is the stake for an amount larger than any balance.
func stakeRule() api.StakeRule {
	everything := new(big.Int).Lsh(big.NewInt(1), 255)
	return api.StakeRule{
		BasisPoints: stakeBasisPoints, LifetimeSeconds: int(market.StakeLifetime.Seconds()),
		Minimum: market.RequiredStake(new(big.Int)).String(), Maximum: market.RequiredStake(everything).String(),
	}
}

func windows() api.Windows {
	return api.Windows{
		Dispute:            int(market.DisputeWindow.Seconds()),
		ApprovedSettlement: int(market.ApprovedReview.Seconds()),
		DisputedSettlement: int(market.DisputedReview.Seconds()),
		SilentVerdicts:     int(market.EmergencyDelay.Seconds()),
		SilentSettlement:   int(market.SettleDelay.Seconds()),
		EmergencyRelease:   int(market.EmergencyDelay.Seconds()),
	}
}

//go:embed skills.json
var skillsFile []byte

// readSkills reads the platform's skill categories.
func readSkills() ([]api.SkillCategory, error) {
	var categories []api.SkillCategory
	if err := json.Unmarshal(skillsFile, &categories); err != nil {
		return nil, fmt.Errorf("read the skills: %w", err)
	}
	return categories, nil
}

// GetSkillsConfig returns the suggested skills, by category.
func (h *configHandler) GetSkillsConfig(context.Context, api.GetSkillsConfigRequestObject) (api.GetSkillsConfigResponseObject, error) {
	return api.GetSkillsConfig200JSONResponse{Body: api.SkillsConfig{Categories: h.skills}}, nil
}

// GetInstanceConfig returns what the operator forbids and requires, and the operator's links.
func (h *configHandler) GetInstanceConfig(_ context.Context, _ api.GetInstanceConfigRequestObject) (api.GetInstanceConfigResponseObject, error) {
	i := h.screen.Instance()
	return api.GetInstanceConfig200JSONResponse{Body: api.InstanceConfig{
		TermsURL: optional(i.TermsURL), PrivacyURL: optional(i.PrivacyURL), ContactURL: optional(i.ContactURL),
		MinimumAge: i.MinimumAge, ForbiddenCategories: nonNil(i.Categories), ForbiddenCountries: nonNil(i.Countries),
	}}, nil
}

// SearchLocations finds cities by a prefix of their names.
func (h *configHandler) SearchLocations(_ context.Context, request api.SearchLocationsRequestObject) (api.SearchLocationsResponseObject, error) {
	p := request.Params
	if gazetteer.Fold(p.Q) == "" {
		return nil, market.Invalid("q", "empty", "must contain a letter or a digit")
	}
	places, err := gazetteer.Search(p.Q)
	if err != nil {
		return nil, err
	}
	cut, err := pageOf(places, p.Page, p.PageSize, p.Cursor)
	if err != nil {
		return nil, err
	}
	return api.SearchLocations200JSONResponse{Body: api.LocationPage{
		Locations: mapAll(cut.items, toAPIPlace), Total: int64(len(places)), Page: cut.page, PageSize: cut.size, NextCursor: cut.next,
	}}, nil
}

func toAPIPlace(p *gazetteer.Place) api.Place {
	return api.Place{
		Name: p.Name, Region: optional(p.Region), Country: p.Country, CountryCode: p.CountryCode,
		Latitude: &p.Latitude, Longitude: &p.Longitude,
	}
}
