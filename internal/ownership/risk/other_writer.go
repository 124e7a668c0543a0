package risk

import (
	"encoding/base64"
	"encoding/pem"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/text"
)

// autoscaled is for replicas that the manager owns after the write though an
// autoscaler writes them, which does so through the scale subresource itself. Of replicas
// that fall back to the default, defaulted speaks. The same number as is live, and that of a new object, break
// nothing yet; a patch without a change does not have it.
func (f *finder) autoscaled() []report.Finding {
	c, changes := f.change(writers.Replicas)
	switch {
	case changes && c.Reason == report.ReasonDefaulted && c.Kind == report.Modified:
		return nil
	case !changes && f.Operation == report.Patch:
		return nil
	}
	if f.autoscaler == "" || f.Target.Subresource == "status" || f.Manager == writers.ControllerManager ||
		!f.owns(writers.Replicas) {
		return nil
	}
	says := text.New(f.scaling(changes), text.Name(f.autoscaler))
	r := f.risk(ReplicasAutoscaled, writers.Replicas, f.autoscaler, says)
	if !changes || f.Outcome == report.Created {
		r.Severity = report.SeverityWarning
	}
	return []report.Finding{r}
}

// scaling is the format of what the autoscaler does about the replicas that the write leaves.
func (f *finder) scaling(changes bool) string {
	idle := !f.fromZero && fieldtree.Value(f.Object, "spec", "replicas") == int64(0)
	switch {
	case idle && changes:
		return "it stops every Pod, and the autoscaler does not scale from 0: %v"
	case idle:
		return "0 replicas turn the autoscaler off: %v"
	case f.Operation != report.Apply:
		return "an autoscaler writes it too, and scales again from there: %v"
	}
	return "an autoscaler writes it too, and each apply undoes its scaling: %v"
}

// scaler is the autoscaler that scales the object: one of the inputs, or the manager that
// owns the live replicas through the scale subresource; empty for none.
func (f *finder) scaler() string {
	if f.autoscaler != "" {
		return f.autoscaler
	}
	for _, row := range report.OwnersOf(managedfields.Of(f.Live)) {
		if row.Field != writers.Replicas {
			continue
		}
		for _, w := range row.Managers {
			if kind := writers.ManagerKindOf(w, f.Manager); kind.Kind == writers.Autoscaler && kind.Certain {
				return w.Manager
			}
		}
	}
	return ""
}

// owns reports whether the manager owns a field by such writes after this one.
func (f *finder) owns(field string) bool {
	for _, e := range managedfields.Of(f.Object).Entries {
		if e.Err != nil || e.Manager != f.Manager || e.Subresource != f.Target.Subresource ||
			e.Operation != f.entryOperation() {
			continue
		}
		has := false
		e.Set.Iterate(func(p fieldpath.Path) { has = has || p.String() == field })
		if has {
			return true
		}
	}
	return false
}

// entryOperation is that of the managed fields entry of the write.
func (f *finder) entryOperation() string {
	if f.Operation == report.Apply {
		return managedfields.Apply
	}
	return managedfields.Update
}

// injected are the CA bundles that the write owns though an injector writes them, which
// may do so itself, and those that an empty value of the write removes.
func (f *finder) injected() []report.Finding {
	injector := writers.InjectorOf(f.Object)
	if injector.Name == "" || injector.Manager == f.Manager {
		return nil
	}
	by := text.Name(injector.Name)
	var out []report.Finding
	for _, row := range f.ownership() {
		mine := slices.ContainsFunc(
			row.Managers,
			func(w report.Writer) bool { return w.Manager == f.Manager && w.Operation == f.entryOperation() },
		)
		if mine && writers.IsInjected(row.Field) && !f.emptied(row.Field) {
			out = append(
				out,
				f.risk(
					InjectedField,
					row.Field,
					injector.Name,
					text.New("an annotation has %v write this field, and %v sets it too", by, text.By(f.Manager)),
				),
			)
		}
	}
	for _, c := range f.Changes {
		if !f.emptied(c.Field) {
			continue
		}
		what := "the empty value"
		switch {
		case c.Kind == report.Modified:
			what = "the value, which has no certificate,"
		case c.Reason != report.ReasonNormalised && f.Operation == report.Patch:
			what = "the write"
		}
		one := f.risk(
			InjectedField,
			c.Field,
			injector.Name,
			text.New(what+" removes the CA bundle that %v injected: calls to the webhook fail", by),
		)
		one.Severity = report.SeverityError
		out = append(out, one)
	}
	return out
}

// emptied reports whether the write removes a CA bundle: with an empty value, or one
// without a certificate, or as a client-side patch does whose former manifest had one.
// What an apply drops was its own.
func (f *finder) emptied(field string) bool {
	c, ok := f.change(field)
	switch {
	case !ok || !writers.IsInjected(field):
		return false
	case c.Kind == report.Modified:
		return !hasPEM(c.After)
	}
	return c.Kind == report.Removed &&
		(c.Reason == report.ReasonNormalised || c.Reason == report.ReasonApplied || f.Operation == report.Patch)
}

// hasPEM reports whether a CA bundle has what clients read certificates from.
func hasPEM(bundle any) bool {
	encoded, _ := bundle.(string)
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	block, _ := pem.Decode(decoded)
	return err == nil && block != nil
}
