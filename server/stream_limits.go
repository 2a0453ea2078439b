package server

import (
	"cmp"
	"fmt"

	"taskmarket/market"
)

// streamLimits are the maximum numbers of open event streams of this server. Users without a verified account
// share a lower limit, because such accounts cost nothing. The rest is reserved for verified users.
type streamLimits struct {
	total      int
	unverified int // of all users without a verified account together
	network    int // of one client network
	user       int
}

var defaultStreamLimits = streamLimits{total: 2_000, unverified: 1_000, network: 500, user: 10}

// makeRoom returns KindRateLimited at the limit of the user or of the network, and KindUnavailable during a
// shutdown. At the limit of a network, a verified user takes the place of a user of that network without a
// verified account, because such accounts cost nothing. At the limit of all streams, or of the streams of users without a verified account, it ends the
// stream that largest returns, whose client then reconnects. It returns KindUnavailable instead if, with the
// new stream, the newcomer would hold at least as many streams as the holder of that stream (see
// compareHolders).
func (s *streams) makeRoom(newcomer *stream) error {
	unavailable := &market.Error{
		Kind: market.KindUnavailable, Message: "this server cannot open more event streams at the moment", RetryAfter: streamRetry,
	}
	switch {
	case s.stopping():
		return unavailable
	case len(s.users[newcomer.user]) >= s.limits.user:
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you can have at most %d open event streams on this server", s.limits.user),
			Hint: "close another stream first", RetryAfter: streamRetry,
		}
	case s.networks[newcomer.network] >= s.limits.network:
		neighbour := func(one *stream) bool { return one.network == newcomer.network && !one.verified }
		if largest := s.largest(neighbour); newcomer.verified && largest != nil {
			s.evict(largest)
			return nil
		}
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("your network can have at most %d open event streams on this server", s.limits.network),
			Hint: "close another stream first, or connect from another network", RetryAfter: streamRetry,
		}
	}
	shareFull := !newcomer.verified && s.unverified >= s.limits.unverified
	if s.open < s.limits.total && !shareFull {
		return nil
	}
	largest := s.largest(func(one *stream) bool { return !shareFull || !one.verified })
	if s.compareHolders(newcomer, 1, largest) >= 0 {
		return unavailable
	}
	s.evict(largest)
	return nil
}

// evict ends a stream to make room for another.
func (s *streams) evict(one *stream) {
	s.remove(one)
	close(one.evicted)
}

// largest returns the eligible stream of the user with the most streams. Ties are broken by the network with
// the most streams, and then by age: the oldest stream. It returns nil if no stream is eligible.
func (s *streams) largest(eligible func(*stream) bool) *stream {
	var found *stream
	for _, each := range s.users {
		for one := range each {
			if !eligible(one) {
				continue
			}
			if found == nil || cmp.Or(s.compareHolders(one, 0, found), cmp.Compare(found.number, one.number)) > 0 {
				found = one
			}
		}
	}
	return found
}

// compareHolders compares how many streams the users of a and b have, and if they have equally many, how many
// streams their networks have. It adds addition to the counts for a.
func (s *streams) compareHolders(a *stream, addition int, b *stream) int {
	return cmp.Or(
		cmp.Compare(len(s.users[a.user])+addition, len(s.users[b.user])),
		cmp.Compare(s.networks[a.network]+addition, s.networks[b.network]),
	)
}
