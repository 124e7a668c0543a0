package causes

import (
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/report"
)

// ofMerge is the mistake that a value of another type than the merge schema's is.
func ofMerge(message string) report.Mistake {
	want, got, ok := strings.Cut(message, gotValue)
	got, _, _ = strings.Cut(got, " ")
	if want, expected := strings.CutPrefix(want, expectedType); ok && expected {
		return between(want, got)
	}
	return ""
}

// between is the mistake that a value of one type for another is, by the names that
// the merge schema, JSON or Go have for them.
func between(want, got string) report.Mistake {
	text, got := want == "string", strings.TrimSuffix(got, "ean")
	switch {
	case text && got == "bool":
		return report.UnquotedBoolean
	case text && got == "number":
		return report.UnquotedNumber
	case text && got == "null":
		return report.Empty
	case got == "string" && (strings.HasPrefix(want, "numeric") || strings.HasPrefix(want, "bool") || strings.HasPrefix(want, "int") || strings.HasPrefix(want, "float")):
		return report.Quoted
	}
	return ""
}

// fromLive is for a manifest that has managed fields: who applies must not.
func (q *Question) fromLive(message string) []report.Cause {
	if message != managedNil {
		return nil
	}
	path := fieldpath.MakePathOrDie("metadata", "managedFields")
	return []report.Cause{{Field: path.String(), Message: strings.TrimPrefix(message, "metadata.managedFields "), Mistake: report.FromLive, Source: q.line(path)}}
}
