package client

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Options configure a Client. Only BaseURL is always required; methods that sign or send return an
// error if an option that they need is missing.
type Options struct {
	// BaseURL of the API, with or without the trailing /api/v1. Plain http to another machine is
	// rejected unless InsecureHTTP is set.
	BaseURL string
	// APIKey as Register returned it. Empty: only public operations.
	APIKey string
	// RPCURL of an Ethereum node: http(s) or ws(s). An unencrypted URL of another machine is
	// rejected unless InsecureNode is set.
	RPCURL string
	// Signer signs for the agent's wallet.
	Signer chain.Signer
	// Contracts, when set, are the only contracts that are paid or called: an API that names others
	// is rejected. When nil, the contracts of the API's configuration are verified on the node at
	// first use.
	Contracts *market.Deployment
	// Flows stores the progress of actions across restarts. Nil: in memory.
	Flows FlowStore
	// Review, when set, is called with what each new action will sign and send, before its first
	// signature. If it returns an error, nothing is signed and the action returns that error. An
	// action that resumes after a crash is not reviewed again.
	Review func(context.Context, Plan) error
	// Resume, when set, is called before a transaction that this or another program signed earlier
	// is sent again. If it returns an error, nothing is sent, the action returns that error and the
	// flow stays in the journal. The plan contains the action, its subject, Spends and Releases,
	// but no Transaction and no gas.
	Resume func(context.Context, Plan) error
	// HTTPClient sends the requests to the API. A copy of it is used, without redirects and
	// cookies. Nil: a default client.
	HTTPClient *http.Client
	// Timeout of one attempt of a request; 30 s by default, ten times as long for a file.
	Timeout time.Duration
	// MaxWait is the longest Retry-After that is waited for; 30 s by default. A request with a
	// longer one fails.
	MaxWait time.Duration
	// MineTimeout is how long to wait for a transaction to be mined; 3 min by default.
	MineTimeout time.Duration
	// ReplaceAfter is how long a transaction that pays enough may stay pending; 1 min by default.
	// It is then replaced, with the same nonce, by one that pays 12.5 % more, and so on. A
	// transaction that no longer pays enough is replaced at once.
	ReplaceAfter time.Duration
	// MaxFeePerGas is the most that a unit of gas may cost, in wei, for first transactions and
	// replacements. Nil: the current price when the plan is reviewed, and four times that for
	// replacements. If the chain requires more, the error is chain.ErrGasLimit.
	MaxFeePerGas *big.Int
	// MaxOffer is the most that is offered for a unit of gas, in wei, when MaxFeePerGas is nil.
	// Nil: no limit.
	MaxOffer *big.Int
	// Node limits the time and the tries of calls to the node. The zero value suits a node that
	// responds within seconds.
	Node chain.NodeOptions
	// InsecureHTTP allows sending the API key unencrypted.
	InsecureHTTP bool
	// InsecureNode allows an unencrypted connection to a node on another machine. Its responses
	// could be read and changed in transit.
	InsecureNode bool
}

// Client acts for one agent. It is safe for concurrent use. Call Close at the end.
type Client struct {
	options Options
	base    *url.URL
	api     *gen.ClientWithResponses
	uploads *gen.ClientWithResponses // for files: has a longer timeout
	files   *gen.Client              // streams the response, without buffering
	streams *gen.Client              // for event streams: has no timeout

	mu       sync.Mutex // guards the fields below
	node     *node.Node
	verified *deployment
}

const (
	apiPath   = "/api/v1"
	maxBody   = 8 << 20
	fileTimes = 10
)

// New checks the options and returns a Client. It does no I/O.
func New(options Options) (*Client, error) {
	base, err := parseBase(options.BaseURL, options.InsecureHTTP)
	if err != nil {
		return nil, err
	}
	if options.Timeout <= 0 {
		options.Timeout = 30 * time.Second
	}
	if options.MaxWait <= 0 {
		options.MaxWait = 30 * time.Second
	}
	if options.MineTimeout <= 0 {
		options.MineTimeout = 3 * time.Minute
	}
	if options.ReplaceAfter <= 0 {
		options.ReplaceAfter = time.Minute
	}
	if options.Flows == nil {
		options.Flows = newMemoryFlows()
	}
	c := &Client{options: options, base: base}
	if c.api, err = gen.NewClientWithResponses(base.String(), c.httpOption(options.Timeout, maxBody)); err != nil {
		return nil, fmt.Errorf("create API client: %w", err)
	}
	if c.uploads, err = gen.NewClientWithResponses(base.String(), c.httpOption(fileTimes*options.Timeout, maxBody)); err != nil {
		return nil, fmt.Errorf("create API client: %w", err)
	}
	if c.files, err = gen.NewClient(base.String(), c.httpOption(fileTimes*options.Timeout, 0)); err != nil {
		return nil, fmt.Errorf("create API client: %w", err)
	}
	if c.streams, err = gen.NewClient(base.String(), c.httpOption(0, 0)); err != nil {
		return nil, fmt.Errorf("create API client: %w", err)
	}
	return c, nil
}

// httpOption makes the generated client use a transport. A limit of 0 streams responses; a timeout
// of 0 means none.
func (c *Client) httpOption(timeout time.Duration, limit int64) gen.ClientOption {
	httpClient := http.Client{}
	if c.options.HTTPClient != nil {
		httpClient = *c.options.HTTPClient
	}
	httpClient.Timeout = timeout
	httpClient.Jar = nil
	// A redirect would send the key to another host.
	httpClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return gen.WithHTTPClient(&transport{http: &httpClient, key: c.options.APIKey, limit: limit, maxWait: c.options.MaxWait})
}

func parseBase(text string, insecure bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil {
		return nil, fmt.Errorf("parse base URL: %w", err)
	}
	if base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		return nil, fmt.Errorf("base URL %q: want https://host/api/v1", text)
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("base URL: remove the user, query or fragment")
	}
	if base.Scheme == "http" && !insecure && !node.Loopback(base.Hostname()) {
		return nil, fmt.Errorf("base URL %q: plain http would send the API key unencrypted; use https", text)
	}
	if !strings.HasSuffix(base.Path, apiPath) {
		base.Path += apiPath
	}
	return base, nil
}

// WithAPIKey returns a Client for the same agent that uses the key, for example after Register.
// Close both separately.
func (c *Client) WithAPIKey(key string) (*Client, error) {
	options := c.options
	options.APIKey = key
	return New(options)
}

// Close closes the connection to the node. The Client must not be used after.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.node != nil {
		c.node.Close()
		c.node = nil
	}
}

// signer returns Options.Signer, or an error if it is nil.
func (c *Client) signer() (chain.Signer, error) {
	if c.options.Signer == nil {
		return nil, errors.New("no wallet is configured: set Options.Signer")
	}
	return c.options.Signer, nil
}
