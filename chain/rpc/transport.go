package rpc

import (
	"context"
	"net/http"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

// maxAnswer is the size limit of one answer of a provider, in bytes. Requests for ranges are
// repeated with fewer blocks after an answer that is too large.
const maxAnswer = 16 << 20

// DialClient connects to one node over http or ws. It limits the size of answers and follows no
// redirects. It returns as soon as ctx ends. Its errors may contain the URL.
func DialClient(ctx context.Context, url string) (*ethclient.Client, error) {
	return dialClient(ctx, url, HTTPClient(maxAnswer))
}

func dialClient(ctx context.Context, url string, transport *http.Client) (*ethclient.Client, error) {
	type dialed struct {
		client *rpc.Client
		err    error
	}
	done := make(chan dialed, 1)
	go func() {
		client, err := rpc.DialOptions(ctx, url, rpc.WithHTTPClient(transport), rpc.WithWebsocketMessageSizeLimit(maxAnswer))
		done <- dialed{client, err}
	}()
	select {
	case d := <-done:
		if d.err != nil {
			return nil, d.err
		}
		return ethclient.NewClient(d.client), nil
	case <-ctx.Done():
		// The handshake of a websocket obeys the deadline of ctx, but not its cancellation.
		go func() {
			if d := <-done; d.err == nil {
				d.client.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// HTTPClient returns a client for untrusted servers: it follows no redirects and reads at most the
// given number of bytes of a response. It has no timeout; the context of each call limits the time.
func HTTPClient(maxBytes int64) *http.Client {
	return &http.Client{
		Transport:     bounded{http.DefaultTransport, maxBytes},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded is a transport that limits the body of a response to maxBytes. Reading more is an error.
type bounded struct {
	next     http.RoundTripper
	maxBytes int64
}

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = http.MaxBytesReader(nil, response.Body, b.maxBytes)
	return response, nil
}
