package screening

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"taskmarket/market"
	"taskmarket/server/gazetteer"
)

// AdultAge is the age that humans declare if an instance requires it.
const AdultAge = 18

// Instance is what an operator forbids and requires. The zero value forbids nothing.
type Instance struct {
	TermsURL, PrivacyURL, ContactURL string   // links for the web app; "" means none
	MinimumAge                       int      // 0 or AdultAge: humans must declare it before they apply
	Categories                       []string // skills that a task cannot name
	Countries                        []string // ISO 3166-1 codes of countries that a task or human cannot be in
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// maxEntries limits the categories and the countries.
const maxEntries = 300

// Check returns the first fault of the configuration.
func (i Instance) Check() error {
	for name, link := range map[string]string{"terms": i.TermsURL, "privacy": i.PrivacyURL, "contact": i.ContactURL} {
		u, err := url.Parse(link)
		if link != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil) {
			return fmt.Errorf("the %s link %q is not like https://market.example/terms", name, link)
		}
	}
	if i.MinimumAge != 0 && i.MinimumAge != AdultAge {
		return fmt.Errorf("the minimum age is %d, not 0 or %d", i.MinimumAge, AdultAge)
	}
	if len(i.Categories) > maxEntries || len(i.Countries) > maxEntries {
		return fmt.Errorf("more than %d categories or countries", maxEntries)
	}
	for _, code := range i.Countries {
		if !countryCode.MatchString(code) {
			return fmt.Errorf("country %q is not an ISO 3166-1 code such as PT", code)
		}
	}
	for _, category := range i.Categories {
		if err := market.CheckLine("category", category); err != nil || len(category) > market.MaxSkill {
			return fmt.Errorf("category %q is not a skill", category)
		}
	}
	return nil
}

// CheckTask returns KindInvalid if the instance forbids a task with these skills at this location.
func (i Instance) CheckTask(skills []string, location string) error {
	for _, skill := range skills {
		if slices.ContainsFunc(i.Categories, func(c string) bool { return strings.EqualFold(c, skill) }) {
			return forbidden("skills", "this service does not accept tasks of the category %q", skill)
		}
	}
	return i.CheckLocation(location)
}

// CheckLocation returns KindInvalid if the location is in a forbidden country.
func (i Instance) CheckLocation(location string) error {
	if len(i.Countries) == 0 || location == "" {
		return nil
	}
	code, err := gazetteer.Country(location)
	if err != nil || !slices.Contains(i.Countries, code) {
		return err
	}
	return forbidden("location", "this service is not available in the country %s", code)
}

func forbidden(field, format string, args ...any) error {
	return market.Invalid(field, "forbidden", format, args...).WithHint("GET /config/instance lists what this service forbids")
}

// CheckApplicant returns KindDeclarationRequired if the human must declare the age first.
func (i Instance) CheckApplicant(declared bool) error {
	if i.MinimumAge == 0 || declared {
		return nil
	}
	return market.Errorf(market.KindDeclarationRequired, "declare that you are %d or older before you apply", i.MinimumAge).
		WithHint("send is_adult with PATCH /humans/me")
}
