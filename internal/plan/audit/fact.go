package audit

import "github.com/ssactl/ssactl/internal/report"

// FactKind is that of reports.
type FactKind = report.FactKind

// What forbidden-owner finds.
const (
	// OwnsForbidden: By owns what the policy leaves to Others, for the reason Text.
	OwnsForbidden FactKind = "OwnsForbidden"
)
