package report

import "slices"

// Advice is what is recommended about a conflict, in the words that an explanation
// has for it.
type Advice struct {
	// Recommended is the resolution (Force, StopManaging, UseLiveValue), Migrate for a
	// takeover of the whole object, or None.
	Recommended string `json:"recommended" secret:"public"`
	// Because is the kind of the reason; Managers are those that it is about, each
	// once; Against is what speaks against each resolution, for None.
	Because  string   `json:"because" secret:"public"`
	Managers []string `json:"managers,omitempty" secret:"public"`
	Against  []string `json:"against,omitempty" secret:"public"`
	// InClient is the resolution that a setting of the client makes, which the result
	// has; empty for none.
	InClient string `json:"inClient,omitempty" secret:"public"`
	// Same: with force the server would store the live value.
	Same bool `json:"same,omitempty"`
}

// Equal reports whether two recommend the same for the same reason.
func (a Advice) Equal(b Advice) bool {
	return a.Recommended == b.Recommended && a.Because == b.Because && a.InClient == b.InClient && slices.Equal(a.Managers, b.Managers) && slices.Equal(a.Against, b.Against)
}
