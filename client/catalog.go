package client

import (
	"context"
	"fmt"

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

// Locations returns one page, of at most 20, of the cities that have a name
// beginning with prefix, the largest first.
func (c *Client) Locations(ctx context.Context, prefix string, q PageQuery) (LocationPage, error) {
	params := gen.SearchLocationsParams{Q: prefix, Page: given(q.Page), PageSize: given(q.PageSize), Cursor: given(q.Cursor)}
	page, err := answer[LocationPage](c.api.SearchLocationsWithResponse(ctx, &params))
	if err != nil {
		return page, fmt.Errorf("search locations: %w", err)
	}
	return page, nil
}
