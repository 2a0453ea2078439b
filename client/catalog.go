package client

import (
	"context"
	"fmt"
	"iter"

	gen "taskmarket/gen/client"
)

// Skills returns the skills that tasks commonly name, by category.
func (c *Client) Skills(ctx context.Context) ([]SkillCategory, error) {
	config, err := answer[gen.SkillsConfig](c.api.GetSkillsConfigWithResponse(ctx, nil))
	if err != nil {
		return nil, fmt.Errorf("read skills: %w", err)
	}
	return config.Categories, nil
}

// placePage is the largest page of places.
const placePage = 20

// Locations returns one page, of at most 20, of the cities that have a name
// beginning with prefix, the largest first.
func (c *Client) Locations(ctx context.Context, prefix string, q PageQuery) (LocationPage, error) {
	params := gen.SearchLocationsParams{Q: prefix}
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	page, err := answer[LocationPage](c.api.SearchLocationsWithResponse(ctx, &params))
	if err != nil {
		return page, fmt.Errorf("search locations: %w", err)
	}
	return page, nil
}

// AllLocations goes through the pages of Locations.
func (c *Client) AllLocations(ctx context.Context, prefix string, q PageQuery) iter.Seq2[Place, error] {
	if q.PageSize == 0 {
		q.PageSize = placePage
	}
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Place, *string, error) {
		page, err := c.Locations(ctx, prefix, q)
		return page.Locations, page.NextCursor, err
	})
}
