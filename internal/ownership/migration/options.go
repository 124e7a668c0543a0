package migration

import "github.com/ssactl/ssactl/internal/ownership"

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

// AnnotationPolicy says what to do with the last-applied annotation.
type AnnotationPolicy string

// The policies.
const (
	// AnnotationByDefault drops it, unless somebody applies it.
	AnnotationByDefault AnnotationPolicy = ""
	DropAnnotation      AnnotationPolicy = "drop"
	KeepAnnotation      AnnotationPolicy = "keep"
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
func Claims() []Claim { return []Claim{ClaimManifest, ClaimLeftover, ClaimAll} }

// Options are what the user asks for. The zero value looks for client-side
// entries by evidence, and chooses who gets them.
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

// Search reports whether client-side entries are looked for by evidence.
type Search bool

// The kinds of search.
const (
	ByEvidence Search = true
	ByNameOnly Search = false
)

func (o Options) claim() Claim {
	if o.Claim == "" {
		return ClaimManifest
	}
	return o.Claim
}
