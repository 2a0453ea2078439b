package server

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/social"
	"taskmarket/store"
)

// accounts links social-network accounts to users.
type accounts struct {
	store    *store.Store
	networks []social.Network
	now      func() time.Time
}

// VerifyAgent links a social-network account to the agent. The proof is a post by that account
// that contains the agent's code. The operation needs no credentials, and anyone can read and copy the
// post. Therefore:
//
//  1. A code for a named account links only that account.
//  2. A code for any account links the author of the earliest post that contains it. Example: agent A
//     posts its code at 12:00:00. B copies the post at 12:00:05 and calls this operation first, so A is
//     linked to B's account. A call that names A's own post corrects this, and B's post is then refused.
//  3. Otherwise a link can be replaced only with a new code, which is for a named account.
func (h *agentsHandler) VerifyAgent(ctx context.Context, request api.VerifyAgentRequestObject) (api.VerifyAgentResponseObject, error) {
	verified, err := h.verify(ctx, request.ID, request.Body)
	if err != nil {
		return nil, err
	}
	return api.VerifyAgent200JSONResponse{Body: verified}, nil
}

// VerifyAgentMe is VerifyAgent for the calling agent.
func (h *agentsHandler) VerifyAgentMe(ctx context.Context, request api.VerifyAgentMeRequestObject) (api.VerifyAgentMeResponseObject, error) {
	verified, err := h.verify(ctx, gate.PrincipalOf(ctx).ID, request.Body)
	if err != nil {
		return nil, err
	}
	return api.VerifyAgentMe200JSONResponse{Body: verified}, nil
}

func (h *agentsHandler) verify(ctx context.Context, id uuid.UUID, body *api.VerifyAgentRequest) (api.AgentVerification, error) {
	agent, err := h.store.Agent(ctx, id)
	if err != nil {
		return api.AgentVerification{}, err
	}
	network, post, err := h.readPost(ctx, body.PostURL, body.TweetURL)
	if err != nil {
		return api.AgentVerification{}, err
	}
	link, err := h.linkAgent(ctx, agent, h.linkOf(network, post), post.Text)
	if errors.Is(err, store.ErrLinkChanged) { // a concurrent request changed the link
		if agent, err = h.store.Agent(ctx, id); err == nil {
			link, err = h.linkAgent(ctx, agent, h.linkOf(network, post), post.Text)
		}
	}
	return api.AgentVerification{
		Verified: true, AgentID: agent.ID, Network: link.Network, Handle: link.Handle, VerifiedAt: market.TimeOf(link.VerifiedAt),
	}, err
}

// linkAgent links the agent to the author of the post. It returns the current link if that is from
// the same post.
func (h *agentsHandler) linkAgent(ctx context.Context, agent market.Agent, link market.SocialLink, text string) (market.SocialLink, error) {
	current := h.now().Before(agent.CodeExpiresAt)
	switch {
	case current && strings.Contains(text, agent.VerificationCode):
		if account := market.Account(link.Handle, link.Network); agent.CodeAccount != "" && agent.CodeAccount != account {
			return link, market.Errorf(market.KindVerificationFailed, "the code in the post is for the account %s only", agent.CodeAccount).
				WithHint("post it from that account, or get a code for the handle of another account")
		}
		return link, h.store.LinkSocial(ctx, market.PrincipalAgent, agent.ID, agent.VerificationCode, link)
	case agent.Link != nil && agent.Link.Network == link.Network && agent.Link.PostID == link.PostID:
		return *agent.Link, nil
	case agent.LinkedCode != "" && strings.Contains(text, agent.LinkedCode) && link.PostedAt.Before(agent.Link.PostedAt):
		return link, h.store.DisplaceSocial(ctx, agent.ID, agent.LinkedCode, link)
	case agent.Link != nil && !current:
		return link, market.Errorf(market.KindAlreadyVerified, "this agent is already verified").
			WithHint("to replace the linked account, get a code for the new one with GET /agents/me?handle=ACCOUNT")
	case !current:
		return link, market.Errorf(market.KindVerificationFailed, "the agent's verification code has expired").
			WithHint("get a new code with GET /agents/me, then publish that one")
	}
	return link, noCode()
}

func noCode() error {
	return market.Errorf(market.KindVerificationFailed, "the post does not contain the verification code").
		WithHint("publish the current code, then send the URL of that post")
}

// readPost fetches the post from its network. Either field can contain the URL; openapi.yaml
// requires one of them.
func (a *accounts) readPost(ctx context.Context, post, tweet *string) (network string, _ social.Post, err error) {
	if post != nil && tweet != nil && *post != *tweet {
		return "", social.Post{}, market.Invalid("tweet_url", "different", "must be equal to post_url; send one of them")
	}
	postURL := deref(cmp.Or(post, tweet))
	for _, network := range a.networks {
		ref, ok := network.Parse(postURL)
		if !ok {
			continue
		}
		post, err := network.Post(ctx, ref)
		if err == nil && post.At.IsZero() {
			err = social.NetworkAway(ref.Network, errors.New("the post has no time"))
		}
		return ref.Network, post, err
	}
	return "", social.Post{}, market.Errorf(market.KindVerificationFailed,
		"this is not the URL of a post on a supported network").
		WithHint("use the URL of a public post, such as https://mastodon.social/@handle/112233445566778899; supported networks: " + a.supported())
}

func (a *accounts) linkOf(network string, post social.Post) market.SocialLink {
	return market.SocialLink{
		Network: network, Handle: post.Handle, AccountID: post.AccountID, PostID: post.ID,
		PostedAt: post.At.Truncate(time.Millisecond), VerifiedAt: a.now().Truncate(time.Millisecond),
	}
}

// withCode sets the agent's verification code for the account with the handle, or for any account
// if handle is nil. It reuses an unexpired code for the same account; if handle is nil, it reuses
// any unexpired code. A verified agent gets a new code only for a named account.
func (a *accounts) withCode(ctx context.Context, agent market.Agent, handle *string) (market.Agent, error) {
	account := strings.TrimPrefix(strings.ToLower(deref(handle)), "@")
	current := a.now().Before(agent.CodeExpiresAt)
	switch {
	case current && (account == "" || account == agent.CodeAccount):
		return agent, nil
	case account == "" && agent.Link != nil:
		agent.VerificationCode, agent.CodeAccount = "", ""
		return agent, nil
	case account != "" && !a.knows(account):
		return agent, market.Invalid("handle", "network", "the network of %q is not supported; supported networks: %s", account, a.supported())
	}
	agent.VerificationCode, agent.CodeAccount, agent.CodeExpiresAt = newCode(), account, a.now().Add(market.CodeLifetime)
	return agent, a.store.SetVerificationCode(ctx, market.PrincipalAgent, agent.ID, agent.VerificationCode, account, agent.CodeExpiresAt)
}

// supported lists the host names of the configured networks.
func (a *accounts) supported() string {
	var hosts []string
	for _, network := range a.networks {
		hosts = append(hosts, network.Hosts()...)
	}
	return cmp.Or(strings.Join(hosts, ", "), "none")
}

// knows reports whether the account belongs to a configured network.
func (a *accounts) knows(account string) bool {
	_, host, _ := strings.Cut(account, "@")
	return slices.ContainsFunc(a.networks, func(n social.Network) bool {
		return slices.ContainsFunc(n.Hosts(), func(configured string) bool { return strings.EqualFold(configured, host) })
	})
}

// currentCode returns a user's code while it is valid, otherwise a new one.
func (a *accounts) currentCode(ctx context.Context, kind market.PrincipalKind, id uuid.UUID, code string, expires time.Time) (string, time.Time, error) {
	if a.now().Before(expires) {
		return code, expires, nil
	}
	code, expires = newCode(), a.now().Add(market.CodeLifetime)
	return code, expires, a.store.SetVerificationCode(ctx, kind, id, code, "", expires)
}
