package redact

import (
	"reflect"
	"slices"

	"github.com/ssactl/ssactl/internal/plan/migrate"
)

// Migrations gives migrations in which the values of Secrets are masked,
// numbered through all of them. The given ones are not changed. A patch that
// would write the values is left out, as a masked one would destroy them.
func Migrations(list []migrate.Migration) []migrate.Migration {
	o := NewObjects()
	out := make([]migrate.Migration, len(list))
	for i, m := range list {
		if m.Target.APIVersion == "v1" && m.Target.Kind == "Secret" {
			m = o.migration(m)
		}
		out[i] = m
	}
	return out
}

// migration masks the objects first, as they tell what to look for in texts.
func (o *Objects) migration(m migrate.Migration) migrate.Migration {
	m.Live, m.Object = o.Mask(m.Live), o.Mask(m.Object)
	if m.Annotation.Fate == migrate.Written && m.Patch != nil || slices.ContainsFunc(m.Patch, quoting) {
		m.Patch, m.NoPatch = nil, "the patch would have masked values; --show-secrets keeps them"
	}
	if m.Next != nil {
		next := *m.Next
		next.Before, next.After = o.masks.nextApply(next.Before), o.masks.nextApply(next.After)
		m.Next = &next
	}
	m.Findings = pathsOf(m.Findings, func(f *migrate.Finding) *string { return &f.Field })
	for i := range m.Findings {
		m.Findings[i].Message = o.masks.text(m.Findings[i].Message)
	}
	m.Won = pathsOf(m.Won, func(w *migrate.Won) *string { return &w.Field })
	m.Lost = pathsOf(m.Lost, func(l *migrate.Lost) *string { return &l.Field })
	m.CoOwners = slices.Clone(m.CoOwners)
	for i, c := range m.CoOwners {
		m.CoOwners[i].Fields = pathsOf(c.Fields, func(f *string) *string { return f })
	}
	m.Error = o.masks.text(m.Error)
	return m
}

func (m *masks) nextApply(n migrate.NextApply) migrate.NextApply {
	n.Changes, n.Conflicts = m.changes(n.Changes), m.conflicts(n.Conflicts)
	n.Keeps = pathsOf(n.Keeps, func(k *migrate.Keeps) *string { return &k.Field })
	n.Message = m.text(n.Message)
	return n
}

// quoting tells whether an operation writes entries that quote values.
func quoting(o migrate.Operation) bool {
	return o.Path == "/metadata/managedFields" && !reflect.DeepEqual(entriesWithoutValues(o.Value), o.Value)
}
