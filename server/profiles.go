package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/social"
	"taskmarket/store"
)

// profileReviews is how many of the latest reviews a profile shows.
const profileReviews = 10

// GetProfile answers what may be known of the user who has the name.
func (s *Server) GetProfile(ctx context.Context, request api.GetProfileRequestObject) (api.GetProfileResponseObject, error) {
	profile, err := s.store.Profile(ctx, request.Username)
	if err != nil {
		return nil, err
	}
	standing, err := s.standing(ctx, profile)
	if err != nil {
		return nil, err
	}
	reviews, err := s.store.Reviews(ctx, store.ReviewQuery{
		PageQuery: store.PageQuery{PageSize: profileReviews}, SubjectKind: profile.Kind, SubjectID: profile.ID,
	})
	if err != nil {
		return nil, err
	}
	body := toAPIProfile(profile)
	body.Karma, body.Reviews = standing.Karma, mapAll(reviews.Items, toAPIReview)
	return api.GetProfile200JSONResponse{Body: body}, nil
}

func (s *Server) standing(ctx context.Context, p market.Profile) (market.Standing, error) {
	if p.Kind == market.PrincipalAgent {
		return s.store.Standing(ctx, p.ID)
	}
	return s.store.HumanStanding(ctx, p.ID)
}

func toAPIProfile(p market.Profile) api.Profile {
	profile := api.Profile{
		Type: api.Party(p.Kind), Username: p.Username, DisplayName: p.Name, Bio: p.Bio,
		IsVerified: p.Handle != "", IsXVerified: p.Network == social.XHost, Handle: optional(p.Handle), MemberSince: market.TimeOf(p.MemberSince),
		Stats: api.ProfileStats{
			AvgRating: p.Record.Rating.Average, TotalReviews: p.Record.Rating.Reviews,
			TasksCompleted: p.Record.Completed, TasksCancelledAfterAcceptance: p.Record.CancelledLate,
			Disputes: p.Record.Disputes, RejectionRate: p.Record.RejectionShare,
		},
	}
	if p.Kind == market.PrincipalHuman {
		profile.IsAvailable, profile.Skills, profile.Location = &p.Available, new(nonNil(p.Skills)), optional(p.Location)
	}
	return profile
}
