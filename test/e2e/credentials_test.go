//go:build schemathesis

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"taskmarket/chain"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	gen "taskmarket/gen/client"
	"taskmarket/test/actor"
)

// credentialServer supplies Schemathesis, which has no wallets, with API keys, sessions, and
// requests that contain a signature or the URL of a published post.
type credentialServer struct{ *world }

// prepared is a request that the API accepts: its path parameters, its body, and the caller's API key
// unless the credentials of the run are sufficient.
type prepared struct {
	Path record `json:"path,omitempty"`
	Body any    `json:"body,omitempty"`
	Key  string `json:"key,omitempty"`
}

func (d credentialServer) handler() http.Handler {
	handler := http.NewServeMux()
	for pattern, give := range map[string]func(context.Context) (any, error){
		"GET /key":               func(context.Context) (any, error) { return map[string]string{"key": d.agent.Key}, nil },
		"GET /session/human":     func(ctx context.Context) (any, error) { return d.session(ctx, d.net.Human) },
		"GET /session/validator": func(ctx context.Context) (any, error) { return d.session(ctx, d.net.Validators[0]) },
		"GET /registerAgent":     d.registration,
		"GET /recoverAPIKey":     d.recovery,
		"GET /eraseAccount":      d.erasure,
		"GET /verifyAgent":       d.agentPost,
		"GET /verifyAgentMe":     d.verifiedPost,
		"GET /verifyHuman":       d.humanPost,
		"GET /loginWithEthereum": d.login,
		"GET /postVerdict":       d.verdict,
		"GET /logoutSession":     d.otherSession,
	} {
		handler.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			value, err := give(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(w).Encode(value) // the client detects a failure
		})
	}
	return handler
}

// session signs a wallet in and returns the credentials for its requests.
func (d credentialServer) session(ctx context.Context, wallet *chain.KeySigner) (any, error) {
	person, err := actor.SignIn(ctx, d.server.api(), nil, d.net.Node, wallet)
	if err != nil {
		return nil, err
	}
	answer, err := person.API.GetSessionWithResponse(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	if answer.JSON200 == nil {
		return nil, fmt.Errorf("read the session: %s", answer.Status())
	}
	cookie, err := cookieOf(person, answer.HTTPResponse.Request.URL)
	if err != nil {
		return nil, err
	}
	return map[string]string{"cookie": cookie, "csrf": answer.JSON200.CSRFToken}, nil
}

// cookieOf returns the value of the only cookie that the user's HTTP client sends to the URL.
func cookieOf(person *actor.Person, at *url.URL) (string, error) {
	api, ok := person.API.ClientInterface.(*gen.Client)
	if !ok {
		return "", fmt.Errorf("a person's client is a %T", person.API.ClientInterface)
	}
	browser, ok := api.Client.(*http.Client)
	if !ok {
		return "", fmt.Errorf("a person's browser is a %T", api.Client)
	}
	for _, cookie := range browser.Jar.Cookies(at) {
		return cookie.Value, nil
	}
	return "", errors.New("the server set no cookie")
}

// newcomer is an agent that is not registered yet.
type newcomer struct {
	wallet *chain.KeySigner
	api    *gen.ClientWithResponses
	body   gen.RegisterAgentRequest // body of the registration request with the signed challenge
}

func (d credentialServer) newcomer(ctx context.Context) (*newcomer, error) {
	key, err := crypto.GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("make a wallet: %w", err)
	}
	n := &newcomer{wallet: chain.NewKeySigner(key)}
	if n.api, err = gen.NewClientWithResponses(d.server.api()); err != nil {
		return nil, fmt.Errorf("make an API client: %w", err)
	}
	address := n.wallet.Address().Hex()
	n.body = gen.RegisterAgentRequest{WalletAddress: address, Name: "Newcomer", Username: "n" + strings.ToLower(address[2:22])}
	asked, err := n.api.RegisterAgentWithResponse(ctx, n.body)
	if err != nil || asked.JSON428 == nil {
		return nil, unexpected("ask to register", asked, err)
	}
	n.body.Challenge = &asked.JSON428.Challenge
	n.body.Signature, err = n.sign(ctx, asked.JSON428.Challenge)
	return n, err
}

// unexpected returns err, or an error with the status of an unexpected response.
func unexpected(what string, response interface{ Status() string }, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: the server responded with %s", what, response.Status())
}

func (n *newcomer) sign(ctx context.Context, text string) (*string, error) {
	signature, err := n.wallet.SignMessage(ctx, text)
	return new(hexutil.Encode(signature)), err
}

func (n *newcomer) register(ctx context.Context) (gen.AgentRegistration, error) {
	answer, err := n.api.RegisterAgentWithResponse(ctx, n.body)
	if err != nil || answer.JSON201 == nil {
		return gen.AgentRegistration{}, unexpected("register", answer, err)
	}
	return *answer.JSON201, nil
}

// registered returns a new agent with its registration.
func (d credentialServer) registered(ctx context.Context) (*newcomer, gen.AgentRegistration, error) {
	n, err := d.newcomer(ctx)
	if err != nil {
		return nil, gen.AgentRegistration{}, err
	}
	registration, err := n.register(ctx)
	return n, registration, err
}

func (d credentialServer) registration(ctx context.Context) (any, error) {
	n, err := d.newcomer(ctx)
	if err != nil {
		return nil, err
	}
	return prepared{Body: n.body}, nil
}

// recovery returns a request, with the signed challenge, that recovers a new agent's lost key.
func (d credentialServer) recovery(ctx context.Context) (any, error) {
	n, _, err := d.registered(ctx)
	if err != nil {
		return nil, err
	}
	body := gen.RecoverAPIKeyRequest{WalletAddress: n.body.WalletAddress}
	asked, err := n.api.RecoverAPIKeyWithResponse(ctx, body)
	if err != nil || asked.JSON428 == nil {
		return nil, unexpected("ask to recover a key", asked, err)
	}
	body.Challenge = &asked.JSON428.Challenge
	body.Signature, err = n.sign(ctx, asked.JSON428.Challenge)
	return prepared{Body: body}, err
}

// erasure returns a request, with the signed challenge, that erases a new agent's account.
func (d credentialServer) erasure(ctx context.Context) (any, error) {
	n, registered, err := d.registered(ctx)
	if err != nil {
		return nil, err
	}
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", registered.APIKey)
		return nil
	}
	body := gen.AccountErasureRequest{Username: registered.Username}
	asked, err := n.api.EraseAccountWithResponse(ctx, body, withKey)
	if err != nil || asked.JSON428 == nil {
		return nil, unexpected("ask to erase an account", asked, err)
	}
	body.Challenge = &asked.JSON428.Challenge
	body.Signature, err = n.sign(ctx, asked.JSON428.Challenge)
	return prepared{Body: body, Key: registered.APIKey}, err
}

// agentPost returns a request that verifies a new agent by its post with the verification code.
func (d credentialServer) agentPost(ctx context.Context) (any, error) {
	_, registered, err := d.registered(ctx)
	if err != nil {
		return nil, err
	}
	return prepared{
		Path: record{"id": registered.AgentID.String()},
		Body: gen.VerifyAgentRequest{PostURL: new(d.social.Post(registered.Username, registered.VerificationCode))},
	}, nil
}

// verifiedPost returns a request with the post that has already verified the calling agent. The API
// accepts the same post again.
func (d credentialServer) verifiedPost(context.Context) (any, error) {
	return prepared{Body: gen.VerifyAgentRequest{PostURL: &d.agent.Post}}, nil
}

// humanPost returns a request that verifies the human by a post with the verification code.
func (d credentialServer) humanPost(ctx context.Context) (any, error) {
	me, err := d.human().API.GetHumanMeWithResponse(ctx)
	if err == nil && me.JSON200 == nil { // generated requests ended the session
		delete(d.people, d.net.Human)
		me, err = d.human().API.GetHumanMeWithResponse(ctx)
	}
	if err != nil || me.JSON200 == nil || me.JSON200.VerificationCode == nil {
		return nil, unexpected("read the human's code", me, err)
	}
	return prepared{Body: gen.VerifyHumanRequest{PostURL: new(d.social.Post("mara", *me.JSON200.VerificationCode))}}, nil
}

// login returns a login request signed by the human's wallet.
func (d credentialServer) login(ctx context.Context) (any, error) {
	issued, err := d.human().API.GetSiweMessageWithResponse(ctx, &gen.GetSiweMessageParams{Address: d.net.Human.Address().Hex()})
	if err != nil || issued.JSON200 == nil {
		return nil, unexpected("ask for a message to sign", issued, err)
	}
	signature, err := d.net.Human.SignMessage(ctx, issued.JSON200.Message)
	if err != nil {
		return nil, err
	}
	return prepared{Body: gen.LoginRequest{Message: issued.JSON200.Message, Signature: hexutil.Encode(signature)}}, nil
}

// otherSession returns a request that ends a new session of the human.
func (d credentialServer) otherSession(ctx context.Context) (any, error) {
	human, err := actor.SignIn(ctx, d.server.api(), nil, d.net.Node, d.net.Human)
	if err != nil {
		return nil, err
	}
	list, err := human.API.ListSessionsWithResponse(ctx)
	if err != nil || list.JSON200 == nil {
		return nil, unexpected("list the sessions", list, err)
	}
	current := slices.IndexFunc(list.JSON200.Sessions, func(s gen.SessionRecord) bool { return s.IsCurrent })
	return prepared{Path: record{"sessionId": list.JSON200.Sessions[current].ID.String()}}, nil
}

// verdict returns a request with a validator's signed verdict on a task that the validator has not
// voted on yet.
func (d credentialServer) verdict(ctx context.Context) (any, error) {
	validator := d.person(d.net.Validators[0])
	queue, err := validator.Queue(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range queue {
		if v.Mine != nil {
			continue
		}
		signature, err := validator.SignVerdict(ctx, v, true)
		return prepared{
			Path: record{"id": v.TaskID.String()},
			Body: gen.PostVerdictRequest{Approved: true, Reason: "I looked.", Signature: hexutil.Encode(signature)},
		}, err
	}
	return nil, errors.New("the validator has voted on everything")
}
