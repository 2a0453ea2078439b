package server

import (
	"log/slog"

	"taskmarket/market"
	"taskmarket/store"
)

// MaxStreamsEach is exported for the test that reaches this limit.
var MaxStreamsEach = defaultStreamLimits.user

// MaxUploadsEach is exported for the test that reaches this limit.
const MaxUploadsEach = maxUploadsEach

// Streams gives tests access to the event streams of a server without HTTP requests.
type Streams struct{ *streams }

// NewStreams returns Streams with the given limits.
func NewStreams(events *store.Store, total, unverified, network, user int) Streams {
	s := newStreams(events, func() bool { return false }, func(int) {}, slog.New(slog.DiscardHandler))
	s.limits = streamLimits{total: total, unverified: unverified, network: network, user: user}
	return Streams{s}
}

// Join opens a stream. evicted reports whether the stream was ended to make room for another.
func (s Streams) Join(who market.Principal, network string) (evicted func() bool, leave func(), err error) {
	joined, err := s.join(who, network)
	if err != nil {
		return nil, nil, err
	}
	return func() bool {
		select {
		case <-joined.evicted:
			return true
		default:
			return false
		}
	}, func() { s.leave(joined) }, nil
}

// EventPoll is exported for tests that wait for a poll.
const EventPoll = eventPoll
