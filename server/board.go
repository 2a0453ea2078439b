package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/store"
)

// GetBoard answers the open tasks to everybody.
func (s *Server) GetBoard(ctx context.Context, request api.GetBoardRequestObject) (api.GetBoardResponseObject, error) {
	p := request.Params
	query := pageQuery(p.Page, p.PageSize, p.Cursor)
	page, err := s.store.Board(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.GetBoard200JSONResponse{Body: api.BoardPage{
		Tasks: mapAll(page.Items, toAPIBoardTask),
		Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func toAPIBoardTask(t store.BoardTask) api.BoardTask {
	return api.BoardTask{
		ID: t.ID, Title: t.Title, Skills: nonNil(t.Skills), Location: optional(t.Location), Remote: t.Remote,
		EscrowAmount: t.Amount, Deadline: market.OptionalTime(t.Deadline), AgentUsername: t.AgentUsername, AgentIsVerified: t.AgentVerified,
	}
}
