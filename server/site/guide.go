package site

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"taskmarket/market"
	"taskmarket/server/gate"
)

//go:embed guides
var pageFiles embed.FS

// guide is the data for the templates of the guides. It contains only configuration, openapi.yaml
// and chain data, never data from a request or a user.
type guide struct {
	Base          string // origin of the service
	API           string // base URL of the operations
	Tools         string // URL of the MCP tools; empty if they are not served
	Domain        string
	ChainID       uint64
	Symbol        string // of the token, or "platform" if it has no plain one
	Token         string
	Escrow        string
	Staking       string
	Treasury      string
	FeePercent    string
	MinimumEscrow string
	// Durations in words.
	DisputeWindow, ApprovedReview, CodeLifetime string

	Networks   []string
	Errors     []errorAdvice
	Operations []agentOperation
}

// agentOperation is a line in the list of operations for agents.
type agentOperation struct{ Method, Path, Limit, Summary string }

// newGuide returns the guide without the fee, which is read from the chain later.
func (o Options) newGuide(operations map[string]*gate.Operation) guide {
	g := guide{
		Base: o.Base.String(), API: o.Base.String() + gate.BasePath, Domain: o.Base.Host, ChainID: o.Deployment.ChainID,
		Token: o.Deployment.Token.Hex(), Escrow: o.Deployment.Escrow.Hex(), Staking: o.Deployment.Staking.Hex(), Treasury: o.Deployment.Treasury.Hex(),
		MinimumEscrow: market.MinimumEscrow().String(), Errors: errorAdvices(),
		DisputeWindow:  market.FormatDuration(market.DisputeWindow),
		ApprovedReview: market.FormatDuration(market.ApprovedReview),
		CodeLifetime:   market.FormatDuration(market.CodeLifetime),
	}
	if o.ToolsPath != "" {
		g.Tools = g.Base + o.ToolsPath
	}
	for _, network := range o.Networks {
		g.Networks = append(g.Networks, network.Hosts()...)
	}
	for _, op := range operations {
		signIn := slices.Contains(op.Route.Operation.Tags, "auth") // sign-in operations are for humans
		if op.APIKey || op.Public() && !signIn {
			g.Operations = append(g.Operations, agentOperation{
				op.Route.Method, op.Route.Path, op.Rate.String(), op.Route.Operation.Summary,
			})
		}
	}
	slices.SortFunc(g.Operations, func(a, b agentOperation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return g
}

// symbolTimeout limits the wait for the token's symbol. Without it, a document would not be served while the node does
// not respond.
const symbolTimeout = 2 * time.Second

// plainSymbol matches symbols that cannot be read as instructions.
var plainSymbol = regexp.MustCompile(`^[A-Za-z0-9]{1,16}$`)

// symbol returns the token's symbol.
func (o Options) symbol(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, symbolTimeout)
	defer cancel()
	token, err := o.Token(ctx)
	if err != nil || !plainSymbol.MatchString(token.Symbol) {
		return "platform"
	}
	return token.Symbol
}

// documentOfTemplate returns a function that renders the template with the current fee and the token's symbol.
func (o Options) documentOfTemplate(name string, g guide, has func(operation string) bool) (func(context.Context) ([]byte, error), error) {
	text, err := template.New(name).Funcs(template.FuncMap{"has": has}).Option("missingkey=error").ParseFS(pageFiles, "guides/"+name)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	return func(ctx context.Context) ([]byte, error) {
		parameters, err := o.Parameters(ctx)
		if err != nil {
			return nil, err
		}
		current := g
		current.Symbol = o.symbol(ctx)
		current.FeePercent = market.FeePercent(parameters.FeeBasisPoints)
		var filled bytes.Buffer
		if err := text.Execute(&filled, current); err != nil {
			return nil, fmt.Errorf("fill %s: %w", name, err)
		}
		return filled.Bytes(), nil
	}, nil
}

// hasOperation returns a function that reports whether openapi.yaml has an operation, such as "POST
// /tasks/".
func hasOperation(operations map[string]*gate.Operation) func(string) bool {
	return func(name string) bool {
		for _, op := range operations {
			if op.Route.Method+" "+op.Route.Path == name {
				return true
			}
		}
		return false
	}
}
