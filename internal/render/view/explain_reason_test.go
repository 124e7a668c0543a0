package view

import (
	"slices"
	"testing"

	"github.com/ssactl/ssactl/internal/plan/explain"
)

// TestExplainDocumentSays: what a plan gives as a kind or a number stands in the document
// in words, behind the notices that are there, and the plan's own are left alone.
func TestExplainDocumentSays(t *testing.T) {
	plan := explain.Document{Objects: []explain.Explanation{{
		Notices: []string{"first"}, Conflicting: 51,
		Conflicts: []explain.Conflict{{Field: ".spec.x", Resolutions: []explain.Resolution{
			{Obstacle: explain.NotInManifest}, {Hidden: true},
		}}},
	}}}
	got := ExplainDocument(plan).Objects[0]
	if want := []string{"first", "51 fields conflict: the first 1 are shown one by one, and all of them together at the end"}; !slices.Equal(got.Notices, want) {
		t.Errorf("notices %q, want %q", got.Notices, want)
	}
	options := got.Conflicts[0].Resolutions
	if options[0].Impossible != "the manifest has no field .spec.x" {
		t.Errorf("impossible: %q", options[0].Impossible)
	}
	if options[1].NotEdited != "the lines of a Secret are not shown" || options[1].Uneditable() != "" {
		t.Errorf("not edited: %q", options[1].NotEdited)
	}
	if was := plan.Objects[0]; len(was.Notices) != 1 || was.Conflicts[0].Resolutions[0].Impossible != "" {
		t.Errorf("the plan is changed: %+v", was)
	}
}
