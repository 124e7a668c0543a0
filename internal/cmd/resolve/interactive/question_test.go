package interactive

import (
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cmd/owners"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
)

// TestStopOption: what cannot be edited cannot be chosen; the edit of a Secret's
// manifest is possible, though its lines are not shown.
func TestStopOption(t *testing.T) {
	edit := conflict.Resolution{Kind: conflict.StopManaging, NotEdited: "the field is part of an alias"}
	if o := stopOption(edit); !o.Off || o.Text.String() != "not possible: the field is part of an alias" {
		t.Errorf("%t %q", o.Off, o.Text)
	}
	secret := conflict.Resolution{Kind: conflict.StopManaging}
	secret.Edit = new(conflict.Edit)
	concealed := secret.Concealed().(conflict.Resolution)
	if o := stopOption(concealed); o.Off || concealed.Edit != nil {
		t.Errorf("the edit of a Secret's manifest cannot be chosen: %q", o.Text)
	}
}

// TestLongDefault: a value that is too long for a sentence does not stand in it.
func TestLongDefault(t *testing.T) {
	long := conflict.Drop{Effect: conflict.EffectDefault}
	long.After = conflict.Value{Value: strings.Repeat("x", 100)}
	if got, want := owners.DropText(conflict.Why{}, long), " resets it to the default."; !strings.HasSuffix(got, want) {
		t.Errorf("%q", got)
	}
	long.After.Value = "Always"
	if got := owners.DropText(conflict.Why{}, long); !strings.HasSuffix(got, `the default, "Always".`) {
		t.Errorf("%q", got)
	}
}
