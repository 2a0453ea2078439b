{{- define "taskmarket.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* The labels that select the pods of the components, without the migration. */}}
{{- define "taskmarket.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The migration has another name, so that Services and policies of the components do not select it. */}}
{{- define "taskmarket.migrationSelector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-migration
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "taskmarket.maintenanceSelector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}-maintenance
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "taskmarket.labels" -}}
{{ include "taskmarket.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Fails with a list of everything that is missing. */}}
{{- define "taskmarket.require" -}}
{{- $missing := list }}
{{- if not .Values.image.repository }}{{ $missing = append $missing "image.repository: the image of taskmarketd" }}{{ end }}
{{- if not (or .Values.image.tag .Values.image.digest) }}{{ $missing = append $missing "image.digest or image.tag" }}{{ end }}
{{- $required := dict
  "BASE_URL" "the public origin, such as https://market.example"
  "BLOB_URL" "the file store, such as s3://bucket?region=eu-central-1"
  "DEPLOYMENT" "the content of the file that `taskmarketd deploy` wrote: --set-file settings.DEPLOYMENT=deployment.json" }}
{{- range $name, $meaning := $required }}
{{- if not (get $.Values.settings $name) }}{{ $missing = append $missing (printf "settings.%s: %s" $name $meaning) }}{{ end }}
{{- end }}
{{- range $component := list "api" "watcher" "keeper" "migration" }}
{{- $own := (get $.Values $component).existingSecret }}
{{- if not (or $own $.Values.existingSecret) }}{{ $missing = append $missing (printf "existingSecret or %s.existingSecret: the Secret with %s" $component (join ", " (get $.Values $component).secrets)) }}{{ end }}
{{- end }}
{{- if and .Values.ingress.enabled (not (get .Values.settings "TRUSTED_PROXIES")) }}
{{- $missing = append $missing "settings.TRUSTED_PROXIES: the ingress controller's addresses; without them all clients share the rate limits of its address" }}
{{- end }}
{{- if and (hasPrefix "file:" (get .Values.settings "BLOB_URL")) (not .Values.blobsClaim) }}
{{- $missing = append $missing "blobsClaim: a PersistentVolumeClaim for the files of BLOB_URL" }}
{{- end }}
{{- if $missing }}{{ fail (printf "missing values:\n  %s\n" (join "\n  " $missing)) }}{{ end }}
{{- end }}

{{/* The pod of a component. Expects root, component, args, selector, and env: variables that the chart sets.
     The maintenance has the settings, Secrets and resources of the watcher. */}}
{{- define "taskmarket.pod" -}}
{{- $values := .root.Values }}
{{- $component := get $values (ternary "watcher" .component (eq .component "maintenance")) }}
{{- $serves := has .component (list "api" "watcher" "keeper") }}
{{- $files := ne .component "migration" }}
metadata:
  labels:
    {{- .selector | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $values.serviceAccountName }}
  serviceAccountName: {{ . }}
  {{- end }}
  {{- with $values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65534
    runAsGroup: 65534
    fsGroup: 65534
    seccompProfile: { type: RuntimeDefault }
  {{- if $serves }}
  terminationGracePeriodSeconds: 35 # 10 s until the endpoint is removed, 15 s to drain, and a margin
  topologySpreadConstraints:
    {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- $.selector | nindent 10 }}
          app.kubernetes.io/component: {{ $.component }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- else }}
  restartPolicy: Never
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: taskmarketd
      {{- if $values.image.digest }}
      image: {{ printf "%s@%s" $values.image.repository $values.image.digest | quote }}
      {{- else }}
      image: {{ printf "%s:%s" $values.image.repository $values.image.tag | quote }}
      {{- end }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        {{- $settings := merge (deepCopy .env) $component.settings $values.settings }}
        {{- range $name, $value := $settings }}
        - name: TASKMARKET_{{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- range $component.secrets }}
        - name: TASKMARKET_{{ . }}_FILE
          value: /run/secrets/taskmarket/{{ . }}
        {{- end }}
        {{- if and $files $values.objectStore.existingSecret }}
        - name: AWS_SHARED_CREDENTIALS_FILE
          value: /run/secrets/taskmarket/object-store
        {{- end }}
      {{- if $serves }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: metrics, containerPort: 9464 }
        {{- if eq (get .env "CONSOLE_LISTEN") ":9465" }}
        - { name: console, containerPort: 9465 }
        {{- end }}
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 2
        failureThreshold: 30
      livenessProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      {{- end }}
      resources: {{- toYaml $component.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/taskmarket, readOnly: true }
        {{- if $files }}
        - { name: tmp, mountPath: /tmp }
        {{- if $values.blobsClaim }}
        - { name: blobs, mountPath: /blobs }
        {{- end }}
        {{- end }}
        {{- with $values.extraVolumeMounts }}{{ toYaml . | nindent 8 }}{{ end }}
  volumes:
    - name: secrets
      projected:
        defaultMode: 0440
        sources:
          - secret:
              name: {{ $component.existingSecret | default $values.existingSecret }}
              items:
                {{- range $component.secrets }}
                - { key: {{ . }}, path: {{ . }} }
                {{- end }}
          {{- if and $files $values.objectStore.existingSecret }}
          - secret:
              name: {{ $values.objectStore.existingSecret }}
              items: [{ key: credentials, path: object-store }]
          {{- end }}
    {{- if $files }}
    - name: tmp
      emptyDir: { sizeLimit: 64Mi }
    {{- if $values.blobsClaim }}
    - name: blobs
      persistentVolumeClaim: { claimName: {{ $values.blobsClaim }} }
    {{- end }}
    {{- end }}
    {{- with $values.extraVolumes }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end }}

{{/* A rule of egress to peers and ports. */}}
{{- define "taskmarket.egress" -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Whether a component exports traces. */}}
{{- define "taskmarket.traces" -}}
{{- $values := .Values }}
{{- range $settings := list $values.settings $values.api.settings $values.watcher.settings $values.keeper.settings }}
{{- if get $settings "TRACES_URL" }}true{{ end }}
{{- end }}
{{- end }}

{{- define "taskmarket.egressDNS" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
  {{- with .Values.networkPolicy.dns.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
