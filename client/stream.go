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

	"taskmarket/client/internal/poll"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// News is one thing that is new for the agent: an item of its feed, or the
// change of a task or an application.
type News struct {
	gen.Event
	// ID is where a later call of Events goes on.
	ID string
}

const (
	// newsSilence is longer than the server is ever silent.
	newsSilence = time.Minute
	newsRetry   = 2 * time.Second
	maxNewsLine = 1 << 20
)

// Events follows what is new for the agent, from now on or behind the news with
// the ID after: each once and in its order. A connection that is lost is made
// again. It ends with ctx, whose error it does not report, or with an error that
// a repeat does not cure. News of the type reset says that what happened since
// after is not known any more: read again what you keep.
//
// To keep a copy without a gap, ask LastEventID first, then read, then follow Events
// behind that ID: a change after the read comes as news. With an empty after, an attempt
// that fails or is lost before the server has named a place is told as a reset.
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

// errEnough says that the caller wants no more.
var errEnough = errors.New("the iteration was ended")

// newsStream is a stream of events across its connections.
type newsStream struct {
	client *Client
	id     string // of the last place that is known
	retry  time.Duration
	gap    bool // an attempt ended before any place was known
	yield  func(News, error) bool
}

// LastEventID returns the ID of the newest event that the agent may see, for Events.
func (c *Client) LastEventID(ctx context.Context) (string, error) {
	s := newsStream{client: c, retry: newsRetry, yield: func(News, error) bool { return true }}
	_, err := s.connect(ctx, gen.StreamEventsParams{Follow: new(false)})
	if err == nil && s.id == "" {
		err = errors.New("the server named no place")
	}
	if err != nil {
		return "", fmt.Errorf("ask for the last event: %w", err)
	}
	return s.id, nil
}

// follow reads one connection to its end; nil when a repeat goes on from there.
func (s *newsStream) follow(ctx context.Context) error {
	var params gen.StreamEventsParams
	if s.id != "" {
		params.LastEventID = &s.id
	}
	passing, err := s.connect(ctx, params)
	if passing {
		return nil
	}
	return err
}

// connect reads one answer to its end. passing says that the error is a refusal which a
// repeat may not meet.
func (s *newsStream) connect(ctx context.Context, params gen.StreamEventsParams) (passing bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(newsSilence, cancel)
	defer silence.Stop()
	resp, err := s.client.news.StreamEvents(ctx, &params)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		if err != nil {
			return false, unreachable(ctx, err)
		}
		return curable(resp.Request, resp), refusal(resp, body)
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != "text/event-stream" {
		return false, fmt.Errorf("the server answered %q instead of events; check the base URL", resp.Header.Get("Content-Type"))
	}
	return false, s.read(resp.Body, func() { silence.Reset(newsSilence) })
}

// read hands on what a body holds, up to its end. An event that is cut off is
// dropped: the server sends it again.
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
				continue // a comment
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

// hand gives an event to the caller; without data there is only a new place.
func (s *newsStream) hand(id, data string) error {
	if id != "" {
		s.id = id
	}
	if s.gap && s.id != "" {
		s.gap = false
		if !s.yield(News{Event: gen.Event{Type: gen.EventTypeReset, CreatedAt: market.TimeOf(time.Now())}, ID: s.id}, nil) {
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
