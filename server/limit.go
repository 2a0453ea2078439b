package server

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

// limit counts the operation's requests and refuses those over its rate.
func (s *Server) limit(op *operation) echo.MiddlewareFunc {
	buckets := bucketStore{take: s.local.take, burst: op.rate.Burst, now: s.now}
	if op.rate.Shared {
		buckets.take = s.takeShared
	}
	limits := limiter.New(buckets, limiter.Rate{Period: op.rate.Period, Limit: op.rate.Count})
	refill := math.Ceil((op.rate.interval() * time.Duration(op.rate.Burst)).Seconds())
	policy := fmt.Sprintf("%q;q=%d;w=%d", op.id, op.rate.Burst, int(max(1, refill)))
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			state, err := limits.Get(c.Request().Context(), op.id+"|"+s.counted(c, op))
			if err != nil {
				return err
			}
			wait := max(1, state.Reset-s.now().Unix())
			header := c.Response().Header()
			header.Set("RateLimit-Policy", policy)
			header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", op.id, state.Remaining, wait))
			if state.Reached {
				return &market.Error{
					Kind: market.KindRateLimited, Message: "too many requests for this operation",
					Hint: "wait as long as the header Retry-After says", RetryAfter: time.Duration(wait) * time.Second,
				}
			}
			return next(c)
		}
	}
}

func (s *Server) takeShared(ctx context.Context, key string, interval time.Duration, burst int) (store.Bucket, error) {
	return s.store.Take(ctx, key, interval, burst, s.now())
}

// counted names whose requests are counted.
func (s *Server) counted(c echo.Context, op *operation) string {
	if who := principalOf(c.Request().Context()); op.rate.ByPrincipal {
		return string(who.Kind) + ":" + who.ID.String()
	}
	return clientNetwork(c.RealIP())
}

// clientNetwork is what one client can be expected to have: an IPv4 address or
// an IPv6 /64, whose addresses one host may change at will.
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

// clientAddress returns how to find a client's address: from the connection,
// or from X-Forwarded-For when the connection comes from a trusted proxy.
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
