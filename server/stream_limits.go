package server

import (
	"cmp"

	"taskmarket/market"
)

// streamLimits are the largest numbers of open event streams of this server. All users without a verified
// account together have a lower limit, because such accounts cost nothing: the rest is for verified users.
type streamLimits struct {
	total      int
	unverified int // of all users without a verified account
	network    int // of one client network
	user       int
}

var defaultStreamLimits = streamLimits{total: 2_000, unverified: 1_000, network: 500, user: 10}

// makeRoom checks that a stream can be opened. If the total, or the total of users without a verified
// account, is reached, it ends the oldest stream of the user with the most, whose client connects again,
// unless the newcomer would then have as many.
func (s *streams) makeRoom(newcomer *stream) error {
	unavailable := &market.Error{
		Kind: market.KindUnavailable, Message: "this server cannot open more event streams at the moment", RetryAfter: streamRetry,
	}
	switch {
	case s.stopping():
		return unavailable
	case len(s.users[newcomer.user]) >= s.limits.user:
		return &market.Error{
			Kind: market.KindRateLimited, Message: "you have too many open event streams",
			Hint: "close another stream first", RetryAfter: streamRetry,
		}
	case s.networks[newcomer.network] >= s.limits.network:
		return &market.Error{
			Kind: market.KindRateLimited, Message: "your network has too many open event streams",
			Hint: "close another stream first, or connect from another network", RetryAfter: streamRetry,
		}
	}
	shareFull := !newcomer.verified && s.unverified >= s.limits.unverified
	if s.open < s.limits.total && !shareFull {
		return nil
	}
	largest := s.largest(shareFull)
	if s.compareHolders(newcomer, 1, largest) >= 0 {
		return unavailable
	}
	s.remove(largest)
	close(largest.evicted)
	return nil
}

// largest returns the oldest stream of the user who has the most, and among such users, of the
// network that has the most.
func (s *streams) largest(unverified bool) *stream {
	var found *stream
	for _, each := range s.users {
		for one := range each {
			if unverified && one.verified {
				continue
			}
			if found == nil || cmp.Or(s.compareHolders(one, 0, found), cmp.Compare(found.number, one.number)) > 0 {
				found = one
			}
		}
	}
	return found
}

// compareHolders compares how many streams the holders of a and b have, those of a with the addition.
func (s *streams) compareHolders(a *stream, addition int, b *stream) int {
	return cmp.Or(
		cmp.Compare(len(s.users[a.user])+addition, len(s.users[b.user])),
		cmp.Compare(s.networks[a.network]+addition, s.networks[b.network]),
	)
}
