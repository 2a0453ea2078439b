package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
	"taskmarket/client/watch"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// News is an event for the agent: an item in its activity feed, or a change to a task or an
// application.
type News struct {
	gen.Event
	// ID is the position just after this event. Pass it to Events to resume from here.
	ID string
}

const (
	// newsSilence is how long a connection may be silent. It is longer than the server's heartbeat
	// interval.
	newsSilence = time.Minute
	newsRetry   = 2 * time.Second
	maxNewsLine = 1 << 20
)

// Events yields the agent's events, each once and in order. It starts after the event with the ID
// after, or with the next event if after is empty. It reconnects when a connection is lost. It ends
// without an error when ctx ends, or with an error that a retry would not fix. A News of the type
// NewsReset means that events are missing, so a local copy must be read again.
//
// To keep a local copy without gaps, first call LastEventID, then read the records, then call
// Events with that ID. Events are reported as missing if the server no longer stores the events
// after the ID, or if after is empty and a connection fails before the server has sent a position.
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[News, error] {
	return func(yield func(News, error) bool) {
		s := newsStream{client: c, id: after, retry: newsRetry, yield: yield}
		for {
			err := s.follow(ctx)
			s.gap = s.id == ""
			switch {
			case ctx.Err() != nil || errors.Is(err, errEnough):
				return
			case err != nil && !errors.Is(err, ErrUnavailable):
				yield(News{}, fmt.Errorf("follow events: %w", err))
				return
			}
			if poll.Pause(ctx, s.retry) != nil {
				return
			}
		}
	}
}

// NewsReset is the type of a News that reports missing events. The client creates it; it is not an
// event of the server.
const NewsReset gen.EventType = "reset"

// errEnough is returned when the caller has left the loop.
var errEnough = errors.New("the iteration was stopped")

// newsStream is the state of an event stream, across reconnects.
type newsStream struct {
	client *Client
	id     string // the last known position
	retry  time.Duration
	gap    bool // a connection ended and no position is known, so events may be missing
	yield  func(News, error) bool
}

// LastEventID returns the ID of the newest event that is visible to the agent. Pass it to Events.
func (c *Client) LastEventID(ctx context.Context) (string, error) {
	s := newsStream{client: c, retry: newsRetry, yield: func(News, error) bool { return true }}
	_, err := s.connect(ctx, gen.StreamEventsParams{Follow: new(false)})
	if err == nil && s.id == "" {
		err = errors.New("the server sent no event ID")
	}
	if err != nil {
		return "", fmt.Errorf("get the last event ID: %w", err)
	}
	return s.id, nil
}

// follow reads events from one connection until it ends. It returns nil or an ErrUnavailable if a
// new connection can resume.
func (s *newsStream) follow(ctx context.Context) error {
	var params gen.StreamEventsParams
	if s.id != "" {
		params.LastEventID = &s.id
	}
	passing, err := s.connect(ctx, params)
	if refused, ok := errors.AsType[*APIError](err); ok && refused.Code == market.KindCursorExpired {
		s.id = "" // a new connection starts at the current position and reports the gap
		return nil
	}
	if passing {
		return nil
	}
	return err
}

// connect opens one connection and reads its events until it ends. passing means that the server
// sent an error response, and that a retry may succeed. If the connection is lost, or silent for
// newsSilence, before the events begin, the error is ErrUnavailable.
func (s *newsStream) connect(ctx context.Context, params gen.StreamEventsParams) (passing bool, err error) {
	open, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(newsSilence, cancel)
	defer silence.Stop()
	resp, err := s.client.streams.StreamEvents(open, &params)
	if err != nil && open.Err() != nil && ctx.Err() == nil {
		return false, fmt.Errorf("%w: no response within %s", ErrUnavailable, newsSilence)
	}
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		if err != nil {
			return false, unreachable(ctx, err) // ctx, because open also ends after a silence
		}
		return retryable(resp.Request, resp), refusal(resp, body)
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != "text/event-stream" {
		return false, fmt.Errorf("the server sent %q instead of events; check the URL of the API", resp.Header.Get("Content-Type"))
	}
	return false, s.read(resp.Body, func() { silence.Reset(newsSilence) })
}

// read yields the events from a response body. It drops an incomplete event, because the server
// sends it again on the next connection.
func (s *newsStream) read(body io.Reader, heard func()) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxNewsLine)
	var id, data string
	for lines.Scan() {
		heard()
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			id = value
		case "data":
			data = value
		case "retry":
			if ms, err := strconv.ParseUint(value, 10, 16); err == nil {
				s.retry = time.Duration(ms) * time.Millisecond
			}
		case "":
			if lines.Text() != "" {
				continue // a line that starts with a colon is a comment
			}
			if err := s.hand(id, data); err != nil {
				return err
			}
			id, data = "", ""
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("an event is larger than %d bytes", maxNewsLine)
	}
	return nil
}

// hand stores the position and yields the event, if there is data. If events may be missing, it first
// yields a NewsReset.
func (s *newsStream) hand(id, data string) error {
	if id != "" {
		s.id = id
	}
	if s.gap && s.id != "" {
		s.gap = false
		if !s.yield(News{Event: gen.Event{Type: NewsReset, CreatedAt: market.TimeOf(time.Now())}, ID: s.id}, nil) {
			return errEnough
		}
	}
	if data == "" {
		return nil
	}
	news := News{ID: s.id}
	if err := json.Unmarshal([]byte(data), &news.Event); err != nil {
		return fmt.Errorf("read an event: %w", err)
	}
	if !s.yield(news, nil) {
		return errEnough
	}
	return nil
}

// Watch yields the contracts' events; see watch.Events.
func (c *Client) Watch(ctx context.Context, options watch.Options) iter.Seq2[watch.Event, error] {
	return watch.Events(ctx, func(ctx context.Context) (*node.Node, market.Deployment, error) {
		d, n, err := c.contracts(ctx)
		if err != nil {
			return nil, market.Deployment{}, err
		}
		return n, d.Deployment, nil
	}, options)
}

// FirstBlock returns the block in which the escrow was deployed, which is the first that can
// contain an event. If the node does not have the state of old blocks, it returns 1; a stream that
// starts there takes longer.
func (c *Client) FirstBlock(ctx context.Context) (uint64, error) {
	d, n, err := c.contracts(ctx)
	if err != nil {
		return 0, err
	}
	return watch.FirstBlock(ctx, n, d.Escrow)
}
