package helm_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/releaseutil"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

const chartPath = "../../deploy/helm/taskmarket"

// scenarios lists the values files with which the chart is tested. A later file takes precedence.
var scenarios = map[string][]string{
	"minimal": {"minimal.yaml"},
	"full":    {"minimal.yaml", "full.yaml"},
	"files":   {"minimal.yaml", "files.yaml"},
}

// eachScenario runs a test with the objects of each scenario.
func eachScenario(t *testing.T, test func(t *testing.T, objects []runtime.Object)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(scenarios)) {
		t.Run(name, func(t *testing.T) {
			text, err := render(t, readValues(t, scenarios[name]...))
			if err != nil {
				t.Fatal(err)
			}
			test(t, decode(t, text))
		})
	}
}

func readValues(t *testing.T, files ...string) map[string]any {
	t.Helper()
	values := map[string]any{}
	for _, file := range files {
		next, err := chartutil.ReadValuesFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		values = chartutil.CoalesceTables(next, values)
	}
	return values
}

// render returns the manifests that `helm install market` applies.
func render(t *testing.T, values map[string]any) ([]string, error) {
	t.Helper()
	chart, err := loader.LoadDir(chartPath)
	if err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "market", Namespace: "production", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Engine{Strict: true}.Render(chart, all)
	if err != nil {
		return nil, err
	}
	var manifests []string
	for name, text := range files {
		if filepath.Ext(name) == ".yaml" {
			manifests = append(manifests, slices.Collect(maps.Values(releaseutil.SplitManifests(text)))...)
		}
	}
	return manifests, nil
}

// decode decodes the manifests. It rejects unknown and duplicate fields.
func decode(t *testing.T, manifests []string) []runtime.Object {
	t.Helper()
	known := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(known))
	utilruntime.Must(monitoringv1.AddToScheme(known))
	decoder := serializer.NewCodecFactory(known, serializer.EnableStrict).UniversalDeserializer()
	var objects []runtime.Object
	for _, manifest := range manifests {
		if strings.TrimSpace(manifest) == "" {
			continue
		}
		object, _, err := decoder.Decode([]byte(manifest), nil, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, manifest)
		}
		objects = append(objects, object)
	}
	return objects
}

// of returns the objects of a type by their names.
func of[T metav1.Object](objects []runtime.Object) map[string]T {
	found := map[string]T{}
	for _, object := range objects {
		if o, ok := object.(T); ok {
			found[o.GetName()] = o
		}
	}
	return found
}

// pod is the template of a Deployment or a Job.
type pod struct {
	corev1.PodTemplateSpec
	owner string
}

func (p pod) container() corev1.Container { return p.Spec.Containers[0] }

// role returns the component's name, as in TASKMARKET_ROLES.
func (p pod) role() string { return p.Labels["app.kubernetes.io/component"] }

func (p pod) variable(name string) string {
	for _, v := range p.container().Env {
		if v.Name == "TASKMARKET_"+name {
			return v.Value
		}
	}
	return ""
}

// pods returns the pods of the Deployments.
func pods(t *testing.T, objects []runtime.Object) []pod {
	t.Helper()
	var all []pod
	for name, d := range of[*appsv1.Deployment](objects) {
		all = append(all, pod{d.Spec.Template, name})
	}
	if len(all) != 3 {
		t.Fatalf("%d Deployments, want api, watcher and keeper", len(all))
	}
	slices.SortFunc(all, func(a, b pod) int { return strings.Compare(a.owner, b.owner) })
	return all
}

func migration(t *testing.T, objects []runtime.Object) pod {
	t.Helper()
	job, ok := of[*batchv1.Job](objects)["market-taskmarket-migration"]
	if !ok {
		t.Fatal("no migration")
	}
	return pod{job.Spec.Template, job.Name}
}

// jobs returns the pods that run once: the migration, and the maintenance job if it has arguments.
func jobs(t *testing.T, objects []runtime.Object) []pod {
	t.Helper()
	all := []pod{migration(t, objects)}
	if job, ok := of[*batchv1.Job](objects)[maintenanceName]; ok {
		all = append(all, pod{job.Spec.Template, job.Name})
	}
	return all
}

const maintenanceName = "market-taskmarket-maintenance"

// maintenanceArgs are the arguments of the maintenance job in each scenario.
var maintenanceArgs = map[string][]string{"full": {"reindex", "--from", "31557600001"}, "files": {"after-restore"}}

// selects reports whether a selector, which must not be empty, matches the pod.
func selects(t *testing.T, selector *metav1.LabelSelector, p pod) bool {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil || s.Empty() {
		t.Fatalf("selector %v: %v", selector, err)
	}
	return s.Matches(labels.Set(p.Labels))
}
