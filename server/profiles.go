package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/social"
	"taskmarket/store"
)

// profileReviews is the maximum number of reviews in a profile, which contains the latest ones.
const profileReviews = 10

// profilesHandler handles the operations with the tag "profiles".
type profilesHandler struct {
	store *store.Store
}

// GetProfile returns the profile of the user with the username.
func (h *profilesHandler) GetProfile(ctx context.Context, request api.GetProfileRequestObject) (api.GetProfileResponseObject, error) {
	profile, err := h.store.Profile(ctx, request.Username)
	if err != nil {
		return nil, err
	}
	self := profile.ID == gate.PrincipalOf(ctx).ID
	if profile.State == market.AccountHidden && !self {
		return nil, market.Errorf(market.KindNotFound, "moderators have hidden this profile").WithHint("it becomes visible again if the measure ends")
	}
	if profile.State == market.AccountSuspended && !self { // the profile may have been hidden before the suspension
		profile.Bio, profile.Skills, profile.Location = "", nil, ""
	}
	standing, err := h.standing(ctx, profile)
	if err != nil {
		return nil, err
	}
	reviews, err := h.store.Reviews(ctx, store.ReviewQuery{
		PageQuery: store.PageQuery{PageSize: profileReviews}, SubjectKind: profile.Kind, SubjectID: profile.ID,
	})
	if err != nil {
		return nil, err
	}
	body := toAPIProfile(profile)
	body.Stats.TasksCompleted, body.Stats.Counterparties = standing.Completed, standing.Counterparties
	body.Stats.RejectionRate = standing.RejectionShare()
	body.Karma, body.Reviews = standing.Karma, mapAll(reviews.Items, toAPIReview)
	return api.GetProfile200JSONResponse{Body: body}, nil
}

func (h *profilesHandler) standing(ctx context.Context, p store.Profile) (market.Standing, error) {
	if p.Kind == market.PrincipalAgent {
		return h.store.Standing(ctx, p.ID)
	}
	return h.store.HumanStanding(ctx, p.ID)
}

func toAPIProfile(p store.Profile) api.Profile {
	profile := api.Profile{
		Type: api.Party(p.Kind), Username: p.Username, DisplayName: p.Name, Bio: p.Bio,
		IsVerified: p.Handle != "", IsXVerified: p.Network == social.XHost, Handle: optional(p.Handle), MemberSince: market.TimeOf(p.MemberSince),
		Stats: api.ProfileStats{
			AvgRating: p.Record.Rating.Average, TotalReviews: p.Record.Rating.Reviews,
			TasksCancelledAfterAcceptance: p.Record.CancelledLate,
			Disputes:                      p.Record.Disputes,
		},
	}
	if p.State == market.AccountSuspended {
		profile.IsSuspended = new(true)
	}
	switch p.Kind {
	case market.PrincipalAgent:
		profile.IsAvailable = new(false) // agents do no work
		profile.UsernameChanged, profile.Stats.RejectedApplications = &p.UsernameChanged, &p.Record.Rejections
	case market.PrincipalHuman:
		profile.IsAvailable, profile.Skills, profile.Location = &p.Available, new(nonNil(p.Skills)), optional(p.Location)
	}
	return profile
}
