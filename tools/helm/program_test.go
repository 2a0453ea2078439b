// Package helm_test checks the Helm chart and docker-compose.yml. It renders the chart with Helm's
// library, decodes the result strictly into the types of Kubernetes, and runs taskmarketd with the
// environment of each pod.
package helm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// program builds taskmarketd once and returns its path.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "taskmarket-helm-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "taskmarketd")
	build := exec.Command("go", "build", "-trimpath", "-tags", "tuned", "-o", path, "./cmd/taskmarketd")
	build.Dir = "../.."
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build taskmarketd: %w: %s", err, output)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// taskmarketd returns a command with only the given environment, or with that of the test if it is nil.
func taskmarketd(t *testing.T, environment []string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Env = environment
	return command
}

// schema contains the names of variables in the definitions of values.schema.json.
type schema struct{ settings, secrets []string }

func definitions(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(chartPath, "values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Definitions struct {
			Secrets  struct{ Items struct{ Enum []string } }
			Settings struct{ PropertyNames struct{ Enum []string } }
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return schema{document.Definitions.Settings.PropertyNames.Enum, document.Definitions.Secrets.Items.Enum}
}

// secretValues are valid values of the variables that come from Secrets. No server listens at the addresses.
var secretValues = map[string]string{
	"DATABASE_URL":              "postgres://market@127.0.0.1:1/market?sslmode=disable",
	"DATABASE_LISTEN_URL":       "postgres://market@127.0.0.1:1/market?sslmode=disable",
	"DATABASE_STANDBY_URL":      "postgres://market@127.0.0.1:1/market?sslmode=disable",
	"RPC_URLS":                  "http://127.0.0.1:1",
	"WS_URL":                    "ws://127.0.0.1:1",
	"SESSION_KEYS":              "9f1c7e52d03ab86d4e5f12a7c8b30d69",
	"KEEPER_PRIVATE_KEY":        strings.Repeat("1f", 32),
	"KEEPER_SIGNER_URL":         "http://127.0.0.1:1",
	"REWARD_SIGNER_PRIVATE_KEY": strings.Repeat("2e", 32),
	"CONSOLE_PROXY_SECRET":      "4d8e1b7a2c905f63e8a1d47b90c2f5e6",
}

// The settings of values.schema.json are the variables of `taskmarketd config`, without secrets, which
// can be files, and without those that the chart sets or that must differ between replicas.
func TestSettingsAreTheProgramsVariables(t *testing.T) {
	defined := definitions(t)
	folder := writeSecrets(t, defined.secrets)
	var environment []string
	for _, name := range defined.secrets {
		environment = append(environment, "TASKMARKET_"+name+"_FILE="+filepath.Join(folder, name))
	}
	output, _ := taskmarketd(t, environment, "config").Output() // fails, because most settings are missing
	want := map[string]bool{}
	for line := range strings.Lines(string(output)) {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "TASKMARKET_"), "=")
		switch {
		case slices.Contains(defined.secrets, name) && (value == "" || value == "[]"):
			t.Errorf("%s_FILE is ignored", name)
		case slices.Contains(append(defined.secrets, "ROLES", "LISTEN", "METRICS_LISTEN", "CONSOLE_LISTEN"), name):
		default:
			want[name] = true
		}
	}
	if got, want := slices.Sorted(slices.Values(defined.settings)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
		t.Errorf("values.schema.json has the settings\n%v, want\n%v", got, want)
	}
}

func writeSecrets(t *testing.T, names []string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range names {
		if secretValues[name] == "" {
			t.Fatalf("the test has no value of %s", name)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(secretValues[name]+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// environment returns the container's variables for a process on this machine: secrets come from test
// files, a file store is in a temporary folder, and the values in other take precedence.
func (p pod) environment(t *testing.T, other map[string]string) []string {
	t.Helper()
	folder := writeSecrets(t, slices.Collect(maps.Keys(secretValues)))
	var variables []string
	for _, v := range p.container().Env {
		value := strings.Replace(v.Value, "/run/secrets/taskmarket", folder, 1)
		if v.Name == "TASKMARKET_BLOB_URL" {
			value = strings.Replace(value, "file:///blobs", "file://"+t.TempDir(), 1)
		}
		if replaced, ok := other[strings.TrimPrefix(v.Name, "TASKMARKET_")]; ok {
			value = replaced
		}
		variables = append(variables, v.Name+"="+value)
	}
	return variables
}

// address returns the listen address of a port of the container.
func (p pod) address(t *testing.T, port string) string {
	t.Helper()
	for _, candidate := range p.container().Ports {
		if candidate.Name == port {
			return fmt.Sprintf(":%d", candidate.ContainerPort)
		}
	}
	t.Fatalf("%s has no port %s", p.owner, port)
	return ""
}

// Each component starts with its environment, serves its probes and metrics, and stops when it gets
// SIGTERM. Without a database it is alive, but not ready.
func TestComponentsServeTheirProbes(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range pods(t, objects) {
			t.Run(p.role(), func(t *testing.T) { serveProbes(t, p) })
		}
	})
}

func serveProbes(t *testing.T, p pod) {
	hosts := freeAddresses(t, "http", "metrics")
	environment := p.environment(t, map[string]string{
		"LISTEN": hosts["http"], "METRICS_LISTEN": hosts["metrics"], "CONSOLE_LISTEN": "127.0.0.1:0",
	})
	command := taskmarketd(t, append(environment, `TASKMARKET_TUNING={"StopDelay": 0}`), p.container().Args...)
	var log bytes.Buffer
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()

	container := p.container()
	for deadline := time.Now().Add(2 * time.Minute); probe(container.StartupProbe, hosts) != http.StatusOK; time.Sleep(20 * time.Millisecond) {
		if len(ended) > 0 || time.Now().After(deadline) {
			_ = command.Process.Kill()
			t.Fatalf("the startup probe fails: %v\n%s", <-ended, log.String())
		}
	}
	if status := probe(container.LivenessProbe, hosts); status != http.StatusOK {
		t.Errorf("the liveness probe returns %d", status)
	}
	if status := probe(container.ReadinessProbe, hosts); status != http.StatusServiceUnavailable {
		t.Errorf("the readiness probe returns %d without a database, want 503", status)
	}
	if status := get("http://" + hosts["metrics"] + "/metrics"); status != http.StatusOK {
		t.Errorf("metrics return %d", status)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the process ends with %v\n%s", err, log.String())
	}
}

// freeAddresses returns a loopback address with a free port for each name.
func freeAddresses(t *testing.T, names ...string) map[string]string {
	t.Helper()
	addresses := make(map[string]string)
	for _, name := range names {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close() // at the end, because a port that is released could be chosen again
		addresses[name] = listener.Addr().String()
	}
	return addresses
}

// probe sends a probe's request and returns the status, or 0 without a response.
func probe(p *corev1.Probe, hosts map[string]string) int {
	if p == nil || p.HTTPGet == nil || p.HTTPGet.Port.Type != intstr.String {
		return 0
	}
	return get("http://" + hosts[p.HTTPGet.Port.StrVal] + p.HTTPGet.Path)
}

func get(address string) int {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(address)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// The migration and the maintenance job connect to the database whose URL is in their Secrets.
func TestJobsConnect(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range jobs(t, objects) {
			output, err := taskmarketd(t, p.environment(t, nil), p.container().Args...).CombinedOutput()
			if err == nil || !strings.Contains(string(output), "127.0.0.1:1: connect") {
				t.Errorf("%s: %v, want a refused connection: %s", p.owner, err, output)
			}
		}
	})
}

var stopTimes = regexp.MustCompile(`serves requests for (\S+) while /readyz fails, and then waits\s+up to (\S+) for open requests`)

// stopTime returns how long the program needs to stop after SIGTERM.
func stopTime(t *testing.T) time.Duration {
	t.Helper()
	help, err := taskmarketd(t, nil, "serve", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := stopTimes.FindSubmatch(help)
	if found == nil {
		t.Fatalf("`serve --help` does not state how long the program needs to stop:\n%s", help)
	}
	var total time.Duration
	for _, text := range found[1:] {
		part, err := time.ParseDuration(string(text))
		if err != nil {
			t.Fatal(err)
		}
		total += part
	}
	return total
}

// Kubernetes does not kill a process while it drains.
func TestGracePeriodIsLongerThanTheDrain(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range pods(t, objects) {
			grace := p.Spec.TerminationGracePeriodSeconds
			if stop := stopTime(t); grace == nil || time.Duration(*grace)*time.Second < stop+5*time.Second {
				t.Errorf("%s: grace period %v, but the process needs %s to stop", p.owner, grace, stop)
			}
		}
	})
}
