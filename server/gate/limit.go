package gate

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/netip"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/ulule/limiter/v3"

	"taskmarket/market"
	"taskmarket/store"
)

// quota is an active rate limit: one token bucket for each counted client.
type quota struct {
	name    string
	buckets *limiter.Limiter
	policy  string // value of the header RateLimit-Policy
	now     func() time.Time
}

func (g *Gate) newQuota(name string, r rate) quota {
	buckets := bucketStore{take: g.local.take, peek: g.local.peek, burst: r.Burst, now: g.now}
	if r.Shared {
		buckets.take, buckets.peek = g.takeShared, nil
	}
	refill := math.Ceil((r.interval() * time.Duration(r.Burst)).Seconds())
	return quota{
		name: name, now: g.now,
		buckets: limiter.New(buckets, limiter.Rate{Period: r.Period, Limit: r.Count}),
		policy:  fmt.Sprintf("%q;q=%d;w=%d", name, r.Burst, int(max(1, refill))),
	}
}

// take counts a request of the client, sets the RateLimit headers, and returns KindRateLimited when
// the limit is exceeded.
func (q quota) take(c echo.Context, who string) error {
	state, err := q.buckets.Get(c.Request().Context(), q.name+"|"+who)
	if err != nil {
		return err
	}
	return q.tell(c, state)
}

// peek returns KindRateLimited, and sets the RateLimit headers, if take would return it. It counts
// nothing, and works only for local limits.
func (q quota) peek(c echo.Context, who string) error {
	state, err := q.buckets.Peek(c.Request().Context(), q.name+"|"+who)
	if err != nil || !state.Reached {
		return err
	}
	return q.tell(c, state)
}

func (q quota) tell(c echo.Context, state limiter.Context) error {
	wait := max(1, state.Reset-q.now().Unix())
	header := c.Response().Header()
	header.Set("RateLimit-Policy", q.policy)
	header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", q.name, state.Remaining, wait))
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
			if err := quota.take(c, g.counted(c, op)); err != nil {
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

func (g *Gate) takeShared(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	return g.store.Take(ctx, key, interval, burst, g.sharedNow())
}

// counted returns the key of the bucket that the request counts against.
func (g *Gate) counted(c echo.Context, op *Operation) string {
	if who := PrincipalOf(c.Request().Context()); op.Rate.ByPrincipal {
		return string(who.Kind) + ":" + who.ID.String()
	}
	return clientNetwork(c.RealIP())
}

// clientNetwork returns the network that counts as one client: an IPv4 address, or an IPv6 /64, in
// which a host can change its address at will.
func clientNetwork(ip string) string {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return "unknown"
	}
	address = address.Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(64) // cannot fail: an IPv6 address has 128 bits
	return prefix.String()
}

// clientAddress returns the function that extracts the client's address: that of the connection, or
// the one in X-Forwarded-For if the connection is from a trusted proxy.
func clientAddress(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, prefix := range proxies {
		options = append(options, echo.TrustIPRange(toIPNet(prefix)))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

func toIPNet(prefix netip.Prefix) *net.IPNet {
	address := prefix.Masked().Addr()
	return &net.IPNet{IP: address.AsSlice(), Mask: net.CIDRMask(prefix.Bits(), address.BitLen())}
}
