package helm_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// compose reads docker-compose.yml as `docker compose` does: it checks the schema, interpolates
// variables, and resolves the references of services.
func compose(t *testing.T) *types.Project {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir: root, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(root, "docker-compose.yml")}},
	}, func(o *loader.Options) { o.SetProjectName("taskmarket", true) })
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) < 4 {
		t.Fatalf("docker-compose.yml has %d services", len(project.Services))
	}
	return project
}

// byDigest matches the reference of an image that is pinned by its digest.
var byDigest = regexp.MustCompile(`^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$`)

// stage is a build stage of the Dockerfile.
type stage struct{ image, user string }

func stages(t *testing.T) map[string]stage {
	t.Helper()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	found, name := map[string]stage{}, ""
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 4 && words[0] == "FROM" && words[2] == "AS":
			name = words[3]
			found[name] = stage{image: words[1]}
		case len(words) > 0 && words[0] == "FROM":
			t.Errorf("the stage %q has no name", line)
		case len(words) == 2 && words[0] == "USER":
			found[name] = stage{found[name].image, words[1]}
		}
	}
	return found
}

func TestImagesHaveDigests(t *testing.T) {
	for name, s := range stages(t) {
		if !byDigest.MatchString(s.image) {
			t.Errorf("the stage %s of the Dockerfile is from %s", name, s.image)
		}
	}
	for name, service := range compose(t).Services {
		if service.Build == nil && !byDigest.MatchString(service.Image) {
			t.Errorf("%s runs %s", name, service.Image)
		}
	}
}

// Containers run as a user without privileges and write only to volumes. Ports are published on loopback.
func TestContainersAreRestricted(t *testing.T) {
	built := stages(t)
	for name, service := range compose(t).Services {
		if !service.ReadOnly || !slices.Equal(service.CapDrop, []string{"ALL"}) || len(service.CapAdd) != 0 || service.Privileged ||
			!slices.Equal(service.SecurityOpt, []string{"no-new-privileges:true"}) {
			t.Errorf("%s: read_only %t, cap_drop %v, cap_add %v, security_opt %v", name, service.ReadOnly, service.CapDrop, service.CapAdd, service.SecurityOpt)
		}
		user := service.User
		if user == "" && service.Build != nil {
			user = built[service.Build.Target].user
		}
		if user == "" || user == "root" || strings.HasPrefix(user, "0") {
			t.Errorf("%s runs as user %q", name, user)
		}
		for _, port := range service.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes port %s on %q", name, port.Published, port.HostIP)
			}
		}
	}
}

// The environment contains no secrets. Each secret comes from a file that git and image builds ignore,
// because Compose cannot copy other secrets into a read-only container.
func TestComposeSecretsAreFiles(t *testing.T) {
	project := compose(t)
	folder := filepath.Join(project.WorkingDir, ".secrets") + string(filepath.Separator)
	for name, secret := range project.Secrets {
		if !strings.HasPrefix(secret.File, folder) {
			t.Errorf("%s comes from %q, not from a file in .secrets", name, secret.File)
		}
	}
	for _, ignore := range []string{".gitignore", ".dockerignore"} {
		text, err := os.ReadFile(filepath.Join(project.WorkingDir, ignore))
		if err != nil || !slices.Contains(strings.Fields(strings.ReplaceAll(string(text), "/", "")), ".secrets") {
			t.Errorf("%s does not list .secrets: %v", ignore, err)
		}
	}
	for name, service := range project.Services {
		given := map[string]bool{}
		for _, secret := range service.Secrets {
			given["/run/secrets/"+secret.Source] = true
		}
		for variable, value := range service.Environment {
			setting, isFile := strings.CutSuffix(strings.TrimPrefix(variable, "TASKMARKET_"), "_FILE")
			switch {
			case setting == "DEPLOYMENT": // not a secret
			case isFile && !given[*value]:
				t.Errorf("%s: %s is %s, but the service lacks this secret", name, variable, *value)
			case isFile:
				delete(given, *value)
			case setting != "RPC_URLS" && (slices.Contains(definitions(t).secrets, setting) || strings.Contains(variable, "PASSWORD") || strings.Contains(variable, "KEY")):
				t.Errorf("%s: %s is in the environment", name, variable)
			}
		}
		for path := range given {
			t.Errorf("%s gets %s, which no variable names", name, path)
		}
	}
}

// Compose does not kill the API while it drains, and starts it only when the schema and the contracts exist.
func TestComposeStartsAndStops(t *testing.T) {
	api := compose(t).Services["api"]
	if stop := stopTime(t); api.StopGracePeriod == nil || time.Duration(*api.StopGracePeriod) < stop+5*time.Second {
		t.Errorf("stop_grace_period is %v, but the process needs %s to stop", api.StopGracePeriod, stop)
	}
	for _, needed := range []string{"migrate", "deploy"} {
		if api.DependsOn[needed].Condition != types.ServiceConditionCompletedSuccessfully {
			t.Errorf("api starts before %s is complete", needed)
		}
	}
}
