package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// document contains the fields of CycloneDX 1.5 that a release sets.
type document struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Revision   int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Kind    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl,omitempty"`
}

// writeSBOM writes the SBOM of a program. It lists the Go modules that are linked into the program, and
// for the server also the npm packages that are bundled into the web app.
func (r release) writeSBOM(program, path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the modules of %s: %w", path, err)
	}
	components := []component{{"library", "stdlib", info.GoVersion, ""}}
	for _, dependency := range info.Deps {
		if dependency.Replace != nil {
			dependency = dependency.Replace
		}
		components = append(components, component{
			"library", dependency.Path, dependency.Version, "pkg:golang/" + dependency.Path + "@" + dependency.Version,
		})
	}
	if program == "taskmarketd" {
		packages, err := r.bundledPackages()
		if err != nil {
			return err
		}
		components = append(components, packages...)
	}
	text, err := json.MarshalIndent(document{
		"CycloneDX", "1.5", 1, metadata{component{"application", program, r.version, ""}}, components,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, program+".cdx.json"), append(text, '\n'), 0o644)
}

// bundledPackages returns the production dependencies in the web app's lock file that are not optional.
func (r release) bundledPackages() ([]component, error) {
	text, err := os.ReadFile(filepath.Join(r.root, "web", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version  string
			Dev      bool
			Optional bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("read web/package-lock.json: %w", err)
	}
	var components []component
	for path, locked := range lock.Packages {
		_, name, found := strings.Cut(path, "node_modules/")
		if !found || locked.Dev || locked.Optional {
			continue
		}
		if at := strings.LastIndex(name, "node_modules/"); at >= 0 {
			name = name[at+len("node_modules/"):]
		}
		components = append(components, component{"library", name, locked.Version, "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + locked.Version})
	}
	slices.SortFunc(components, func(a, b component) int { return strings.Compare(a.URL, b.URL) })
	return components, nil
}
