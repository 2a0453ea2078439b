package server

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// ListSessions returns the signed-in human's sessions, the most recently used first.
func (h *authHandler) ListSessions(ctx context.Context, _ api.ListSessionsRequestObject) (api.ListSessionsResponseObject, error) {
	who := gate.CallerOf(ctx)
	sessions, err := h.store.Sessions(ctx, who.Principal.ID)
	if err != nil {
		return nil, err
	}
	current := store.SessionID(who.Session.IDHash)
	return api.ListSessions200JSONResponse{Body: api.SessionList{
		Sessions: mapAll(sessions, func(s market.SessionRecord) api.SessionRecord { return toAPISessionRecord(s, current) }),
	}}, nil
}

func toAPISessionRecord(s market.SessionRecord, current uuid.UUID) api.SessionRecord {
	record := api.SessionRecord{
		ID: s.ID, IsCurrent: s.ID == current,
		Browser: api.SessionRecordBrowser(s.Device.Browser), System: api.SessionRecordSystem(s.Device.System),
		CreatedAt: market.TimeOf(s.CreatedAt), LastUsedAt: market.TimeOf(s.LastUsedAt), ExpiresAt: market.TimeOf(s.ExpiresAt),
	}
	if s.Network.IsValid() {
		record.Network = new(s.Network.String())
	}
	return record
}

// LogoutSession ends one of the signed-in human's sessions.
func (h *authHandler) LogoutSession(ctx context.Context, request api.LogoutSessionRequestObject) (api.LogoutSessionResponseObject, error) {
	if err := h.store.EndSession(ctx, gate.PrincipalOf(ctx).ID, request.SessionID); err != nil {
		return nil, err
	}
	return api.LogoutSession200JSONResponse{Body: api.Logout{Message: "The session has ended."}}, nil
}

// LogoutEverywhere ends all sessions of the signed-in human, including this one.
func (h *authHandler) LogoutEverywhere(ctx context.Context, _ api.LogoutEverywhereRequestObject) (api.LogoutEverywhereResponseObject, error) {
	if err := h.store.EndSessions(ctx, gate.PrincipalOf(ctx).ID); err != nil {
		return nil, err
	}
	return api.LogoutEverywhere200JSONResponse{
		Body:    api.Logout{Message: "You are signed out everywhere."},
		Headers: api.LogoutEverywhere200ResponseHeaders{SetCookie: h.sessions.Cookie("")},
	}, nil
}
