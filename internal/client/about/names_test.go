package about_test

import (
	"testing"

	"github.com/ssactl/ssactl/internal/client/about"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"auto": "auto ", "none": "none ", "helm": "helm 4", "helm@3": "helm 3", "helm@4.3.1": "helm 4", "helm@v3.22": "helm 3", "kubectl@1": "kubectl 1.37",
		"kubectl@1.36.3": "kubectl 1.36", "kubectl@1.3": "", "kubectl@": "", "none@1": "", "tanka": "",
	} {
		name, version, err := about.Parse(text)
		if got := name + " " + version; err == nil && got != want || err != nil && want != "" {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}
