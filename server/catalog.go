package server

import (
	"context"
	_ "embed" // the skills
	"encoding/json"
	"fmt"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gazetteer"
)

//go:embed skills.json
var skillsFile []byte

// readSkills reads the platform's skill categories.
func readSkills() ([]api.SkillCategory, error) {
	var categories []api.SkillCategory
	if err := json.Unmarshal(skillsFile, &categories); err != nil {
		return nil, fmt.Errorf("read the skills: %w", err)
	}
	return categories, nil
}

// GetSkillsConfig answers the skills that are suggested, by category.
func (s *Server) GetSkillsConfig(context.Context, api.GetSkillsConfigRequestObject) (api.GetSkillsConfigResponseObject, error) {
	return api.GetSkillsConfig200JSONResponse{Body: api.SkillsConfig{Categories: s.skills}}, nil
}

// SearchLocations finds cities by the beginning of their names.
func (s *Server) SearchLocations(_ context.Context, request api.SearchLocationsRequestObject) (api.SearchLocationsResponseObject, error) {
	p := request.Params
	if gazetteer.Fold(p.Q) == "" {
		return nil, market.Invalid("q", "empty", "must hold a letter or a digit")
	}
	places, err := gazetteer.Search(p.Q)
	if err != nil {
		return nil, err
	}
	cut, err := pageOf(places, p.Page, p.PageSize, p.Cursor)
	if err != nil {
		return nil, err
	}
	return api.SearchLocations200JSONResponse{Body: api.LocationPage{
		Locations: mapAll(cut.items, toAPIPlace), Total: int64(len(places)), Page: cut.page, PageSize: cut.size, NextCursor: cut.next,
	}}, nil
}

func toAPIPlace(p *gazetteer.Place) api.Place {
	return api.Place{
		Name: p.Name, Region: optional(p.Region), Country: p.Country, CountryCode: p.CountryCode,
		Latitude: &p.Latitude, Longitude: &p.Longitude,
	}
}
