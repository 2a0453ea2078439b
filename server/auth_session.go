package server

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// GetSession answers who is signed in and the token that unsafe methods need.
func (s *Server) GetSession(ctx context.Context, _ api.GetSessionRequestObject) (api.GetSessionResponseObject, error) {
	who := gate.CallerOf(ctx)
	position, err := s.eventsAfter(ctx, who.Principal.ID, *who.Session)
	if err != nil {
		return nil, err
	}
	human, err := s.store.Human(ctx, who.Principal.ID)
	if err != nil {
		return nil, err
	}
	account, err := s.humanAccount(ctx, human)
	if err != nil {
		return nil, err
	}
	return api.GetSession200JSONResponse{Body: api.Session{
		Human: account, CSRFToken: who.Session.CSRF, ExpiresAt: market.TimeOf(who.Session.ExpiresAt), EventsAfter: position,
	}}, nil
}

// eventsAfter returns where the log of events stands. Call it before any read
// that the answer is made of: a change between the two is then an event after it.
func (s *Server) eventsAfter(ctx context.Context, humanID uuid.UUID, of gate.Session) (api.EventID, error) {
	now, err := s.store.Events(ctx, store.EventQuery{UserID: humanID, Credential: of.IDHash, Limit: 1})
	return now.Next.String(), err
}

// Logout ends the session for good: its token is of no use any more.
func (s *Server) Logout(ctx context.Context, _ api.LogoutRequestObject) (api.LogoutResponseObject, error) {
	if err := s.store.SignOut(ctx, gate.CallerOf(ctx).Session.IDHash); err != nil {
		return nil, err
	}
	return api.Logout200JSONResponse{
		Body:    api.Logout{Message: "You are signed out."},
		Headers: api.Logout200ResponseHeaders{SetCookie: s.gate.Sessions.Cookie("")},
	}, nil
}
