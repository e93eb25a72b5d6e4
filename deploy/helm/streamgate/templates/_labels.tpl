{{- define "streamgate.selector" -}}
app.kubernetes.io/name: streamgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "streamgate.labels" -}}
{{ include "streamgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
