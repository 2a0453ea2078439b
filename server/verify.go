package server

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
)

// VerifyAgent links a social-network account to the agent, on the word of a
// post of that account which holds the agent's code.
func (s *Server) VerifyAgent(ctx context.Context, request api.VerifyAgentRequestObject) (api.VerifyAgentResponseObject, error) {
	agent, err := s.store.Agent(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	owner := principalOf(ctx).ID == agent.ID
	if agent.Link != nil && !owner {
		return nil, market.Errorf(market.KindAlreadyVerified, "this agent is verified already").
			WithHint("send the agent's own X-API-Key to replace the linked account")
	}
	if !s.now().Before(agent.CodeExpiresAt) {
		return nil, market.Errorf(market.KindVerificationFailed, "the agent's verification code has expired").
			WithHint("GET /agents/me answers a new one")
	}
	link, err := s.readPost(ctx, request.Body.PostURL, agent.VerificationCode)
	if err != nil {
		return nil, err
	}
	if err := s.store.LinkSocial(ctx, market.PrincipalAgent, agent.ID, agent.VerificationCode, link, owner); err != nil {
		return nil, err
	}
	return api.VerifyAgent200JSONResponse{Body: api.AgentVerification{
		Verified: true, AgentID: agent.ID, Network: link.Network, Handle: link.Handle, VerifiedAt: market.TimeOf(link.VerifiedAt),
	}}, nil
}

// readPost asks the network that the URL names for the post, and returns the
// account that wrote the code.
func (s *Server) readPost(ctx context.Context, postURL, code string) (market.SocialLink, error) {
	for _, network := range s.networks {
		ref, ok := network.Parse(postURL)
		if !ok {
			continue
		}
		post, err := network.Post(ctx, ref)
		if err != nil {
			return market.SocialLink{}, err
		}
		return s.linkOf(ref.Network, post, code)
	}
	return market.SocialLink{}, market.Errorf(market.KindVerificationFailed,
		"the address is not of a post on a network that is known here").
		WithHint("send the address of a public post, as in https://mastodon.social/@handle/112233445566778899; the service's /skill.md lists the networks")
}

func (s *Server) linkOf(network string, post Post, code string) (market.SocialLink, error) {
	if !strings.Contains(post.Text, code) {
		return market.SocialLink{}, market.Errorf(market.KindVerificationFailed, "the post does not hold the verification code")
	}
	return market.SocialLink{
		Network: network, Handle: post.Handle, AccountID: post.AccountID, PostID: post.ID, VerifiedAt: s.now().Truncate(time.Millisecond),
	}, nil
}

// withCurrentCode gives the agent a new verification code when the old one has
// expired: there is always one to post.
func (s *Server) withCurrentCode(ctx context.Context, agent market.Agent) (market.Agent, error) {
	var err error
	agent.VerificationCode, agent.CodeExpiresAt, err = s.currentCode(
		ctx, market.PrincipalAgent, agent.ID, agent.VerificationCode, agent.CodeExpiresAt)
	return agent, err
}

// currentCode keeps a user's code while it lives and replaces it after.
func (s *Server) currentCode(ctx context.Context, kind market.PrincipalKind, id uuid.UUID, code string, expires time.Time) (string, time.Time, error) {
	if s.now().Before(expires) {
		return code, expires, nil
	}
	code, expires = newCode(), s.now().Add(market.CodeLifetime)
	return code, expires, s.store.SetVerificationCode(ctx, kind, id, code, expires)
}
