package helm_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chartutil"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func TestChartListsMissingValues(t *testing.T) {
	_, err := render(t, nil)
	if err == nil {
		t.Fatal("the chart accepts its default values")
	}
	for _, name := range []string{
		"image.repository", "image.digest or image.tag", "settings.BASE_URL", "settings.BLOB_URL", "settings.DEPLOYMENT",
		"api.existingSecret: the Secret with DATABASE_URL, RPC_URLS, SESSION_KEYS", "keeper.existingSecret",
		"watcher.existingSecret", "migration.existingSecret",
	} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}

func TestChartRefusesInvalidValues(t *testing.T) {
	type values = map[string]any
	for name, test := range map[string]struct {
		values values
		want   string
	}{
		"an unknown value":               {values{"ingres": values{}}, "ingres"},
		"an unknown setting":             {values{"settings": values{"BASE_ULR": "https://market.example"}}, "BASE_ULR"},
		"a secret among the settings":    {values{"settings": values{"DATABASE_URL": "postgres://"}}, "DATABASE_URL"},
		"a setting of the chart":         {values{"api": values{"settings": values{"ROLES": "api,keeper"}}}, "ROLES"},
		"a number that is not a string":  {values{"settings": values{"DATABASE_CONNECTIONS": 20.0}}, "DATABASE_CONNECTIONS"},
		"a digest without its algorithm": {values{"image": values{"digest": strings.Repeat("0", 64)}}, "digest"},
		"a number as an argument":        {values{"maintenance": values{"args": []any{"reindex", "--from", 1.0}}}, "maintenance"},
		"no replicas":                    {values{"keeper": values{"replicas": 0.0}}, "replicas"},
		"an ingress without trusted proxies": {
			values{"ingress": values{"enabled": true}}, "settings.TRUSTED_PROXIES",
		},
		"a runbook with an anchor": {values{"monitoring": values{"runbook": "https://git.example/runbook.md#x"}}, "runbook"},
		"files in the container":   {values{"settings": values{"BLOB_URL": "file:///blobs"}}, "blobsClaim"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := render(t, chartutil.CoalesceTables(test.values, readValues(t, "minimal.yaml")))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("render() = %v, want an error that names %s", err, test.want)
			}
		})
	}
}

// Pods satisfy the Pod Security Standard "restricted", write only to volumes, and do not mount the token of
// their service account.
func TestPodsAreRestricted(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
			if s := p.Spec.AutomountServiceAccountToken; s == nil || *s {
				t.Errorf("%s: mounts the token of its service account", p.owner)
			}
			if len(p.Spec.Containers) != 1 || len(p.Spec.InitContainers) != 0 || p.Spec.HostNetwork || p.Spec.HostPID || p.Spec.HostIPC {
				t.Errorf("%s: has other containers, or namespaces of the host", p.owner)
			}
			s, own := p.Spec.SecurityContext, p.container().SecurityContext
			if s == nil || own == nil {
				t.Fatalf("%s: has no security context", p.owner)
			}
			if s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 || own.RunAsUser != nil ||
				s.SeccompProfile == nil || s.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s: the security context is %v", p.owner, s)
			}
			if own.AllowPrivilegeEscalation == nil || *own.AllowPrivilegeEscalation || own.ReadOnlyRootFilesystem == nil ||
				!*own.ReadOnlyRootFilesystem || own.Privileged != nil || own.Capabilities == nil ||
				!slices.Equal(own.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(own.Capabilities.Add) != 0 {
				t.Errorf("%s: the container's security context is %v", p.owner, own)
			}
			resources := p.container().Resources
			if resources.Requests.Cpu().IsZero() || resources.Requests.Memory().IsZero() || resources.Limits.Memory().IsZero() {
				t.Errorf("%s: requests %v, limits %v", p.owner, resources.Requests, resources.Limits)
			}
			for _, v := range p.Spec.Volumes {
				if v.HostPath != nil {
					t.Errorf("%s: mounts a path of the host", p.owner)
				}
			}
		}
	})
}

func TestImageIsPinnedByDigest(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		want := "registry.example/taskmarket:v1.2.3"
		if strings.HasSuffix(t.Name(), "/full") {
			want = "registry.example/taskmarket@sha256:" + strings.Repeat("0123456789abcdef", 4)
		}
		for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
			if got := p.container().Image; got != want {
				t.Errorf("%s runs %s, want %s", p.owner, got, want)
			}
		}
	})
}

// Each Deployment selects its own pods and no others, and so does its PodDisruptionBudget.
func TestWorkloadsSelectTheirPods(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		others := slices.Concat(pods(t, objects), jobs(t, objects))
		budgets := of[*policyv1.PodDisruptionBudget](objects)
		for name, d := range of[*appsv1.Deployment](objects) {
			budget, ok := budgets[name]
			if !ok {
				t.Fatalf("no PodDisruptionBudget %s", name)
			}
			if budget.Spec.MaxUnavailable.IntValue() != 1 {
				t.Errorf("%s: maxUnavailable %v prevents every eviction, or permits too many", name, budget.Spec.MaxUnavailable)
			}
			selectors := map[string]*metav1.LabelSelector{"Deployment": d.Spec.Selector, "PodDisruptionBudget": budget.Spec.Selector}
			for i, c := range d.Spec.Template.Spec.TopologySpreadConstraints {
				selectors["topology "+d.Spec.Template.Spec.TopologySpreadConstraints[i].TopologyKey] = c.LabelSelector
			}
			if len(selectors) != 4 {
				t.Errorf("%s is not spread over hosts and zones", name)
			}
			for kind, selector := range selectors {
				for _, p := range others {
					if got := selects(t, selector, p); got != (p.owner == name) {
						t.Errorf("%s %s selects the pods of %s: %t", kind, name, p.owner, got)
					}
				}
			}
		}
	})
}

func TestReplicas(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		scaled := of[*autoscalingv2.HorizontalPodAutoscaler](objects)
		for name, d := range of[*appsv1.Deployment](objects) {
			scaler, ok := scaled[name]
			switch {
			case ok && (d.Spec.Replicas != nil || scaler.Spec.ScaleTargetRef.Name != name || scaler.Spec.ScaleTargetRef.Kind != "Deployment"):
				t.Errorf("%s sets replicas although it has an autoscaler, or the autoscaler has another target", name)
			case ok && (scaler.Spec.MinReplicas == nil || *scaler.Spec.MinReplicas < 2):
				t.Errorf("%s scales down to fewer than two replicas", name)
			case !ok && (d.Spec.Replicas == nil || *d.Spec.Replicas < 2):
				t.Errorf("%s has %v replicas", name, d.Spec.Replicas)
			}
		}
		if full := strings.HasSuffix(t.Name(), "/full"); full == (len(scaled) == 1) {
			t.Errorf("%d autoscalers", len(scaled))
		}
	})
}

// The API's Service selects only the API's pods; the Service of the metrics selects all components.
func TestServicesSelectPorts(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		services := of[*corev1.Service](objects)
		expected := map[string][]string{"market-taskmarket": {"api"}, "market-taskmarket-metrics": {"api", "keeper", "watcher"}}
		if strings.HasSuffix(t.Name(), "/full") {
			expected["market-taskmarket-console"] = []string{"watcher"}
		}
		if len(services) != len(expected) {
			t.Errorf("%d Services, want %d", len(services), len(expected))
		}
		for name, roles := range expected {
			service, ok := services[name]
			if !ok {
				t.Fatalf("no Service %s", name)
			}
			var selected []string
			for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
				if !selects(t, metav1.SetAsLabelSelector(service.Spec.Selector), p) {
					continue
				}
				selected = append(selected, p.role())
				for _, port := range service.Spec.Ports {
					if !p.hasPort(port.TargetPort.StrVal) {
						t.Errorf("%s: %s has no port %s", name, p.owner, port.TargetPort.StrVal)
					}
				}
			}
			if slices.Sort(selected); !slices.Equal(selected, roles) {
				t.Errorf("%s selects %v, want %v", name, selected, roles)
			}
		}
		for name, ingress := range of[*networkingv1.Ingress](objects) {
			for _, rule := range ingress.Spec.Rules {
				backend := rule.HTTP.Paths[0].Backend.Service
				if rule.Host != "market.example" || services[backend.Name] == nil || services[backend.Name].Spec.Ports[0].Name != backend.Port.Name {
					t.Errorf("%s: %s leads to %v", name, rule.Host, backend)
				}
			}
		}
	})
}

func (p pod) hasPort(name string) bool {
	return slices.ContainsFunc(p.container().Ports, func(port corev1.ContainerPort) bool { return port.Name == name })
}

// The port that each component listens on is the port of the container.
func TestContainerPortsAreListenersPorts(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, p := range pods(t, objects) {
			for port, variable := range map[string]string{"http": "LISTEN", "metrics": "METRICS_LISTEN"} {
				if got := p.address(t, port); got != p.variable(variable) {
					t.Errorf("%s: port %s is %s, but %s is %s", p.owner, port, got, variable, p.variable(variable))
				}
			}
		}
	})
}

// Policies restrict the incoming and outgoing traffic of every pod. Only the API can be reached by clients,
// and only the Prometheus server can reach metrics. Pods can reach the trace collector, the malware scanner
// and the keeper's signer only if these are configured and the pods use them.
func TestNetworkPoliciesSelectEachPod(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		policies := of[*networkingv1.NetworkPolicy](objects)
		if strings.HasSuffix(t.Name(), "/files") {
			if len(policies) != 0 {
				t.Errorf("%d policies although they are disabled", len(policies))
			}
			return
		}
		want := map[string]string{
			"api": "egress 53 5432 443 443 443; ingress metrics http", "watcher": "egress 53 5432 443 443; ingress metrics",
			"keeper": "egress 53 5432 443 443; ingress metrics", "migration": "egress 53 5432; ingress",
		}
		if strings.HasSuffix(t.Name(), "/full") {
			want = map[string]string{
				"api":     "egress 53 5432 8545 443 4319 443 3311; ingress metrics http",
				"watcher": "egress 53 5432 8545 443 4319; ingress metrics console",
				"keeper":  "egress 53 5432 8545 443 4319 9001; ingress metrics", "migration": "egress 53 5432; ingress",
				"maintenance": "egress 53 5432 8545 443 4319; ingress",
			}
		}
		for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
			egress, ingress := "egress", "ingress"
			for _, name := range slices.Sorted(maps.Keys(policies)) {
				policy := policies[name].Spec
				if !selects(t, &policy.PodSelector, p) {
					continue
				}
				if !slices.Equal(policy.PolicyTypes, []networkingv1.PolicyType{"Ingress", "Egress"}) {
					t.Errorf("%s restricts %v", name, policy.PolicyTypes)
				}
				for _, rule := range policy.Egress {
					port := rule.Ports[0].Port.String()
					egress += " " + port
					if slices.Contains([]string{"4319", "3311", "9001"}, port) && len(rule.To) != 1 {
						t.Errorf("%s permits port %s of %d peers, want the one in the values", name, port, len(rule.To))
					}
				}
				for _, rule := range policy.Ingress {
					ingress += " " + rule.Ports[0].Port.String()
					if len(rule.From) == 0 || !p.hasPort(rule.Ports[0].Port.StrVal) {
						t.Errorf("%s admits every peer, or %s has no port %s", name, p.owner, rule.Ports[0].Port)
					}
				}
			}
			if got := egress + "; " + ingress; got != want[p.role()] {
				t.Errorf("%s: %s, want %s", p.owner, got, want[p.role()])
			}
		}
	})
}

// The chart contains no secrets: containers read them from files of existing Secrets.
func TestSecretsAreFilesOfExistingSecrets(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		for _, object := range objects {
			switch object.(type) {
			case *corev1.Secret, *corev1.ConfigMap:
				t.Errorf("the chart creates a %T", object)
			}
		}
		for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
			files := p.secretFiles()
			for _, v := range p.container().Env {
				name, isFile := strings.CutSuffix(strings.TrimPrefix(v.Name, "TASKMARKET_"), "_FILE")
				switch {
				case v.ValueFrom != nil:
					t.Errorf("%s: %s is copied into the environment", p.owner, v.Name)
				case isFile && !files[v.Value]:
					t.Errorf("%s: %s is %s, which no Secret provides", p.owner, v.Name, v.Value)
				case !isFile && slices.Contains(definitions(t).secrets, name):
					t.Errorf("%s: %s is in the manifest", p.owner, v.Name)
				}
			}
			args := map[string][]string{"migration": {"migrate"}, "maintenance": maintenanceArgs[filepath.Base(t.Name())]}
			want, isJob := args[p.role()]
			if !isJob {
				want = []string{"serve"}
			}
			if got := p.container().Args; len(p.container().Command) != 0 || !slices.Equal(got, want) {
				t.Errorf("%s: runs %v %v, want %v", p.owner, p.container().Command, got, want)
			}
		}
	})
}

// secretFiles returns the paths of the files that Secrets provide to the container.
func (p pod) secretFiles() map[string]bool {
	files := map[string]bool{}
	for _, mount := range p.container().VolumeMounts {
		for _, volume := range p.Spec.Volumes {
			if volume.Name != mount.Name || volume.Projected == nil {
				continue
			}
			for _, source := range volume.Projected.Sources {
				for _, item := range source.Secret.Items {
					files[filepath.Join(mount.MountPath, item.Path)] = source.Secret.Name != "" && mount.ReadOnly
				}
			}
		}
	}
	return files
}

// The migration runs before the installation and each upgrade, and its network policy exists before it runs. The
// maintenance job runs after the migration, and only if it has arguments.
func TestJobsAreHooks(t *testing.T) {
	eachScenario(t, func(t *testing.T, objects []runtime.Object) {
		hooks := make(map[string]metav1.Object)
		for name, weights := range map[string][2]string{"market-taskmarket-migration": {"0", "1"}, maintenanceName: {"2", "3"}} {
			if policy, ok := of[*networkingv1.NetworkPolicy](objects)[name]; ok {
				hooks[weights[0]] = policy
			}
			if job, ok := of[*batchv1.Job](objects)[name]; ok {
				hooks[weights[1]] = job
			}
		}
		if _, given := maintenanceArgs[filepath.Base(t.Name())]; hooks["1"] == nil || (hooks["3"] != nil) != given {
			t.Errorf("the hooks are %v", slices.Collect(maps.Keys(hooks)))
		}
		for weight, object := range hooks {
			annotations := object.GetAnnotations()
			if annotations["helm.sh/hook"] != "pre-install,pre-upgrade" || annotations["helm.sh/hook-weight"] != weight ||
				!strings.Contains(annotations["helm.sh/hook-delete-policy"], "before-hook-creation") {
				t.Errorf("%T has the annotations %v", object, annotations)
			}
		}
		for _, p := range slices.Concat(pods(t, objects), jobs(t, objects)) {
			if p.Spec.ServiceAccountName != migration(t, objects).Spec.ServiceAccountName {
				t.Errorf("%s has a different service account from the migration", p.owner)
			}
		}
	})
}
