package main

import (
	"os"
	"path/filepath"

	"taskmarket/client"
	"taskmarket/market"
)

// keyPlace returns the file that a new API key goes into: the one that holds the
// key now, or the configuration file. That it can be replaced there is tried
// before the old key is given up.
func (a *app) keyPlace() (path string, err error) {
	s, err := a.settings()
	if err != nil {
		return "", err
	}
	key := s.values[settingAPIKey]
	if key.text != "" && key.path == "" && !key.inConfigFile() {
		return "", fail(exitUsage, "the API key comes from the %s, where it cannot be replaced", key.source).
			next("put it into a file, readable by you alone, that TASKMARKET_API_KEY_FILE names")
	}
	if key.path != "" {
		raw, err := readPrivate(key.path)
		if err == nil {
			err = replacePrivate(key.path, raw)
		}
		if err != nil {
			return "", fail(exitUsage, "the API key's file cannot be written: %w", err)
		}
		return key.path, nil
	}
	if err := writeConfig(s.path, nil); err != nil {
		return "", err
	}
	return s.path, nil
}

// saveKey puts the key into the file of keyPlace.
func (a *app) saveKey(place, key string) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	if place == s.path {
		return a.save(map[string]string{settingAPIKey: key})
	}
	a.loaded = nil
	return replacePrivate(place, []byte(key+"\n"))
}

// keepKey saves a key that replaced another, and says where. If that fails, the
// key is put beside the journals, so that it is not lost for a day.
func (a *app) keepKey(place string, fresh client.KeyReplacement) error {
	if err := a.saveKey(place, fresh.APIKey); err != nil {
		aside, lost := a.keepAside(fresh.APIKey)
		if lost != nil {
			return fail(exitFailed, "the key was replaced and is lost: %w", err).next("in " + market.FormatDuration(market.KeyRotationInterval) + " `taskmarket recover-key` makes a new one")
		}
		return fail(exitFailed, "the key was replaced, but not where the old one is: %w", err).next("the new one is in " + aside)
	}
	a.note("saved in %s: the new API key; the old one is invalid", place)
	return nil
}

// keepAside puts a key beside the journals, and returns where.
func (a *app) keepAside(key string) (path string, err error) {
	state, err := a.stateDir()
	if err != nil {
		return "", err
	}
	path = filepath.Join(state, "api-key")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return "", err
	}
	return path, replacePrivate(path, []byte(key+"\n"))
}

func (a *app) printReplacement(place string, fresh client.KeyReplacement) error {
	if a.json {
		return a.printJSON(shownReplacement{fresh.RotatedAt, place})
	}
	return a.printFields(field{"Replaced", moment(fresh.RotatedAt)}, field{"File", place})
}

// shownReplacement is the API's answer without the key, which is in the file.
type shownReplacement struct {
	RotatedAt market.Time `json:"rotated_at"`
	File      string      `json:"file"`
}
