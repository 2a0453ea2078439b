package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"taskmarket/test/process"
)

const (
	scrapePause = 3 * time.Second
	// A scrape stands for a minute, so that an alert whose condition must last five minutes fires
	// after five scrapes.
	scrapeInterval = "1m"
	maxScrapes     = 30
)

// monitor evaluates the alerting rules on the server's metrics, like Prometheus, in compressed time.
type monitor struct {
	promtool, rules string
	test            string // file for promtool
	server          *server
	scrapes         []map[string]string // values by series, the newest scrape last
}

func newMonitor(dir string, s *server) (*monitor, error) {
	root, err := process.ModuleRoot()
	if err != nil {
		return nil, err
	}
	m := &monitor{
		promtool: filepath.Join(root, ".dev", "prometheus", "promtool"), rules: filepath.Join(root, "deploy", "prometheus", "alerts.yml"),
		test: filepath.Join(dir, "alerts.json"), server: s,
	}
	if _, err := os.Stat(m.promtool); err != nil {
		return nil, fmt.Errorf("find promtool: %w: run `make alerts-check`, which installs it", err)
	}
	return m, nil
}

// scrape reads the metrics, and probes the server.
func (m *monitor) scrape(ctx context.Context) {
	values := make(map[string]string)
	up, probe := "0", "0"
	if response, err := get(ctx, m.server.metricsURL()); err == nil {
		up = "1"
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			series, value, found := cutLast(lines.Text())
			if found && strings.HasPrefix(series, "taskmarket_") {
				values[m.labelled(series)] = value
			}
		}
		response.Body.Close()
	}
	if m.server.ready(ctx) {
		probe = "1"
	}
	values[m.labelled("up")] = up
	values[`probe_success{job="taskmarket-probe",instance="`+m.server.listen+`"}`] = probe
	m.scrapes = append(m.scrapes, values)
	m.scrapes = m.scrapes[max(0, len(m.scrapes)-maxScrapes):]
}

func get(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(request)
}

// cutLast splits a line of the exposition format into the series and its value.
func cutLast(line string) (series, value string, found bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 {
		return "", "", false
	}
	return line[:at], line[at+1:], true
}

// labelled adds the labels that Prometheus adds to each series of a target.
func (m *monitor) labelled(series string) string {
	name, labels, _ := strings.Cut(strings.TrimSuffix(series, "}"), "{")
	added := fmt.Sprintf(`job="taskmarket",instance=%q`, m.server.metrics)
	if labels != "" {
		added += "," + labels
	}
	return name + "{" + added + "}"
}

// alert matches an alert in the output of promtool.
var alert = regexp.MustCompile(`\{__name__="ALERTS", ([^}]*)\}`)

// firing returns the labels of the firing alerts.
func (m *monitor) firing(ctx context.Context) ([]string, error) {
	raw, err := json.Marshal(m.ruleTest())
	if err == nil {
		err = os.WriteFile(m.test, raw, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("write the metrics: %w", err)
	}
	out, err := exec.CommandContext(ctx, m.promtool, "test", "rules", m.test).CombinedOutput()
	if err == nil {
		return nil, nil
	}
	found := alert.FindAllStringSubmatch(string(out), -1)
	if _, failed := errors.AsType[*exec.ExitError](err); !failed || len(found) == 0 {
		return nil, fmt.Errorf("evaluate the alerting rules: %w: %s", err, out)
	}
	var alerts []string
	for _, labels := range found {
		alerts = append(alerts, strings.ReplaceAll(labels[1], `, alertstate="firing"`, ""))
	}
	return alerts, nil
}

// ruleTest returns a test of the rules in promtool's format. It expects that no alert fires, so that
// promtool prints the ones that do.
func (m *monitor) ruleTest() map[string]any {
	type series struct {
		Series string `json:"series"`
		Values string `json:"values"`
	}
	history := make(map[string][]string)
	for i, scrape := range m.scrapes {
		for name, value := range scrape {
			for len(history[name]) < i {
				history[name] = append(history[name], "_") // the series was absent
			}
			history[name] = append(history[name], value)
		}
	}
	var input []series
	for name, values := range history {
		input = append(input, series{name, strings.Join(values, " ")})
	}
	expect := map[string]any{
		"expr": `ALERTS{alertstate="firing"}`, "eval_time": strconv.Itoa(len(m.scrapes)-1) + "m", "exp_samples": []any{},
	}
	return map[string]any{
		"rule_files": []string{m.rules}, "evaluation_interval": scrapeInterval,
		"tests": []any{map[string]any{"interval": scrapeInterval, "input_series": input, "promql_expr_test": []any{expect}}},
	}
}

// await scrapes until the alert fires, and returns all alerts that fire then.
func (m *monitor) await(ctx context.Context, name string) ([]string, error) {
	for {
		m.scrape(ctx)
		alerts, err := m.firing(ctx)
		if err != nil {
			return nil, err
		}
		for _, a := range alerts {
			if strings.Contains(a, `alertname="`+name+`"`) {
				return alerts, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the alert %s: %w; firing: %q", name, ctx.Err(), alerts)
		case <-time.After(scrapePause):
		}
	}
}
