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

// Options say whom a Client speaks to and for whom. Only BaseURL is always
// needed; methods that sign or send say so when something is missing.
type Options struct {
	// BaseURL of the API, with or without its ending /api/v1. Plain http is
	// refused for other hosts than this machine, unless InsecureHTTP is set.
	BaseURL string
	// APIKey as Register returned it. Empty: public operations only.
	APIKey string
	// RPCURL of an Ethereum node: http(s) or ws(s). Without encryption other hosts
	// than this machine are refused, unless InsecureNode is set.
	RPCURL string
	// Signer holds the agent's wallet.
	Signer chain.Signer
	// Contracts, when set, are the only contracts that are paid or called: an
	// API that names others is refused. Without, those that the API's
	// configuration names are checked against the node and kept.
	Contracts *market.Deployment
	// Flows remember what is under way across restarts. Nil: in memory.
	Flows FlowStore
	// Review, when set, sees what each fresh action will sign and send, right
	// before its first signature. Its error ends the action with nothing signed
	// and is returned. What goes on after a crash is not reviewed again.
	Review func(context.Context, Plan) error
	// Resume, when set, is asked before a transaction that was signed earlier, by this
	// or another program, is sent again. Its error stops that and is returned; the
	// flow stays in the journal. The plan has what the journal and the records say:
	// the action, its subject, Spends and Releases, but no Transaction and no gas.
	Resume func(context.Context, Plan) error
	// HTTPClient carries requests to the API. Redirects and cookies are
	// switched off in a copy of it. Nil: a client of its own.
	HTTPClient *http.Client
	// Timeout of one attempt at a request; 30 s by default, ten times as long
	// for one that carries a file.
	Timeout time.Duration
	// MaxWait is the longest Retry-After that is waited for before a request
	// is given up; 30 s by default.
	MaxWait time.Duration
	// MineTimeout is how long a transaction is waited for; 3 min by default.
	MineTimeout time.Duration
	// ReplaceAfter is how long a transaction may wait although it pays what the
	// chain asks; then it is replaced under its nonce by one that pays 12.5 %
	// more, and so on. 1 min by default. One that does not pay enough any more is
	// replaced at once.
	ReplaceAfter time.Duration
	// MaxFeePerGas is the most that a unit of gas may cost, in wei, first offers
	// and replacements alike. Nil: as much as the chain asks when the plan is
	// reviewed, and for replacements four times that. Where the chain asks for
	// more, the error is chain.ErrGasLimit.
	MaxFeePerGas *big.Int
	// MaxOffer, where MaxFeePerGas is nil, is the most that is offered for a unit of
	// gas, in wei, whatever the chain asks when the plan is reviewed. Nil: no limit.
	MaxOffer *big.Int
	// Node bounds the calls to the node: time and tries. The zero value is for a
	// node that answers within some seconds.
	Node chain.NodeOptions
	// InsecureHTTP lets the API key travel unencrypted.
	InsecureHTTP bool
	// InsecureNode lets others on the way to the node read and change what it
	// answers.
	InsecureNode bool
}

// Client acts for one agent. It is safe for concurrent use; Close it at the end.
type Client struct {
	options Options
	base    *url.URL
	api     *gen.ClientWithResponses
	uploads *gen.ClientWithResponses // with the time that a file takes
	files   *gen.Client              // answers are streamed, not buffered
	news    *gen.Client              // and have no end

	mu       sync.Mutex // guards what follows
	node     *node.Node
	verified *deployment
}

const (
	apiPath   = "/api/v1"
	maxBody   = 8 << 20
	fileTimes = 10
)

// New checks the options and makes a Client. It does no I/O.
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
	if c.api, err = gen.NewClientWithResponses(base.String(), c.carry(options.Timeout, maxBody)); err != nil {
		return nil, fmt.Errorf("make API client: %w", err)
	}
	if c.uploads, err = gen.NewClientWithResponses(base.String(), c.carry(fileTimes*options.Timeout, maxBody)); err != nil {
		return nil, fmt.Errorf("make API client: %w", err)
	}
	if c.files, err = gen.NewClient(base.String(), c.carry(fileTimes*options.Timeout, 0)); err != nil {
		return nil, fmt.Errorf("make API client: %w", err)
	}
	if c.news, err = gen.NewClient(base.String(), c.carry(0, 0)); err != nil {
		return nil, fmt.Errorf("make API client: %w", err)
	}
	return c, nil
}

// carry makes the generated client use a transport; limit 0 streams answers,
// timeout 0 waits for ever.
func (c *Client) carry(timeout time.Duration, limit int64) gen.ClientOption {
	carrier := http.Client{}
	if c.options.HTTPClient != nil {
		carrier = *c.options.HTTPClient
	}
	carrier.Timeout = timeout
	carrier.Jar = nil
	// A redirect would carry the key to a host that nobody chose.
	carrier.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return gen.WithHTTPClient(&transport{http: &carrier, key: c.options.APIKey, limit: limit, maxWait: c.options.MaxWait})
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
		return nil, errors.New("base URL: no user, query or fragment can be part of it")
	}
	if base.Scheme == "http" && !insecure && !node.Loopback(base.Hostname()) {
		return nil, fmt.Errorf("base URL %q: plain http would show the API key to the network; use https", text)
	}
	if !strings.HasSuffix(base.Path, apiPath) {
		base.Path += apiPath
	}
	return base, nil
}

// WithAPIKey returns a Client for the same agent that uses the key, as it is
// needed after Register. The two must be closed separately.
func (c *Client) WithAPIKey(key string) (*Client, error) {
	options := c.options
	options.APIKey = key
	return New(options)
}

// Close ends the connection to the node. The Client must not be used after.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.node != nil {
		c.node.Close()
		c.node = nil
	}
}

// signer returns the wallet or says that one is needed.
func (c *Client) signer() (chain.Signer, error) {
	if c.options.Signer == nil {
		return nil, errors.New("a wallet is needed: set Options.Signer")
	}
	return c.options.Signer, nil
}
