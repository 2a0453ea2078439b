package server

import (
	"context"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// ListTaskMessages answers what the sides of a task wrote to each other.
func (s *Server) ListTaskMessages(ctx context.Context, request api.ListTaskMessagesRequestObject) (api.ListTaskMessagesResponseObject, error) {
	task, role, err := s.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if role != market.RoleAgent && role != market.RoleHuman {
		return nil, market.Errorf(market.KindForbidden, "the messages of this task are for its agent and its assigned human")
	}
	p := request.Params
	query := store.MessageQuery{PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), TaskID: task.ID, Reader: gate.PrincipalOf(ctx)}
	page, err := s.store.Messages(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListTaskMessages200JSONResponse{Body: api.MessagePage{
		Messages: mapAll(page.Items, toAPIMessage),
		Total:    int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// PostTaskMessage sends a message to the other side of a task.
func (s *Server) PostTaskMessage(ctx context.Context, request api.PostTaskMessageRequestObject) (api.PostTaskMessageResponseObject, error) {
	if err := market.CheckText("content", request.Body.Content); err != nil {
		return nil, err
	}
	task, role, err := s.taskFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if err := s.permits(ctx, task, market.ActionMessage, role); err != nil {
		return nil, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	sender := gate.PrincipalOf(ctx)
	message, err := s.store.AddMessage(ctx, market.Message{
		ID: id, TaskID: task.ID, SenderKind: sender.Kind, SenderID: sender.ID, Content: request.Body.Content,
	})
	if err != nil {
		return nil, err
	}
	return api.PostTaskMessage201JSONResponse{Body: toAPIMessage(message)}, nil
}

func toAPIMessage(m market.Message) api.Message {
	return api.Message{
		ID: m.ID, TaskID: m.TaskID, SenderType: api.Party(m.SenderKind), SenderID: m.SenderID,
		Content: m.Content, CreatedAt: market.TimeOf(m.CreatedAt), ReadAt: market.OptionalTime(m.ReadAt),
	}
}
