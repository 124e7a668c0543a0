package lint

import (
	"testing"

	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// TestEncrypted: of a manifest that SOPS has encrypted, that is all there is to say; a field of the name alone is
// no sign of it.
func TestEncrypted(t *testing.T) {
	refused := report.Result{
		Outcome: report.Invalid, Code: 500, Status: &report.Status{Message: ".sops: field not declared in schema"},
		Causes: []report.Cause{{Field: ".sops", Message: "field not declared in schema"}},
	}
	for _, test := range []struct {
		sops any
		want string
	}{
		{map[string]any{"mac": "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]", "version": "3.8.1"}, "encrypted"},
		{map[string]any{"version": "3.8.1"}, "unknown-field"},
		{"yes", "unknown-field"},
	} {
		m := Manifest{Target: report.Target{APIVersion: "v1", Kind: "Secret", Name: "db"}, Result: refused,
			Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "sops": test.sops}}
		found := Examine(m, writers.Claims{}).Findings
		if len(found) != 1 || found[0].Rule != test.want {
			t.Errorf("sops %v: %v, want %s", test.sops, found, test.want)
		}
	}
}
