package screening

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"taskmarket/market"
	"taskmarket/server/gazetteer"
)

// AdultAge is the age that humans declare if an instance requires it.
const AdultAge = 18

// Instance contains what an operator forbids and requires. The zero value forbids nothing.
type Instance struct {
	// TermsURL, PrivacyURL and ContactURL are links in the web app's footer; "" means none.
	TermsURL   string `json:"terms_url"`
	PrivacyURL string `json:"privacy_url"`
	ContactURL string `json:"contact_url"`
	// MinimumAge is 0 or AdultAge: humans must declare it before they apply.
	MinimumAge int `json:"minimum_age"`
	// Categories are skills that a task must not name. They are compared word by word.
	Categories []string `json:"forbidden_categories"`
	// Countries are ISO 3166-1 alpha-2 codes of countries that a task or human must not be in.
	Countries []string `json:"forbidden_countries"`
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// maxEntries limits the categories and the countries.
const maxEntries = 300

// Check returns the first fault of the configuration.
func (i Instance) Check() error {
	for name, link := range map[string]string{"terms": i.TermsURL, "privacy": i.PrivacyURL, "contact": i.ContactURL} {
		u, err := url.Parse(link)
		if link != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil) {
			return fmt.Errorf("the %s link %q must be an http or https URL without a user name, such as https://market.example/terms", name, link)
		}
	}
	if i.MinimumAge != 0 && i.MinimumAge != AdultAge {
		return fmt.Errorf("the minimum age must be 0 or %d, not %d", AdultAge, i.MinimumAge)
	}
	if len(i.Categories) > maxEntries || len(i.Countries) > maxEntries {
		return fmt.Errorf("there are more than %d categories or countries", maxEntries)
	}
	for _, code := range i.Countries {
		if !countryCode.MatchString(code) {
			return fmt.Errorf("country %q is not an ISO 3166-1 alpha-2 code: two capital letters, such as PT", code)
		}
	}
	for _, category := range i.Categories {
		if err := market.CheckLine("category", category); err != nil || len(category) > market.MaxSkill {
			return fmt.Errorf("category %q must be one line of visible characters, with at most %d bytes", category, market.MaxSkill)
		}
	}
	return nil
}

// The rules of an instance that hold tasks, in addition to those of Rules.
const (
	RuleCategory = "forbidden_category" // the title or the description names a forbidden category
	RuleLocation = "no_location"        // the task could be in a forbidden country
)

// InstanceClause returns, for moderators, what the operator forbids with a rule of an instance. It returns ""
// if there is no such rule.
func InstanceClause(rule string) string {
	switch rule {
	case RuleCategory:
		return "This service forbids tasks in the categories that GET /config/instance lists."
	case RuleLocation:
		return "This service forbids tasks in the countries that GET /config/instance lists."
	}
	return ""
}

// CheckTask returns KindInvalid if the instance forbids a task with these skills at this location.
func (i Instance) CheckTask(skills []string, location string) error {
	for _, skill := range skills {
		if category := i.categoryIn(skill); category != "" {
			return forbidden("skills", "this service does not accept tasks in the category %q", category)
		}
	}
	return i.CheckLocation(location)
}

// Match returns the name of the instance's rule that holds a task, or "". A text can name a forbidden category
// without being about it, so such a task is held, not refused.
func (i Instance) Match(task market.Task) string {
	switch {
	case i.categoryIn(task.Title, task.Description) != "":
		return RuleCategory
	case len(i.Countries) > 0 && !task.Remote && strings.TrimSpace(task.Location) == "":
		return RuleLocation
	}
	return ""
}

// minComparedLetters is the minimum number of letters of a category that is compared by words. Categories such
// as C# and 18+ would occur in many texts, so they are compared only with whole skills and whole texts.
const minComparedLetters = 3

// categoryIn returns the first forbidden category whose words, possibly disguised, are in one of the texts.
func (i Instance) categoryIn(texts ...string) string {
	if len(i.Categories) == 0 {
		return ""
	}
	var names []string
	for _, category := range i.Categories {
		names = append(names, gazetteer.Fold(category))
	}
	var readings []reading
	for _, text := range texts {
		readings = append(readings, readingsOf(strings.Map(visible, text), vocabularyOf(names...), nil)...)
	}
	for _, category := range i.Categories {
		words := gazetteer.Fold(category)
		same := func(text string) bool { return strings.EqualFold(category, text) }
		named := func(r reading) bool { return hasWords(r.folded, words) }
		if slices.ContainsFunc(texts, same) || letters(words) >= minComparedLetters && slices.ContainsFunc(readings, named) {
			return category
		}
	}
	return ""
}

// letters returns the number of letters in a text.
func letters(text string) int {
	count := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			count++
		}
	}
	return count
}

// hasWords reports whether a folded text contains the folded words in this order, without other words
// between them.
func hasWords(folded, words string) bool {
	return strings.Contains(" "+folded+" ", " "+words+" ")
}

// CheckLocation returns KindInvalid if the location is in a forbidden country.
func (i Instance) CheckLocation(location string) error {
	if len(i.Countries) == 0 || location == "" {
		return nil
	}
	code, err := gazetteer.Country(location)
	if err == nil && code == "" {
		code, err = gazetteer.Country(strings.Map(market.Undisguise, strings.Map(visible, location)))
	}
	if err != nil || !slices.Contains(i.Countries, code) {
		return err
	}
	return forbidden("location", "this service is not available in the country %s", code)
}

// CheckResidence returns KindInvalid if countries are forbidden, and the human has no location or is in one of
// them.
func (i Instance) CheckResidence(location string) error {
	if len(i.Countries) > 0 && strings.TrimSpace(location) == "" {
		return market.Invalid("location", "required", "set your location before you apply: this service is not available in all countries").
			WithHint("send location with PATCH /humans/me")
	}
	return i.CheckLocation(location)
}

func forbidden(field, format string, args ...any) error {
	return market.Invalid(field, "forbidden", format, args...).WithHint("GET /config/instance lists what this service forbids")
}

// CheckApplicant returns KindDeclarationRequired if a minimum age is required and the human has not declared
// it.
func (i Instance) CheckApplicant(declared bool) error {
	if i.MinimumAge == 0 || declared {
		return nil
	}
	return market.Errorf(market.KindDeclarationRequired, "declare that you are %d or older before you apply", i.MinimumAge).
		WithHint("send is_adult with PATCH /humans/me")
}
