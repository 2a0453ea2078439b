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

	gen "taskmarket/gen/client"
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
func (c *Client) Events(ctx context.Context, after string) iter.Seq2[News, error] {
	return func(yield func(News, error) bool) {
		s := newsStream{client: c, id: after, retry: newsRetry, yield: yield}
		for {
			err := s.follow(ctx)
			switch {
			case ctx.Err() != nil || errors.Is(err, errEnough):
				return
			case err != nil && !errors.Is(err, ErrUnavailable):
				yield(News{}, fmt.Errorf("follow events: %w", err))
				return
			}
			if pause(ctx, s.retry) != nil {
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
	yield  func(News, error) bool
}

// follow reads one connection to its end; nil when a repeat goes on from there.
func (s *newsStream) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	silence := time.AfterFunc(newsSilence, cancel)
	defer silence.Stop()
	var params gen.StreamEventsParams
	if s.id != "" {
		params.LastEventID = &s.id
	}
	resp, err := s.client.news.StreamEvents(ctx, &params)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
		if err != nil {
			return unreachable(ctx, err)
		}
		if refused := refusal(resp, body); !curable(resp.Request, resp) {
			return refused
		}
		return nil
	}
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); media != "text/event-stream" {
		return fmt.Errorf("the server answered %q instead of events; check the base URL", resp.Header.Get("Content-Type"))
	}
	return s.read(resp.Body, func() { silence.Reset(newsSilence) })
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
