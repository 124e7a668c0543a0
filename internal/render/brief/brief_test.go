package brief

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

// shown is a document in the format, and what it says.
func shown(t *testing.T, d model.Document) (string, Document) {
	t.Helper()
	var out bytes.Buffer
	b := New(&out)
	if err := b.Begin(d.Head); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Sections {
		part, err := b.Part(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.End(d.Tail); err != nil {
		t.Fatal(err)
	}
	var said Document
	if err := json.Unmarshal(out.Bytes(), &said); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return out.String(), said
}

func TestDocument(t *testing.T) {
	_, got := shown(t, model.Document{
		Sections: []model.Section{{Findings: []model.Finding{
			{Rule: "ssactl/note", Level: model.Note, Message: "a\n  5 -> 3", Fix: "write 3"},
		}}},
		Tail: model.Tail{
			Headline: []model.Text{model.Say("2 objects: 1 conflicted."), model.Say("One more.")}, State: model.Refused,
			Findings: []model.Finding{{Rule: "ssactl/conflict", Level: model.Error, Object: "deployment.apps/web",
				Objects: 3, Field: ".spec.replicas", File: "web.yaml", Line: 9, Message: "conflict", Fix: "ssactl resolve -f web.yaml\nssactl x"}},
			Lost: []string{"hpa loses 1 field"}, Assumed: "Assumes no webhooks.", NotSimulated: []string{"quotas"},
		},
	})
	want := Document{APIVersion: "ssactl.dev/v1alpha1", Kind: "Brief", Verdict: "2 objects: 1 conflicted. One more.",
		ExitCode: 1, Findings: []Finding{
			{Severity: "error", Rule: "conflict", Object: "deployment.apps/web", Objects: 3, Field: ".spec.replicas",
				At: "web.yaml:9", Message: "conflict", Command: "ssactl resolve -f web.yaml"},
			{Severity: "note", Rule: "note", Message: "a 5 -> 3", Fix: "write 3"},
		}, Lost: []string{"hpa loses 1 field"}, NotSimulated: []string{"Assumes no webhooks.", "quotas"},
		More: got.More}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestExitCode: it is that of the worst of objects, inputs and the whole.
func TestExitCode(t *testing.T) {
	refused := []model.Section{{Subject: &model.Subject{State: model.Refused}}}
	for name, c := range map[string]struct {
		d    model.Document
		code int
	}{
		"accepted":    {model.Document{}, 0},
		"refused":     {model.Document{Sections: refused}, 1},
		"fail-on":     {model.Document{Tail: model.Tail{Exit: "exit 1: --fail-on error"}}, 1},
		"a diff":      {model.Document{Sections: refused, Tail: model.Tail{Code: 3}}, 3},
		"a command":   {model.Document{Sections: refused, Tail: model.Tail{Code: 0, Decided: true}}, 0},
		"unreadable":  {model.Document{Head: model.Head{Problems: []model.Problem{{Message: "bad"}}}, Sections: refused}, 2},
		"interrupted": {model.Document{Tail: model.Tail{State: model.Failed, Interrupted: "after 3"}}, 2},
	} {
		if _, got := shown(t, c.d); got.ExitCode != c.code {
			t.Errorf("%s: exit code %d, want %d", name, got.ExitCode, c.code)
		}
	}
}

// TestBound: whatever there is to say, it fits, the worst first, and the rest is counted.
func TestBound(t *testing.T) {
	for name, text := range map[string]string{
		"letters": "word ", "quotes": `"\`, "wide": "語", "zero width": "a\u0301\u200b", "control": "\x1b[31m\x00", "broken": "\xff\xfe",
	} {
		t.Run(name, func(t *testing.T) {
			long := strings.Repeat(text, 4000)
			d := model.Document{Head: model.Head{Settings: []model.Setting{{Text: long}}}}
			for i := range 500 {
				d.Problems = append(d.Problems, model.Problem{Message: long, File: long})
				d.Sections = append(d.Sections, model.Section{Title: model.Say(long), Findings: []model.Finding{{
					Rule: "ssactl/r", Level: model.Level(2 - i%3), Object: long, Field: long, File: long, Message: long,
					Fix: "ssactl " + long, Line: i,
				}}})
				d.Lost, d.NotSimulated = append(d.Lost, long), append(d.NotSimulated, long)
			}
			d.Exit, d.Assumed = long, long
			raw, got := shown(t, d)
			if len(raw) > MaxBytes || len(got.Findings) == 0 || !utf8.ValidString(raw) {
				t.Fatalf("%d bytes, %d findings", len(raw), len(got.Findings))
			}
			n := *got.LeftOut
			if all := n.Error + n.Warning + n.Note + len(got.Findings); all != 1000 {
				t.Errorf("%d of 1000 findings are counted", all)
			}
			for i, line := range strings.Split(raw, "\n") {
				if !glyph.IsVisible(line) {
					t.Errorf("line %d acts: %q", i+1, line)
				}
			}
			for _, f := range got.Findings {
				if f.Severity != "error" || f.Command != "" {
					t.Errorf("%s, command %.20s", f.Severity, f.Command)
				}
			}
		})
	}
	few := model.Document{}
	for i := range 7 {
		few.Lost = append(few.Lost, fmt.Sprint(i))
	}
	if _, got := shown(t, few); cmp.Diff([]string{"0", "1", "2", "3", "… 3 more"}, got.Lost) != "" {
		t.Errorf("lost: %q", got.Lost)
	}
}
