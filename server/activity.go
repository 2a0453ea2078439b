package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// activityHandler handles the operations with the tag "activity".
type activityHandler struct {
	store    *store.Store
	streams  *streams
	stopping func() bool
}

// ListActivity returns the caller's activity feed.
func (h *activityHandler) ListActivity(ctx context.Context, request api.ListActivityRequestObject) (api.ListActivityResponseObject, error) {
	p := request.Params
	query := store.ActivityQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), Principal: gate.PrincipalOf(ctx),
		Type: market.ActivityType(deref(p.Type)), After: deref(p.After).Time, Before: deref(p.Before).Time,
	}
	page, err := h.store.Activities(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListActivity200JSONResponse{Body: api.ActivityPage{
		Activities: mapAll(page.Items, toAPIActivity),
		Total:      int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func toAPIActivity(a market.Activity) api.Activity {
	text, _ := a.Content.TextFor(a.Audience)
	out := api.Activity{
		ID: a.ID, EventType: api.ActivityType(a.Type), Kind: api.ActivityKind(a.Content.Kind),
		Params: api.ActivityParams{
			Actor: optional(api.Party(a.Content.Actor)), RevertedKind: optional(api.ActivityKind(a.Content.RevertedKind)),
		},
		Title: text.Title, Description: text.Description, TaskID: a.TaskID, TaskTitle: optional(a.TaskTitle),
		CounterpartyName: optional(a.OtherName), CounterpartyUsername: optional(a.OtherUsername),
		RelatedID: a.RelatedID, Status: api.ActivityStatus(a.Status), CreatedAt: market.TimeOf(a.CreatedAt),
	}
	if a.Amount != nil {
		out.Amount = new(a.Amount.String())
	}
	if a.TxHash != nil {
		out.TxHash = new(a.TxHash.Hex())
	}
	return out
}
