package gate

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/ulule/limiter/v3"

	"taskmarket/market"
	"taskmarket/store"
)

// siteFactor is the factor by which the limit of an IPv6 site exceeds that of a client. See
// clientNetworks.
const siteFactor = 16

// quota enforces a rate limit, with one token bucket for each client and one for each IPv6 site.
type quota struct {
	name   string
	levels [2]level // for a client, and for its site
	now    func() time.Time
}

// level is the limit of a quota for a client or for a site.
type level struct {
	buckets *limiter.Limiter
	policy  []string // value of the header RateLimit-Policy, which responses share
}

func (g *Gate) newQuota(name string, r rate) quota {
	return quota{name: name, now: g.now, levels: [2]level{g.newLevel(name, r), g.newLevel(name, r.times(siteFactor))}}
}

func (g *Gate) newLevel(name string, r rate) level {
	buckets := bucketStore{take: g.local.take, peek: g.local.peek, burst: r.Burst, now: g.now}
	switch {
	case r.Shared:
		buckets.take, buckets.peek = g.takeShared, nil
	case r.Leased:
		buckets.take, buckets.peek = g.leased.take, nil
	}
	refill := math.Ceil((r.interval() * time.Duration(r.Burst)).Seconds())
	return level{
		buckets: limiter.New(buckets, limiter.Rate{Period: r.Period, Limit: r.Count}),
		policy:  []string{fmt.Sprintf("%q;q=%d;w=%d", name, r.Burst, int(max(1, refill)))},
	}
}

// take counts a request against the limits of the client and of its site, if any. It sets the RateLimit
// headers to the client's limit. If a limit is exceeded, it sets them to that limit and returns
// KindRateLimited.
func (q quota) take(c echo.Context, who ...string) error {
	for i, key := range who {
		state, err := q.levels[i].buckets.Get(c.Request().Context(), bucketKey(q.name, key))
		if err != nil {
			return err
		}
		if i > 0 && !state.Reached {
			continue
		}
		if err := q.tell(c, q.levels[i], state); err != nil {
			return err
		}
	}
	return nil
}

// peek returns KindRateLimited, and sets the RateLimit headers, if take would return it. It counts
// nothing, and works only for local limits.
func (q quota) peek(c echo.Context, who ...string) error {
	for i, key := range who {
		state, err := q.levels[i].buckets.Peek(c.Request().Context(), bucketKey(q.name, key))
		if err != nil {
			return err
		}
		if state.Reached {
			return q.tell(c, q.levels[i], state)
		}
	}
	return nil
}

func (q quota) tell(c echo.Context, l level, state limiter.Context) error {
	wait := max(1, state.Reset-q.now().Unix())
	header := c.Response().Header()
	header["Ratelimit-Policy"] = l.policy
	value := make([]byte, 0, len(q.name)+len(`"";r=;t=`)+2*len("9223372036854775807"))
	value = strconv.AppendQuote(value, q.name)
	value = strconv.AppendInt(append(value, ";r="...), state.Remaining, 10)
	value = strconv.AppendInt(append(value, ";t="...), wait, 10)
	header["Ratelimit"] = []string{string(value)}
	if !state.Reached {
		return nil
	}
	retry := time.Duration(wait) * time.Second
	return &market.Error{
		Kind: market.KindRateLimited, Message: "too many requests",
		Hint: "try again in " + market.FormatDuration(retry), RetryAfter: retry,
	}
}

// limit counts the operation's requests and rejects those above its rate.
func (g *Gate) limit(op *Operation) echo.MiddlewareFunc {
	quota := g.newQuota(op.id, op.Rate)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := quota.take(c, counted(c, op)...); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// LimitBeside limits requests to paths outside the API. The configuration can override this limit
// by its id.
func (g *Gate) LimitBeside(id string) echo.MiddlewareFunc {
	return g.limit(&Operation{id: id, Rate: besideOperations[id].overridden(id, g.limits)})
}

// bucketKey returns the key of the bucket in which the named quota counts who.
func bucketKey(name, who string) string { return name + "|" + who }

func principalKey(p market.Principal) string { return string(p.Kind) + ":" + p.ID.String() }

func (g *Gate) takeShared(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	if taken := CallerOf(ctx).token; taken.key == key {
		return taken.bucket, nil
	}
	return g.store.Take(ctx, key, interval, burst, g.sharedNow())
}

// counted returns the keys of the buckets that the request counts against: those of the caller, or of
// the client's networks.
func counted(c echo.Context, op *Operation) []string {
	if who := PrincipalOf(c.Request().Context()); op.Rate.ByPrincipal {
		return []string{principalKey(who)}
	}
	return clientNetworks(c.RealIP())
}
