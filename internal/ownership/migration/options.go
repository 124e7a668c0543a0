package migration

import (
	"errors"
	"strings"

	"github.com/ssactl/ssactl/internal/ownership"
)

// Options are what the user asks for. The zero value takes no entry but those that are
// named, and chooses who gets them.
type Options struct {
	Mode Mode
	// To is the field manager that gets the fields; empty chooses it.
	To string
	// From names managers whose entries are to be migrated.
	From []string
	// Auto looks for further ones by evidence.
	Auto Search
	// Subresource is that of the entries; empty is the object itself.
	Subresource string
	Annotation  AnnotationPolicy
	// Claim is ClaimManifest when empty.
	Claim Claim
	// Send simulates the next apply; nil for the bare request.
	Send ownership.Send
}

// The managers of kubectl that a plan knows by heart.
const (
	// ServerSideKubectl is the default of kubectl apply --server-side.
	ServerSideKubectl = "kubectl"
	// ClientSideKubectl is the default of kubectl apply.
	ClientSideKubectl = "kubectl-client-side-apply"
	// AnnotationKeeper applies nothing but the annotation, so that it stays
	// when kubectl goes on server-side (kubectl, pkg/cmd/apply/apply.go).
	AnnotationKeeper = "kubectl-last-applied"
)

// Mode is how a migration is planned.
type Mode string

// The modes.
const (
	// Complete covers all that is known to go wrong; it is the default.
	Complete Mode = ""
	// Compatible does what upstream's csaupgrade does, no more and no less.
	Compatible Mode = "compatible"
	// Reverse goes back to client-side apply.
	Reverse Mode = "reverse"
)

// AnnotationPolicy says what to do with the last-applied annotation; empty drops it,
// unless somebody applies it.
type AnnotationPolicy string

// The policies.
const (
	DropAnnotation AnnotationPolicy = "drop"
	KeepAnnotation AnnotationPolicy = "keep"
)

// Claim says which fields of client-side entries the Apply entry gets.
type Claim string

// The claims.
const (
	// ClaimManifest: those that the manifest or the annotation has.
	ClaimManifest Claim = "manifest"
	// ClaimLeftover: besides, those that neither has and that are no
	// defaults, so that the next apply removes them.
	ClaimLeftover Claim = "leftover"
	// ClaimAll: all of them, as csaupgrade does.
	ClaimAll Claim = "all"
)

// Claims are the claims in the order of the help text.
func Claims() []string {
	return []string{string(ClaimManifest), string(ClaimLeftover), string(ClaimAll)}
}

// Search reports whether client-side entries are looked for by evidence.
type Search bool

// The kinds of search.
const (
	ByEvidence Search = true
	ByNameOnly Search = false
)

// evidenceValue is the value of --from that looks for entries by evidence.
const evidenceValue = "auto"

// ParseFrom reads the values of --from: auto looks for entries by evidence, and
// any other names a manager. A leading equals sign is not part of the name, so
// that every manager can be named: =auto is the manager auto.
func ParseFrom(values []string) (names []string, search Search, err error) {
	for _, v := range values {
		switch v {
		case evidenceValue:
			search = ByEvidence
		case "":
			err = errors.New("--from names no field manager")
		default:
			names = append(names, strings.TrimPrefix(v, "="))
		}
	}
	return names, search, err
}

// FromValue is the value of --from that names a manager.
func FromValue(manager string) string {
	if manager == evidenceValue || manager == "" || strings.HasPrefix(manager, "=") {
		return "=" + manager
	}
	return manager
}
