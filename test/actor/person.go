package actor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/gen/client"
)

// Person is a simulated user with a wallet and a session.
type Person struct {
	API    *client.ClientWithResponses // sends requests with the user's session
	Wallet chain.Signer
	Send   *send.Sender
	Human  client.HumanAccount
	csrf   string
}

// SignIn signs in to the API with a wallet and returns the user. apiURL ends in /api/v1. The first
// sign-in creates the account. A nil transport selects the default transport.
func SignIn(ctx context.Context, apiURL string, transport http.RoundTripper, node *rpc.Node, wallet chain.Signer) (*Person, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("make a cookie jar: %w", err)
	}
	p := &Person{Wallet: wallet, Send: send.NewSender(node, wallet)}
	browser := &http.Client{Transport: transport, Jar: jar, Timeout: 30 * time.Second}
	p.API, err = client.NewClientWithResponses(apiURL, client.WithHTTPClient(browser), client.WithRequestEditorFn(p.protect))
	if err != nil {
		return nil, fmt.Errorf("make an API client: %w", err)
	}
	return p, p.signIn(ctx)
}

// protect adds the headers that browsers and the web app send with requests that are not read-only.
func (p *Person) protect(_ context.Context, request *http.Request) error {
	if request.Method == http.MethodGet {
		return nil
	}
	request.Header.Set("Origin", request.URL.Scheme+"://"+request.URL.Host)
	if p.csrf != "" {
		request.Header.Set("X-CSRF-Token", p.csrf)
	}
	return nil
}

func (p *Person) signIn(ctx context.Context) error {
	issued, err := p.API.GetSiweMessageWithResponse(ctx, &client.GetSiweMessageParams{Address: p.Wallet.Address().Hex()})
	if err != nil {
		return fmt.Errorf("ask for a message to sign: %w", err)
	}
	if issued.JSON200 == nil {
		return refused("ask for a message to sign", issued.Body)
	}
	signature, err := p.Wallet.SignMessage(ctx, issued.JSON200.Message)
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	login, err := p.API.LoginWithEthereumWithResponse(ctx, client.LoginRequest{
		Message: issued.JSON200.Message, Signature: hexutil.Encode(signature),
	})
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	if login.JSON200 == nil {
		return refused("sign in", login.Body)
	}
	p.Human, p.csrf = login.JSON200.Human, login.JSON200.CSRFToken
	return nil
}

// RefusalError is an error response from the API.
type RefusalError struct {
	What string
	Body client.APIError
}

// Error implements the error interface.
func (r *RefusalError) Error() string {
	return r.What + ": " + r.Body.Error + ": " + r.Body.Message
}

func refused(what string, body []byte) error {
	r := &RefusalError{What: what}
	if err := json.Unmarshal(body, &r.Body); err != nil {
		return fmt.Errorf("%s: the answer is not JSON: %.200q", what, body)
	}
	return r
}

// call sends a transaction with calldata returned by the API.
func (p *Person) call(ctx context.Context, to, data string) (*types.Receipt, error) {
	raw, err := hexutil.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read calldata: %w", err)
	}
	return p.Send.Send(ctx, chain.Call{To: common.HexToAddress(to), Data: raw})
}

// signTyped signs EIP-712 data returned by the API.
func (p *Person) signTyped(ctx context.Context, data client.TypedData) ([]byte, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("read typed data: %w", err)
	}
	var typed apitypes.TypedData
	if err := json.Unmarshal(raw, &typed); err != nil {
		return nil, fmt.Errorf("read typed data: %w", err)
	}
	return p.Wallet.SignTypedData(ctx, typed)
}

// number parses an id assigned by the contracts.
func number(text string) (uint64, error) {
	var n uint64
	if _, err := fmt.Sscan(strings.TrimSpace(text), &n); err != nil {
		return 0, fmt.Errorf("read the id %q: %w", text, err)
	}
	return n, nil
}
