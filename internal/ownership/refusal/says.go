package refusal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// Says is the reason for a refusal, before its fields.
func Says(r report.Refusal) text.Text {
	switch r.Kind {
	case report.Immutable:
		return text.New("The API server does not let the live object change so:")
	case report.Needed:
		var paths []string
		for _, f := range r.Stays {
			paths = append(paths, f.Field)
		}
		return text.New("The manifest changes this, and %v of %v in the live object %v not go with it:",
			text.Paths(paths, maxRemoved, len(paths)), by(owners(r.Stays)), text.Agree(len(paths), "does", "do"))
	}
	return text.New("The manifest lacks this, and the apply leaves it in the live object:")
}

// Does is one of the ways to have the apply accepted.
func Does(r report.Refusal, fix report.RefusalFix) text.Text {
	it := text.Name(text.Agree(len(r.Fields), "it", "them").String())
	accepted := text.New(" (simulated: accepted).")
	if r.Partly {
		accepted = text.New(" (simulated: this reason is gone).")
	}
	switch fix.Kind {
	case report.RemoveLive:
		return text.New("remove %v from the live object, and apply again%v", it, accepted)
	case report.ReplaceLive:
		return text.New(
			"remove %v from the live object, with what the manifest has next to %v, and apply again%v", it,
			it, accepted,
		)
	case report.ClearEntry:
		names := owners(r.Fields)
		return text.New("clear the managed fields %v of %v, and apply again: no manager keeps %v then%v",
			text.Agree(len(names), "entry", "entries"), by(names), it, accepted)
	case report.HandOver:
		return text.New("make your field manager the only owner of %v, so that the next apply removes %v%v", it, it, accepted)
	case report.MigrateLeftover:
		more := text.Text{}
		if n := len(fix.Removes); n > 0 {
			more = text.New(", and %v", text.Paths(fix.Removes, maxRemoved, n))
		}
		return text.New("migrate what %v left, so that the apply removes %v%v%v", by(fix.From), it, more, accepted)
	case report.KeepVersion:
		return text.New("keep %v in spec.versions with served: false and storage: false%v "+
			"Or first have all objects stored in another version, by writing each again, and then take %v out of "+
			"status.storedVersions.",
			versions(r.Fields), accepted, text.Agree(len(r.Fields), "it", "them"))
	case report.KeepLive:
		return text.New("%v in the manifest%v", keeping(r.Fields), accepted)
	}
	if r.Partly {
		return text.New("replace the object (simulated: this reason is gone): %v.", r.Costs)
	}
	return text.New("replace the object (simulated: accepted): %v.", r.Costs)
}

// versions are the names of versions that fields stand for.
func versions(fields []report.RefusedField) text.Arg {
	var names []string
	for _, f := range fields {
		names = append(names, fmt.Sprint(f.Live))
	}
	return text.Name(strings.Join(names, ", "))
}

func by(names []string) text.Text { return text.List(names, len(names), text.By) }

// maxRemoved is how many other fields a sentence names that go, too.
const maxRemoved = 3

// keeping is to have the live values in the manifest.
func keeping(fields []report.RefusedField) text.Text {
	switch {
	case len(fields) == 1 && fields[0].LiveMissing:
		return text.New("leave %v out", text.Path(fields[0].Field))
	case len(fields) == 1 && len(fmt.Sprint(fields[0].Live)) <= maxKept:
		return text.New("write %v", text.ValueOf(fields[0].Field, fields[0].Live))
	}
	return text.New("write the live %v", text.Agree(len(fields), "value", "values"))
}

// maxKept is how long a value may be that a sentence quotes.
const maxKept = 60

// owners are the managers of the live values, each once.
func owners(fields []report.RefusedField) []string {
	var out []string
	for _, f := range fields {
		for _, w := range f.Owners {
			if !slices.Contains(out, w.Manager) {
				out = append(out, w.Manager)
			}
		}
	}
	return out
}

// Rest is what else there is to say of the ways, for the manager that applies; nil for
// nothing.
func Rest(applier string, live map[string]any, r report.Refusal) []text.Text {
	all := []text.Text{lacking(r), writesAgain(applier, live, r)}
	return slices.DeleteFunc(all, text.Text.IsZero)
}

// lacking is what there is to say where no way, or not every one, was found.
func lacking(r report.Refusal) text.Text {
	recreates := func(f report.RefusalFix) bool { return f.Kind == report.Recreate }
	switch {
	case r.Kind == report.Immutable && !slices.ContainsFunc(r.Fixes, recreates) && !r.Costs.IsZero():
		return text.New("Or replace the object, at a cost: %v.", r.Costs)
	case len(r.Fixes) == 0:
		return text.New("No single step was found that removes it and is accepted; edit the live object (kubectl edit).")
	}
	return text.Text{}
}

// writesAgain names owners of a leftover that may set it again; empty for none.
func writesAgain(applier string, live map[string]any, r report.Refusal) text.Text {
	if r.Kind != report.Leftover {
		return text.Text{}
	}
	var names []string
	certain := false
	for _, f := range r.Fields {
		for _, w := range f.Owners {
			if w.Manager == applier && w.Operation == managedfields.Apply {
				continue
			}
			kind := writers.Judge(w, applier, f.Field, live)
			again := kind.Returns == writers.Always || kind.Returns == writers.OnSync ||
				kind.Returns == writers.OnRun && w.Operation == managedfields.Apply
			if again && !slices.Contains(names, w.Manager) {
				names, certain = append(names, w.Manager), certain || kind.Certain
			}
		}
	}
	switch {
	case names == nil:
		return text.Text{}
	case certain:
		return text.New("%v %v it again: change it there first.", by(names), text.Agree(len(names), "sets", "set"))
	}
	return text.New("%v may set it again.", by(names))
}

// Latest are writers by their time, the latest first.
func Latest(list []report.Writer) []report.Writer {
	list = slices.Clone(list)
	// Of one time, the later entry is the later write.
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b report.Writer) int {
		if a.Time == nil || b.Time == nil {
			return 0
		}
		return b.Time.Compare(*a.Time)
	})
	return list
}
