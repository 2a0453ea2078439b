package server

import (
	"context"
	"slices"
	"strings"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/gazetteer"
	"taskmarket/server/screening"
	"taskmarket/store"
)

// humansHandler handles the operations with the tag "humans".
type humansHandler struct {
	*accounts
	*taskAccess

	store  *store.Store
	screen *screening.Screen
	now    func() time.Time
}

// GetHumanMe returns the signed-in human's record.
func (h *humansHandler) GetHumanMe(ctx context.Context, _ api.GetHumanMeRequestObject) (api.GetHumanMeResponseObject, error) {
	human, err := h.store.Human(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	human.VerificationCode, human.CodeExpiresAt, err = h.currentCode(
		ctx, market.PrincipalHuman, human.ID, human.VerificationCode, human.CodeExpiresAt)
	if err != nil {
		return nil, err
	}
	account, err := h.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	account.VerificationCode = &human.VerificationCode
	return api.GetHumanMe200JSONResponse{Body: account}, nil
}

// humanAccount converts a human's record and adds whether the human is a validator.
func (a *accounts) humanAccount(ctx context.Context, h market.Human) (api.HumanAccount, error) {
	parameters, err := a.store.Journal.Parameters(ctx)
	if err != nil {
		return api.HumanAccount{}, err
	}
	account := toAPIHumanAccount(h)
	account.IsValidator = parameters.ValidatorIn(h.Wallet, parameters.Panel)
	return account, nil
}

func toAPIHumanAccount(h market.Human) api.HumanAccount {
	account := api.HumanAccount{
		ID: h.ID, Username: h.Username, DisplayName: h.Name, Bio: h.Bio, WalletAddress: h.Wallet.Hex(),
		Skills: nonNil(h.Skills), Location: optional(h.Location), Remote: h.Remote, IsAvailable: h.Available,
		IsVerified: h.Link != nil, AdultAt: market.OptionalTime(h.AdultAt), CreatedAt: market.TimeOf(h.CreatedAt),
	}
	if h.HourlyRate != nil {
		account.HourlyRate = new(h.HourlyRate.String())
	}
	if h.Link != nil {
		account.Network, account.Handle = &h.Link.Network, &h.Link.Handle
	}
	return account
}

// nonNil replaces nil with an empty slice, so that JSON contains [], not null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// ChangeHumanMe changes the signed-in human's record and returns it.
func (h *humansHandler) ChangeHumanMe(ctx context.Context, request api.ChangeHumanMeRequestObject) (api.ChangeHumanMeResponseObject, error) {
	change, err := fromAPIChangeHumanRequest(request.Body, gate.PrincipalOf(ctx).Username)
	if err != nil {
		return nil, err
	}
	before, err := h.store.Human(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	// The current name passes even if it is reserved, because clients send whole profiles, and the name may be older
	// than the rule.
	if change.Name != nil && *change.Name != before.Name {
		if err := market.CheckName("display_name", *change.Name); err != nil {
			return nil, err
		}
	}
	if err := h.screen.Instance().CheckLocation(deref(change.Location)); err != nil {
		return nil, err
	}
	human, err := h.store.ChangeHuman(ctx, gate.PrincipalOf(ctx).ID, change)
	if err != nil {
		return nil, err
	}
	if texts := profileTexts(human); !slices.Equal(texts, profileTexts(before)) {
		h.screenText(ctx, writing{record: human.ID, title: "profile", texts: texts})
	}
	account, err := h.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	return api.ChangeHumanMe200JSONResponse{Body: account}, nil
}

// profileTexts returns the texts of a profile that other users read.
func profileTexts(h market.Human) []string {
	return append([]string{h.Username, h.Name, h.Bio, h.Location}, h.Skills...)
}

func fromAPIChangeHumanRequest(body *api.ChangeHumanRequest, username string) (store.HumanChange, error) {
	change := store.HumanChange{
		Username: body.Username, Name: body.DisplayName, Bio: body.Bio, Skills: body.Skills,
		Location: body.Location, Remote: body.Remote, Available: body.IsAvailable, Adult: body.IsAdult != nil,
	}
	if err := checkHumanText(change, username); err != nil {
		return change, err
	}
	if change.Location != nil {
		change.Place = gazetteer.Fold(*change.Location)
	}
	var err error
	change.HourlyRate, err = weiParameter("hourly_rate", body.HourlyRate)
	return change, err
}

// checkHumanText checks the texts of a change, except the display name. Clients send whole profiles, so the current
// username passes even if it is reserved: it may be older than the rule, or an erasure may have set it.
func checkHumanText(change store.HumanChange, username string) error {
	if change.Username != nil && *change.Username != username {
		if err := market.CheckUsername(*change.Username); err != nil {
			return err
		}
	}
	for _, skill := range deref(change.Skills) {
		if err := market.CheckLine("skills", skill); err != nil {
			return err
		}
	}
	if deref(change.Location) == "" {
		return nil
	}
	return market.CheckLine("location", *change.Location)
}

// VerifyHuman links a social-network account to the signed-in human. The proof is a post by that
// account that contains the human's code.
func (h *humansHandler) VerifyHuman(ctx context.Context, request api.VerifyHumanRequestObject) (api.VerifyHumanResponseObject, error) {
	human, err := h.store.Human(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	if !h.now().Before(human.CodeExpiresAt) {
		return nil, market.Errorf(market.KindVerificationFailed, "your verification code has expired").
			WithHint("reload the page for a new code, then publish that one")
	}
	network, post, err := h.readPost(ctx, request.Body.PostURL, request.Body.TweetURL)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(post.Text, human.VerificationCode) {
		return nil, noCode()
	}
	link := h.linkOf(network, post)
	if err := h.store.LinkSocial(ctx, market.PrincipalHuman, human.ID, human.VerificationCode, link); err != nil {
		return nil, err
	}
	return api.VerifyHuman200JSONResponse{Body: api.HumanVerification{
		Verified: true, HumanID: human.ID, Network: link.Network, Handle: link.Handle, VerifiedAt: market.TimeOf(link.VerifiedAt),
	}}, nil
}

// ListHumanTasks returns the tasks that were assigned to the signed-in human.
func (h *humansHandler) ListHumanTasks(ctx context.Context, request api.ListHumanTasksRequestObject) (api.ListHumanTasksResponseObject, error) {
	p := request.Params
	query := store.TaskQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), Viewer: gate.PrincipalOf(ctx), Scope: store.ScopeHired,
		Status: mapAll(deref(p.Status), func(status api.TaskStatus) market.Status { return market.Status(status) }),
	}
	page, err := h.taskPage(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListHumanTasks200JSONResponse{Body: page}, nil
}

// ListHumanApplications returns the signed-in human's applications.
func (h *humansHandler) ListHumanApplications(ctx context.Context, request api.ListHumanApplicationsRequestObject) (api.ListHumanApplicationsResponseObject, error) {
	query := pageQuery(request.Params.Page, request.Params.PageSize, request.Params.Cursor)
	page, err := h.store.ApplicationsOf(ctx, gate.PrincipalOf(ctx).ID, query)
	if err != nil {
		return nil, err
	}
	return api.ListHumanApplications200JSONResponse{Body: api.ApplicationPage{
		Applications: mapAll(page.Items, toAPIApplication),
		Total:        int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// ListAvailableHumans returns the humans who are available for work.
func (h *humansHandler) ListAvailableHumans(ctx context.Context, request api.ListAvailableHumansRequestObject) (api.ListAvailableHumansResponseObject, error) {
	query, err := fromAPIListAvailableHumansParams(request.Params)
	if err != nil {
		return nil, err
	}
	page, err := h.store.AvailableHumans(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListAvailableHumans200JSONResponse{Body: api.HumanPage{
		Humans: mapAll(page.Items, toAPIAvailableHuman),
		Total:  int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func fromAPIListAvailableHumansParams(p api.ListAvailableHumansParams) (store.HumanQuery, error) {
	query := store.HumanQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), Q: deref(p.Q), Skill: deref(p.Skill),
		Place: gazetteer.Fold(deref(p.Location)), Remote: p.Remote, MinRating: p.MinRating, Verified: p.Verified,
	}
	if p.Location != nil && query.Place == "" {
		return query, errBlankPlace
	}
	return query, nil
}

var errBlankPlace = market.Invalid("location", "blank", "must contain a letter or a digit")

func toAPIAvailableHuman(h store.Listing) api.AvailableHuman {
	human := api.AvailableHuman{
		ID: h.ID, Username: h.Username, DisplayName: h.Name, Bio: h.Bio, Skills: nonNil(h.Skills),
		Location: optional(h.Location), Remote: h.Remote, IsVerified: h.Verified,
		AvgRating: h.Rating.Average, TotalReviews: h.Rating.Reviews,
		TasksCompleted: h.Standing.Completed, Counterparties: h.Standing.Counterparties,
	}
	if h.HourlyRate != nil {
		human.HourlyRate = new(h.HourlyRate.String())
	}
	return human
}
