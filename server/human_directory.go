package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gazetteer"
	"taskmarket/store"
)

// ListAvailableHumans answers who looks for work.
func (s *Server) ListAvailableHumans(ctx context.Context, request api.ListAvailableHumansRequestObject) (api.ListAvailableHumansResponseObject, error) {
	query, err := fromAPIListAvailableHumansParams(request.Params)
	if err != nil {
		return nil, err
	}
	page, err := s.store.AvailableHumans(ctx, query)
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

var errBlankPlace = market.Invalid("location", "blank", "must hold a letter or a digit")

func toAPIAvailableHuman(h market.Listing) api.AvailableHuman {
	human := api.AvailableHuman{
		ID: h.ID, Username: h.Username, DisplayName: h.Name, Bio: h.Bio, Skills: nonNil(h.Skills),
		Location: optional(h.Location), Remote: h.Remote, IsVerified: h.Verified,
		AvgRating: h.Rating.Average, TotalReviews: h.Rating.Reviews, TasksCompleted: h.Completed,
	}
	if h.HourlyRate != nil {
		human.HourlyRate = new(h.HourlyRate.String())
	}
	return human
}
