package chain

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"
)

// each asks every provider that is not resting, and more only while none has
// answered. fn is called for one provider after the other, and compares their
// answers. It returns nil when one of them answered, else a node's own error if
// there is one (see do), else a market.KindChainUnavailable.
func (n *Node) each(ctx context.Context, what string, fn func(context.Context, *ethclient.Client) error) error {
	var answered bool
	var refused, failed error
	for _, p := range n.byHealth() {
		if answered && p.resting(time.Now()) {
			continue
		}
		err := p.check(ctx, n.want)
		if err == nil {
			err = p.ask(ctx, fn)
		}
		switch {
		case err == nil:
			answered = true
			p.succeeded()
		case isAnswer(err):
			refused = err
			p.succeeded()
		case ctx.Err() != nil:
			return unavailable(what, ctx.Err())
		default:
			failed = err
			p.failed(time.Now())
		}
	}
	switch {
	case answered:
		return nil
	case refused != nil:
		return refused
	}
	return unavailable(what, failed)
}
