// Command release writes everything that a release publishes to dist/: the programs for each
// platform, an SBOM for each program (CycloneDX), SHA256SUMS, and the Go module as the file tree of
// a module proxy. It releases the current commit, and fails if the work tree has changes.
//
//	make release VERSION=v0.1.0
//
// A static web server can serve dist/proxy; users set GOPROXY to its address.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	modzip "golang.org/x/mod/zip"
)

const allPlatforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

type release struct {
	root, dist string // the repository, and the output folder
	version    string // for example v1.2.3
	module     string
	platforms  []string // each as os/arch
	programs   []string // directory names in cmd/
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	root := flags.String("root", "..", "the repository")
	version := flags.String("version", "", "the version, for example v0.1.0")
	platforms := flags.String("platforms", allPlatforms, "the target platforms as os/arch, separated by commas")
	programs := flags.String("programs", "taskmarket,taskmarketd", "the programs in cmd/, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r := release{version: *version, platforms: strings.Split(*platforms, ","), programs: strings.Split(*programs, ",")}
	if !semver.IsValid(r.version) || semver.Canonical(r.version) != r.version {
		return fmt.Errorf("version %q is not like v1.2.3: run make release VERSION=v0.1.0", r.version)
	}
	var err error
	if r.root, err = filepath.Abs(*root); err != nil {
		return err
	}
	r.dist = filepath.Join(r.root, "dist")
	manifest, err := os.ReadFile(filepath.Join(r.root, "go.mod"))
	if err != nil {
		return err
	}
	r.module = modfile.ModulePath(manifest)
	if changes, err := r.output("git", "status", "--porcelain"); err != nil {
		return err
	} else if changes != "" {
		return fmt.Errorf("the work tree has changes; commit them first:\n%s", changes)
	}
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if err := os.Mkdir(r.dist, 0o755); err != nil {
		return err
	}
	for _, step := range []func() error{r.build, func() error { return r.writeModule(manifest) }, r.writeChecksums} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// output runs a command in the repository and returns its standard output without the final
// newline.
func (r release) output(name string, args ...string) (string, error) {
	command := exec.Command(name, args...)
	command.Dir = r.root
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// build builds the programs for all platforms. It writes one SBOM for each program, from the build
// for the first platform.
func (r release) build() error {
	for _, program := range r.programs {
		for i, platform := range r.platforms {
			path, err := r.buildProgram(program, platform)
			if err != nil {
				return err
			}
			if i > 0 {
				continue
			}
			if err := r.writeSBOM(program, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r release) buildProgram(program, platform string) (string, error) {
	system, processor, found := strings.Cut(platform, "/")
	if !found {
		return "", fmt.Errorf("platform %q is not os/arch", platform)
	}
	path := filepath.Join(r.dist, program+"-"+system+"-"+processor)
	if system == "windows" {
		path += ".exe"
	}
	command := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+r.version, "-o", path, "./cmd/"+program)
	command.Dir = r.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("build %s for %s: %w", program, platform, err)
	}
	return path, nil
}

// writeModule writes the file tree of a module proxy: https://go.dev/ref/mod#goproxy-protocol
func (r release) writeModule(manifest []byte) error {
	escaped, err := module.EscapePath(r.module)
	if err != nil {
		return err
	}
	committed, err := r.output("git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, committed)
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{r.version, at.UTC()})
	if err != nil {
		return err
	}
	folder := filepath.Join(r.dist, "proxy", escaped, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"list": []byte(r.version + "\n"), r.version + ".info": info, r.version + ".mod": manifest} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(folder, r.version+".zip"))
	if err != nil {
		return err
	}
	err = modzip.CreateFromVCS(archive, module.Version{Path: r.module, Version: r.version}, r.root, "HEAD", "")
	return errors.Join(err, archive.Close())
}

// writeChecksums writes SHA256SUMS in the format of sha256sum.
func (r release) writeChecksums() error {
	var sums strings.Builder
	err := filepath.WalkDir(r.dist, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		hash := sha256.New()
		_, err = io.Copy(hash, file)
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		name, err := filepath.Rel(r.dist, path)
		fmt.Fprintf(&sums, "%x  %s\n", hash.Sum(nil), filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
