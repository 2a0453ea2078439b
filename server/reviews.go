package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// reviewsHandler handles the operations with the tag "reviews".
type reviewsHandler struct {
	*taskAccess
}

// ReviewTask stores one party's review of the other after the end of a task, or a rejected applicant's
// review of the agent.
func (h *reviewsHandler) ReviewTask(ctx context.Context, request api.ReviewTaskRequestObject) (api.ReviewTaskResponseObject, error) {
	if request.Body.Comment != nil {
		if err := market.CheckText("comment", *request.Body.Comment); err != nil {
			return nil, err
		}
	}
	task, role, err := h.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if gate.PrincipalOf(ctx).Kind == market.PrincipalAgent || role == market.RoleHuman {
		if err := h.permits(ctx, task, market.ActionReview, role); err != nil {
			return nil, err
		}
	} // Otherwise AddReview checks that the human lost a stake through a rejection.
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	reviewer := gate.PrincipalOf(ctx)
	review, err := h.store.AddReview(ctx, store.Review{
		ID: id, TaskID: task.ID, ReviewerKind: reviewer.Kind, ReviewerID: reviewer.ID,
		Rating: request.Body.Rating, Comment: deref(request.Body.Comment),
	})
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: review.ID, title: "review", texts: []string{review.Comment}})
	return api.ReviewTask201JSONResponse{Body: toAPIReview(review)}, nil
}

// ListAgentReviews returns the reviews of an agent.
func (h *reviewsHandler) ListAgentReviews(ctx context.Context, request api.ListAgentReviewsRequestObject) (api.ListAgentReviewsResponseObject, error) {
	p := request.Params
	page, err := h.reviews(ctx, store.ReviewQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), SubjectKind: market.PrincipalAgent, SubjectID: request.ID,
	})
	if err != nil {
		return nil, err
	}
	return api.ListAgentReviews200JSONResponse{Body: page}, nil
}

// ListHumanReviews returns the reviews of a human.
func (h *reviewsHandler) ListHumanReviews(ctx context.Context, request api.ListHumanReviewsRequestObject) (api.ListHumanReviewsResponseObject, error) {
	p := request.Params
	page, err := h.reviews(ctx, store.ReviewQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), SubjectKind: market.PrincipalHuman, SubjectID: request.ID,
	})
	if err != nil {
		return nil, err
	}
	return api.ListHumanReviews200JSONResponse{Body: page}, nil
}

func (h *reviewsHandler) reviews(ctx context.Context, query store.ReviewQuery) (api.ReviewPage, error) {
	page, err := h.store.Reviews(ctx, query)
	if err != nil {
		return api.ReviewPage{}, err
	}
	return api.ReviewPage{
		Reviews: mapAll(page.Items, toAPIReview), AverageRating: page.Rating.Average, TotalReviews: page.Rating.Reviews,
		Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}, nil
}

func toAPIReview(r store.Review) api.Review {
	return api.Review{
		ID: r.ID, TaskID: r.TaskID, ReviewerType: api.Party(r.ReviewerKind), ReviewerID: r.ReviewerID,
		ReviewerUsername: r.ReviewerUsername, RevieweeType: api.Party(r.SubjectKind), RevieweeID: r.SubjectID,
		Rating: r.Rating, Comment: optional(r.Comment), AfterRejection: r.AfterRejection, CreatedAt: market.TimeOf(r.CreatedAt),
	}
}
