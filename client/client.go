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
	"taskmarket/chain/rpc"
	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/origin"
)

// Options configure a Client. Only BaseURL is always required. A method returns an error if it
// needs an option that is not set.
type Options struct {
	// BaseURL is the API's address, with or without the trailing /api/v1. Plain http to another
	// machine is rejected unless InsecureHTTP is set.
	BaseURL string
	// APIKey is the key that Register returned. If empty, only operations that need no key are
	// possible: public ones, Register and RecoverKey.
	APIKey string
	// RPCURL is the URL of an Ethereum node: http(s) or ws(s). An unencrypted URL for another
	// machine is rejected unless InsecureNode is set.
	RPCURL string
	// Signer signs with the agent's wallet.
	Signer chain.Signer
	// Contracts, when set, are the only contracts that are paid or called: an API that reports
	// others is rejected. When nil, the contracts from the API's configuration are used. In both
	// cases the contracts are verified on the node before their first use.
	Contracts *market.Deployment
	// Flows stores the progress of actions across restarts. If nil, progress is only in memory.
	Flows FlowStore
	// Allow, when set, is called by Execute after all checks and before the first signature, with the plan of
	// what will be signed and sent, and before a transaction that was signed earlier is sent again. In that
	// case, the plan Resumes and has no Transaction and no gas. If Allow returns an error, nothing is signed or
	// sent, and Execute returns that error. A signed operation stays in the journal.
	Allow func(context.Context, Plan) error
	// AllowOther is like Allow, for the signed transaction of another unfinished operation of the wallet, which
	// must be sent first because it uses a lower nonce or an earlier permit nonce.
	AllowOther func(context.Context, Plan) error
	// HTTPClient sends the requests to the API. The Client uses a copy that neither follows
	// redirects nor stores cookies. If nil, a default client is used.
	HTTPClient *http.Client
	// Timeout limits one attempt of a request. The default is 30 s; for files it is ten times as
	// long.
	Timeout time.Duration
	// MaxWait is the longest Retry-After delay that the Client waits for; 30 s by default. If the
	// delay is longer, the request fails.
	MaxWait time.Duration
	// MineTimeout is how long to wait for a transaction to be mined; 3 min by default.
	MineTimeout time.Duration
	// ReplaceAfter is how long a transaction with a sufficient fee may stay pending; 1 min by
	// default. After that time, it is replaced under the same nonce, each time with a fee that is at
	// least 12.5% higher. A transaction whose fee has become too low is replaced at once.
	ReplaceAfter time.Duration
	// MaxFeePerGas is the maximum price per unit of gas, in wei, for first transactions and
	// replacements. If nil, a first transaction offers at most the price in its plan, and
	// a replacement at most four times the first transaction's price. If the chain requires more,
	// the error is send.ErrGasLimit.
	MaxFeePerGas *big.Int
	// MaxOffer is the maximum fee per unit of gas, in wei, that any transaction, including a
	// replacement, offers when MaxFeePerGas is nil. Unlike MaxFeePerGas, it does not let a
	// replacement offer more than four times the first transaction's price. If nil, only the limits
	// described under MaxFeePerGas apply.
	MaxOffer *big.Int
	// Node limits the duration and the number of attempts for calls to the node. The zero value
	// suits a node that responds within seconds.
	Node rpc.NodeOptions
	// InsecureHTTP allows sending the API key unencrypted.
	InsecureHTTP bool
	// InsecureNode allows an unencrypted connection to a node on another machine. Its responses
	// could be read and changed in transit.
	InsecureNode bool
}

// Client acts for one agent. It is safe for concurrent use. Call Close when it is no longer needed.
type Client struct {
	options Options
	base    *url.URL
	api     *gen.ClientWithResponses
	uploads *gen.ClientWithResponses // generated client for file uploads, with a longer timeout
	files   *gen.Client              // generated client for file downloads; streams responses without buffering
	streams *gen.Client              // generated client for event streams, without a timeout

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

// httpOption makes the generated client send requests with our transport. A limit of 0 streams
// responses; a timeout of 0 means no timeout.
func (c *Client) httpOption(timeout time.Duration, limit int64) gen.ClientOption {
	httpClient := http.Client{}
	if c.options.HTTPClient != nil {
		httpClient = *c.options.HTTPClient
	}
	httpClient.Timeout = timeout
	httpClient.Jar = nil
	// Following a redirect could send the API key to another host.
	httpClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return gen.WithHTTPClient(&transport{http: &httpClient, key: c.options.APIKey, limit: limit, maxWait: c.options.MaxWait})
}

func parseBase(text string, insecure bool) (*url.URL, error) {
	base, err := origin.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the base URL, such as https://market.example/api/v1, %w", err)
	}
	if base.Scheme == "http" && !insecure && !node.Loopback(base.Hostname()) {
		return nil, fmt.Errorf("base URL %q: plain http would send the API key unencrypted; use https", text)
	}
	if !strings.HasSuffix(base.Path, apiPath) {
		base = base.JoinPath(apiPath)
	}
	return base, nil
}

// WithAPIKey returns a new Client with the same options but this API key, for example after Register.
// Close both Clients.
func (c *Client) WithAPIKey(key string) (*Client, error) {
	options := c.options
	options.APIKey = key
	return New(options)
}

// Close closes the connection to the node. The Client must not be used after that.
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
		return nil, errors.New("no wallet is configured")
	}
	return c.options.Signer, nil
}
