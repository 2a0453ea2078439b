package helm_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chartutil"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// The ServiceMonitor selects the Service of the metrics and no other, and gives the jobs the names that
// the rules of deploy/prometheus require.
func TestMonitoring(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		monitors, probes := of[*monitoringv1.ServiceMonitor](objects), of[*monitoringv1.Probe](objects)
		rules := of[*monitoringv1.PrometheusRule](objects)
		if !strings.HasSuffix(t.Name(), "/full") {
			if len(monitors)+len(probes)+len(rules) != 0 {
				t.Error("resources of the Prometheus operator although monitoring is disabled")
			}
			return
		}
		monitor, probe, rule := monitors["market-taskmarket"], probes["market-taskmarket"], rules["market-taskmarket"]
		if monitor == nil || probe == nil || rule == nil {
			t.Fatalf("monitor %v, probe %v, rule %v", monitor, probe, rule)
		}
		for _, object := range []metav1.Object{monitor, probe, rule} {
			if object.GetLabels()["release"] != "prometheus" {
				t.Errorf("%T lacks the configured label", object)
			}
		}
		selector, err := metav1.LabelSelectorAsSelector(&monitor.Spec.Selector)
		if err != nil {
			t.Fatal(err)
		}
		for name, service := range of[*corev1.Service](objects) {
			if got := selector.Matches(labels.Set(service.Labels)); got != (name == "market-taskmarket-metrics") {
				t.Errorf("the ServiceMonitor selects %s: %t", name, got)
			}
			if name == "market-taskmarket-metrics" && (service.Spec.Ports[0].Name != monitor.Spec.Endpoints[0].Port ||
				service.Labels[monitor.Spec.JobLabel] != "taskmarket") {
				t.Errorf("the ServiceMonitor reads port %s as job %q", monitor.Spec.Endpoints[0].Port, service.Labels[monitor.Spec.JobLabel])
			}
		}
		targets := []string{"https://market.example/readyz", "https://market.example/api/v1/board"}
		if probe.Spec.JobName != "taskmarket-probe" || !slices.Equal(probe.Spec.Targets.StaticConfig.Targets, targets) {
			t.Errorf("the probe %s requests %v, want %v as in prometheus.yml", probe.Spec.JobName, probe.Spec.Targets.StaticConfig.Targets, targets)
		}
		compareRules(t, rule.Spec, "https://git.example/taskmarket/docs/runbook.md")
	})
}

// Without the address of the runbook, the links of alerts are those of alerts.yml.
func TestRunbookIsOptional(t *testing.T) {
	values := readValues(t, scenarios["full"]...)
	text, err := render(t, chartutil.CoalesceTables(map[string]any{"monitoring": map[string]any{"runbook": ""}}, values))
	if err != nil {
		t.Fatal(err)
	}
	compareRules(t, of[*monitoringv1.PrometheusRule](decode(t, text))["market-taskmarket"].Spec, "docs/runbook.md")
}

// compareRules checks that the rules of the chart are those that `make alerts-check` tests, with links to
// the runbook.
func compareRules(t *testing.T, got monitoringv1.PrometheusRuleSpec, runbook string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("docs/runbook.md#"), []byte(runbook+"#"))
	var want monitoringv1.PrometheusRuleSpec
	if err := yaml.UnmarshalStrict(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Groups) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("the chart has %d groups of rules, alerts.yml has %d, or they differ", len(got.Groups), len(want.Groups))
	}
}
