package client

import (
	"context"
	"errors"
	"fmt"
)

// Health returns how well the service is, also when it says that it cannot
// serve. It needs no API key.
func (c *Client) Health(ctx context.Context) (Health, error) {
	resp, err := c.api.GetHealthWithResponse(meant(ctx))
	if err != nil {
		return Health{}, fmt.Errorf("get health: %w", err)
	}
	health := resp.JSON200
	if health == nil {
		health = resp.JSON503
	}
	if health == nil || !health.Status.Valid() {
		return Health{}, errors.New("get health: the server answered something else")
	}
	return *health, nil
}
