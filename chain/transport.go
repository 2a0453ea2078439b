package chain

import (
	"net/http"
)

// maxAnswer is the most that one answer of a provider may hold, in bytes. What
// asks for ranges asks for fewer blocks after an answer that was too large.
const maxAnswer = 16 << 20

// providerClient speaks with providers. It follows no redirects: a provider is
// where its URL says.
func providerClient() *http.Client {
	return &http.Client{
		Transport:     bounded{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded reads no more of an answer than maxAnswer, and then fails.
type bounded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	return response, nil
}
