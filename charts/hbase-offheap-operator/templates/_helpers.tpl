{{- define "hbase-offheap-operator.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 54 | trimSuffix "-" }}
{{- end }}

{{/* 54 characters, so that "-metrics" still fits into the 63 of a service's name. */}}
{{- define "hbase-offheap-operator.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 54 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 54 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "hbase-offheap-operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "hbase-offheap-operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end }}

{{- define "hbase-offheap-operator.labels" -}}
{{ include "hbase-offheap-operator.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hbase-offheap
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "hbase-offheap-operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "hbase-offheap-operator.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "hbase-offheap-operator.image" -}}
{{- with .Values.image }}
{{- if .digest }}
{{- printf "%s@%s" .repository .digest }}
{{- else }}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "hbase-offheap-operator.hbaseImage" -}}
{{- with .Values.hbaseImage }}
{{- if .digest }}
{{- printf "%s@%s" .repository .digest }}
{{- else }}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Port of the webhook. */}}
{{- define "hbase-offheap-operator.webhookPort" -}}
{{- ternary "8443" "8081" (ne (default "" .Values.webhook.tlsSecret) "") -}}
{{- end }}
