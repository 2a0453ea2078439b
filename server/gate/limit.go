package gate

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

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
}

// level is the limit of a quota for a client or for a site.
type level struct {
	take   take
	rate   rate
	policy []string // value of the header RateLimit-Policy, which responses share
}

func (g *Gate) newQuota(name string, r rate) quota {
	return quota{name: name, levels: [2]level{g.newLevel(name, r), g.newLevel(name, r.times(siteFactor))}}
}

func (g *Gate) newLevel(name string, r rate) level {
	refill := math.Ceil((r.interval() * time.Duration(r.Burst)).Seconds())
	l := level{take: g.local.take, rate: r, policy: []string{fmt.Sprintf("%q;q=%d;w=%d", name, r.Burst, int(max(1, refill)))}}
	if r.Shared {
		l.take = g.takeShared
	}
	return l
}

// take counts a request against the limits of the client and of its site, if any. It sets the RateLimit
// headers to the client's limit. If a limit is exceeded, it sets them to that limit and returns
// KindRateLimited.
func (q quota) take(c echo.Context, keys ...string) error {
	for i, key := range keys {
		l := q.levels[i]
		bucket, err := l.take(c.Request().Context(), bucketKey(q.name, key), l.rate.interval(), l.rate.Burst)
		if err != nil {
			return err
		}
		if i > 0 && bucket.Allowed {
			continue
		}
		if err := q.report(c, l, bucket); err != nil {
			return err
		}
	}
	return nil
}

// exhausted reports whether take would return KindRateLimited for local limits. It counts nothing.
func (q quota) exhausted(local *localBuckets, keys ...string) bool {
	for i, key := range keys {
		r := q.levels[i].rate
		if local.empty(bucketKey(q.name, key), r.interval(), r.Burst) {
			return true
		}
	}
	return false
}

// report sets the RateLimit headers, and returns KindRateLimited if the bucket had no token.
func (q quota) report(c echo.Context, l level, bucket store.Bucket) error {
	next := bucket.RetryAfter
	if bucket.Allowed {
		next = bucket.ResetAfter % l.rate.interval()
	}
	wait := max(1, int64((next+time.Second-1)/time.Second)) // whole seconds, rounded up
	header := c.Response().Header()
	header["Ratelimit-Policy"] = l.policy
	value := make([]byte, 0, len(q.name)+len(`"";r=;t=`)+2*len("9223372036854775807"))
	value = strconv.AppendQuote(value, q.name)
	value = strconv.AppendInt(append(value, ";r="...), int64(bucket.Remaining), 10)
	value = strconv.AppendInt(append(value, ";t="...), wait, 10)
	header["Ratelimit"] = []string{string(value)}
	if bucket.Allowed {
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
			if err := g.count(c, op, quota); err != nil {
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

// count counts the request. For an authenticated caller, a shared limit has already been counted together with
// the credential.
func (g *Gate) count(c echo.Context, op *Operation, q quota) error {
	switch caller := CallerOf(c.Request().Context()); {
	case !op.Rate.ByPrincipal:
		return q.take(c, clientNetworks(c.RealIP())...)
	case op.Rate.Shared:
		return q.report(c, q.levels[0], caller.bucket)
	default:
		return q.take(c, principalKey(caller.Principal))
	}
}

// bucketKey returns the key of the bucket in which the named quota counts the key.
func bucketKey(name, key string) string { return name + "|" + key }

func principalKey(p market.Principal) string { return string(p.Kind) + ":" + p.ID.String() }

func (g *Gate) takeShared(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	return g.store.Take(ctx, key, interval, burst, g.sharedNow())
}
