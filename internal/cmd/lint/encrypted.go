package lint

import (
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

var encrypted = finding.Rule{
	Name: "encrypted", Severity: report.SeverityNote,
	Title: "The manifest is encrypted with SOPS.",
	Why:   "Its values are not those that are applied, and no other rule is asked about it. As it is, the API server rejects it: no kind has the field sops.",
	Fix:   "apply it with a client that decrypts it, such as Flux with spec.decryption",
}

// findEncrypted reports a manifest that SOPS has encrypted, whose checksum stands next to the values.
func findEncrypted(s *subject) bool {
	if mac, is := fieldtree.Value(s.Object, "sops", "mac").(string); !is || mac == "" {
		return false
	}
	s.find(encrypted, s.line(at("sops")), text.New("the values are encrypted, and are not checked"))
	return true
}
