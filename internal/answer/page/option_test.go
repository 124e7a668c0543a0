package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

func value(v any) *conflict.Value { return &conflict.Value{Value: v} }

// TestOptionText: the verdict on an option, for one field and for all.
func TestOptionText(t *testing.T) {
	change := []report.Change{{Field: ".a", Kind: report.Modified}}
	real := conflict.Conflict{Difference: conflict.Difference{Kind: conflict.Real}}
	same := conflict.Conflict{Difference: conflict.Difference{Kind: conflict.Spelling}}
	ok := report.Configured
	for name, tt := range map[string]struct {
		w         conflict.Resolution
		of        conflict.Conflict
		one, both string
	}{
		"not possible": {conflict.Resolution{Impossible: text.New("it is an item's key")}, real, "not possible: it is an item's key",
			"not possible: it is an item's key"},
		"refused": {conflict.Resolution{Attempt: report.Attempt{Outcome: report.Invalid, Code: 422}}, real, "refused (422)",
			"refused (422)"},
		"conflicting": {conflict.Resolution{Attempt: report.Attempt{Outcome: report.Conflicted, Code: 409}}, real,
			"refused (409): still a conflict", "refused (409)"},
		"force": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Changes: change, Kind: conflict.Force}, real,
			"accepted; your value is stored", "accepted; 1 field of the live object would change"},
		"force, of no difference": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.Force}, same,
			"accepted; the stored value stays as it is", "accepted; the live object keeps the values"},
		"stop": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.StopManaging, After: value("x")},
			real, "accepted; the live value stays", "accepted; the live values stay"},
		"stop what creates it": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.StopManaging, After: value("x"),
			Needed: true}, real,
			"accepted; the live value stays, but the manifest could no longer create the object", "accepted; the live values stay"},
		"stop, with a default": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Changes: change, Kind: conflict.StopManaging,
			After: value(int64(1))}, real,
			"accepted; the field becomes 1", "accepted; 1 field of the live object would change"},
		"stop, and it goes": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Changes: change, Kind: conflict.StopManaging,
			After: &conflict.Value{Missing: true}}, real,
			"accepted; the field is removed", "accepted; 1 field of the live object would change"},
		"stop what is not there": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.StopManaging,
			After: &conflict.Value{Missing: true}}, real,
			"accepted; nothing changes in the live object", "accepted; the live values stay"},
		"share": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.UseLiveValue, Write: value("x"),
			Edit: &conflict.Edit{}}, real,
			"accepted; write the live value", "accepted; the live object keeps the values"},
		"share, by hand": {conflict.Resolution{Attempt: report.Attempt{Outcome: ok}, Kind: conflict.UseLiveValue, Write: value(int64(7))}, real,
			"accepted; write 7", "accepted; the live object keeps the values"},
	} {
		if got := OptionText(tt.w, tt.of); got != tt.one {
			t.Errorf("%s: one field: %q, want %q", name, got, tt.one)
		}
		if got := TogetherText(tt.w); got != tt.both {
			t.Errorf("%s: all fields: %q, want %q", name, got, tt.both)
		}
	}
}

// TestDifferenceText: what cannot be seen in two values is said.
func TestDifferenceText(t *testing.T) {
	for name, tt := range map[string]struct {
		d    conflict.Difference
		live conflict.Value
		want string
	}{
		"seen": {conflict.Difference{Kind: conflict.Real, Stored: value("x")}, conflict.Value{Value: "y"}, ""},
		"of no value": {conflict.Difference{Kind: conflict.Real, Stored: value("x")}, conflict.Value{Missing: true},
			"the values differ: the field is owned without a value, as its owner applied an empty one, and yours would be stored"},
		"in stringData": {conflict.Difference{Kind: conflict.Real}, conflict.Value{},
			"the values differ: another value would be stored in data; stringData itself is write-only and never seen"},
		"a spelling": {conflict.Difference{Kind: conflict.Spelling, Stored: value("1")}, conflict.Value{},
			`only another spelling: the server stores yours as "1", which is the live value; it compares what is written, not what is meant`},
		"unknown spelling": {conflict.Difference{Kind: conflict.Spelling}, conflict.Value{},
			"only another spelling: the server stores yours as it does, which is the live value; it compares what is written, not what is meant"},
		"dropped": {conflict.Difference{Kind: conflict.Dropped}, conflict.Value{},
			"no difference in the object: the server stores nothing for your value, as that is what the field is without it"},
		"defaulted": {conflict.Difference{Kind: conflict.Defaulted, Filled: []string{".a", ".b", ".c", ".d", ".e"}}, conflict.Value{},
			"no difference in the object: the live value is yours with defaults filled in at .a, .b, .c, .d, …"},
		"write-only": {conflict.Difference{Kind: conflict.WriteOnly}, conflict.Value{},
			"the same value is stored already, but stringData is write-only: its owner conflicts with everybody else forever"},
		"refused": {conflict.Difference{Kind: conflict.Unknown}, conflict.Value{},
			"not known whether the difference is real: the server refuses to store your value"},
	} {
		if got := DifferenceText(conflict.Conflict{Difference: tt.d, Live: tt.live}); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestNature: what a field is for Server-Side Apply.
func TestNature(t *testing.T) {
	for _, tt := range []struct {
		n    conflict.Nature
		want string
	}{
		{conflict.Nature{Kind: conflict.Scalar}, "a single value"},
		{conflict.Nature{Kind: conflict.Scalar, List: ".spec.containers", ListKeys: []string{"name"}},
			"a single value in an item of .spec.containers (keyed by name)"},
		{conflict.Nature{Kind: conflict.GranularMap, List: ".l"}, "a map; each key is a field of its own in an item of .l"},
		{conflict.Nature{Kind: conflict.AtomicMap},
			"an atomic map: it has one owner and is compared and replaced as a whole, so that one differing key makes all of it conflict"},
		{conflict.Nature{Kind: conflict.AtomicList, Deduced: true},
			"an atomic list: it has one owner and is compared and replaced as a whole, so that one differing item, or default in an item, " +
				"makes all of it conflict; no schema is known for the kind, so every list counts as atomic"},
		{conflict.Nature{Kind: conflict.KeyedList, Keys: []string{"port", "protocol"}},
			"a list of items keyed by port and protocol, each a field of its own"},
		{conflict.Nature{Kind: conflict.KeyedItem, Keys: []string{"name"}, List: ".l"}, "an item of a list whose items are keyed by name"},
		{conflict.Nature{Kind: conflict.KeyedItem}, "an item of a list whose items are keyed by their keys"},
		{conflict.Nature{Kind: conflict.Set}, "a set: each value of the list is a field of its own"},
		{conflict.Nature{Kind: conflict.SetItem, List: ".l"}, "one value of a set"},
	} {
		if got := Nature(conflict.Conflict{Nature: tt.n}); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if got := ManagerKind(writers.ManagerKind{Name: "a person"}) + ManagerKind(writers.ManagerKind{Name: ", Helm",
		Certain: true}); got != "probably a person, Helm" {
		t.Errorf("kinds of managers: %q", got)
	}
}

// TestEffects: what changes besides the field, what its owners do, and the edit.
func TestEffects(t *testing.T) {
	changes := []report.Change{
		{Field: ".a", Kind: report.Modified, Before: int64(1), After: int64(2)},
		{Field: ".b", Kind: report.Added,
			After: "x"},
	}
	w := conflict.Resolution{
		Changes: changes,
		Kind:    conflict.Force,
		Reactions: []conflict.Reaction{{Says: text.New("%v sets it back",
			text.By("hpa"))}},
		NotEdited: "it is built",
		Edit:      &conflict.Edit{File: "a.yaml", Line: 3, Removed: []string{"a: 1\r"}, Added: []string{"a: 2"}},
	}
	forced, edited := changes[1:], model.Diff{Shown: Shown, Lines: []model.DiffLine{
		{Kind: model.Place, Text: model.Say("a.yaml:3")}, {Kind: model.Removed, Text: model.Say(" a: 1")}, {Kind: model.Added,
			Text: model.Say(" a: 2")}}}
	want := []model.Block{
		Changes(forced),
		model.Paragraph{Text: model.Text{model.Manager.Of("hpa"), model.Plain.Of(" sets it back")}},
		Paragraph("manifest: it is built"),
		edited,
	}
	if diff := cmp.Diff(want, Effects(w, conflict.Conflict{Field: ".a"})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w = conflict.Resolution{Changes: changes, Kind: conflict.StopManaging}
	if diff := cmp.Diff([]model.Block{Changes(changes)}, Effects(w, conflict.Conflict{Field: ".a"})); diff != "" {
		t.Errorf("of another option the field's own change is shown (-want +got)\n%s", diff)
	}
}

// TestRecommendedCommand: the printed command does what is recommended for the field, and
// one for all fields only where they have one recommendation.
func TestRecommendedCommand(t *testing.T) {
	o := Options{Call: fixes.Call{LiveFile: "live.yaml", Sender: []shell.Flag{shell.Value("--client", "kubectl")}}}
	conflicts := func(kinds ...conflict.ResolutionKind) []conflict.Conflict {
		var out []conflict.Conflict
		for _, k := range kinds {
			out = append(
				out,
				conflict.Conflict{Field: ".a", Recommended: k, Because: conflict.Reason{Managers: []string{"helm"}}},
			)
		}
		return out
	}
	wrong := conflicts(conflict.None)
	wrong[0].Because.Kind = conflict.WrongManager
	const on = " -f a.yaml --live=live.yaml"
	const as = " --client=kubectl --field-manager=ci"
	for name, tt := range map[string]struct {
		list     []conflict.Conflict
		one, all string
	}{
		"stop": {conflicts(conflict.StopManaging, conflict.StopManaging), "ssactl resolve" + on + as + " --stop-managing=.a --write",
			"ssactl resolve" + on + as + " --all-stop-managing --write"},
		"share": {conflicts(conflict.UseLiveValue), "ssactl resolve" + on + as + " --use-live-value=.a --write", "ssactl resolve" + on +
			as + " --all-use-live-value --write"},
		"force": {conflicts(conflict.Force), "kubectl apply --server-side --force-conflicts --field-manager=ci -f a.yaml",
			"kubectl apply --server-side --force-conflicts --field-manager=ci -f a.yaml"},
		"migrate": {conflicts(conflict.Migrate), "ssactl migrate" + on + " --from=helm --to=ci", "ssactl migrate" + on +
			" --from=helm --to=ci"},
		"differing":  {conflicts(conflict.StopManaging, conflict.Force), "ssactl resolve" + on + as + " --stop-managing=.a --write", ""},
		"none":       {conflicts(conflict.None), "", ""},
		"as another": {wrong, "ssactl explain" + on + " --client=kubectl --field-manager=helm", ""},
		"as was asked": {[]conflict.Conflict{{Field: ".data.a", AskedAs: ".stringData.a", Recommended: conflict.StopManaging}},
			"ssactl resolve" + on + as + " --stop-managing=.stringData.a --write", "ssactl resolve" + on + as + " --all-stop-managing --write"},
	} {
		e := conflict.Explanation{Target: web, Source: report.Source{File: "a.yaml"}, Manager: "ci", Conflicts: tt.list}
		if got := o.RecommendedCommand(e, tt.list[0]); got.String() != tt.one {
			t.Errorf("%s: one field: %q, want %q", name, got, tt.one)
		}
		if got := o.AllCommand(e); got.String() != tt.all {
			t.Errorf("%s: all fields: %q, want %q", name, got, tt.all)
		}
	}
	// What comes from standard input is in no file that could be written.
	streamed := conflict.Explanation{
		Target:    web,
		Source:    report.Source{File: "-"},
		Manager:   "ci",
		Conflicts: conflicts(conflict.StopManaging),
	}
	if got := o.AllCommand(streamed).String(); got != "ssactl resolve -f - --live=live.yaml"+as+" --all-stop-managing" {
		t.Errorf("of standard input: %q", got)
	}
}

// TestRecommendation: an option with its reason, or the reason alone.
func TestRecommendation(t *testing.T) {
	for kind, want := range map[conflict.ResolutionKind]string{
		conflict.Force:        "Recommended: force (take ownership). So.",
		conflict.StopManaging: "Recommended: stop managing the field (remove it from the manifest). So.",
		conflict.UseLiveValue: "Recommended: use the live value (share ownership). So.",
		conflict.Migrate:      "Recommended: migrate (hand the object over). So.", conflict.None: "So.",
	} {
		if got := Recommendation(kind, text.New("So.")).String(); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
	refused := conflict.Resolution{Attempt: report.Attempt{Outcome: report.Invalid, Message: "it says"}}
	if item := WithRefusal(model.Item{}, refused); len(item.Blocks) != 1 {
		t.Errorf("why the server refuses is not said: %v", item)
	}
	if item := WithRefusal(model.Item{}, conflict.Resolution{Attempt: report.Attempt{Outcome: report.Configured,
		Message: "it says"}}); item.Blocks != nil {
		t.Errorf("accepted, and yet: %v", item)
	}
}
