package client

import (
	"context"
	"errors"
	"fmt"
	"iter"

	gen "taskmarket/gen/client"
)

// Skills returns the common skills, grouped by category.
func (c *Client) Skills(ctx context.Context) ([]SkillCategory, error) {
	config, err := resultOf[gen.SkillsConfig](c.api.GetSkillsConfigWithResponse(ctx, nil))
	if err != nil {
		return nil, fmt.Errorf("read skills: %w", err)
	}
	return config.Categories, nil
}

// placePage is the maximum page size for Locations.
const placePage = 20

// Locations returns one page of the cities whose name starts with prefix, best match first: an
// exact match precedes a longer name, and among equal matches the larger city comes first. A page
// contains at most 20 cities.
func (c *Client) Locations(ctx context.Context, prefix string, q PageQuery) (_ LocationPage, err error) {
	defer wrap(&err, "search locations")
	params := gen.SearchLocationsParams{Q: prefix}
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return resultOf[LocationPage](c.api.SearchLocationsWithResponse(ctx, &params))
}

// AllLocations iterates over all pages of Locations.
func (c *Client) AllLocations(ctx context.Context, prefix string, q PageQuery) iter.Seq2[Place, error] {
	if q.PageSize == 0 {
		q.PageSize = placePage
	}
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Place, *string, error) {
		page, err := c.Locations(ctx, prefix, q)
		return page.Locations, page.NextCursor, err
	})
}

// Health returns the state of the service, even if it is unhealthy. It needs no API key.
func (c *Client) Health(ctx context.Context) (Health, error) {
	resp, err := c.api.GetHealthWithResponse(acceptUnavailable(ctx))
	if err != nil {
		return Health{}, fmt.Errorf("get health: %w", err)
	}
	health := resp.JSON200
	if health == nil {
		health = resp.JSON503
	}
	if health == nil || health.Status == "" {
		return Health{}, errors.New("get health: the response has no status")
	}
	return *health, nil
}

// Config returns the chain, the contracts and the rules that the API reports. It is only for
// information: before this library pays or calls a contract, it verifies the contract on the node
// and against Options.Contracts.
func (c *Client) Config(ctx context.Context) (_ ContractsConfig, err error) {
	defer wrap(&err, "get contracts configuration")
	return resultOf[ContractsConfig](c.api.GetContractsConfigWithResponse(ctx, &gen.GetContractsConfigParams{}))
}

// Instance returns the rules of the service's operator, and links to its terms and contacts.
func (c *Client) Instance(ctx context.Context) (_ InstanceConfig, err error) {
	defer wrap(&err, "get the operator's rules")
	return resultOf[InstanceConfig](c.api.GetInstanceConfigWithResponse(ctx, nil))
}
