package redact

import (
	"strings"
	"testing"
)

// TestTemplates: a Secret in a template, as charts keep them in ConfigMaps, is one.
func TestTemplates(t *testing.T) {
	m := New()
	text := "{{- if .Values.on }}\napiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}}\nstringData:\n  password: hunter2secret\n  {{ .Values.key }}: other-secret\n{{- end }}\n"
	m.Learn(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"t": text}})
	got := m.Text(text)
	for _, value := range []string{"hunter2secret", "other-secret"} {
		if strings.Contains(got, value) {
			t.Errorf("%s is in:\n%s", value, got)
		}
	}
}
