package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/model"
)

// play sends a document through the format.
func play(t *testing.T, d model.Document, o Options) string {
	t.Helper()
	var out bytes.Buffer
	w := New(&out, o)
	if err := w.Begin(d.Head); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Sections {
		part, err := w.Part(s)
		if err == nil {
			err = w.Add(part)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(d.Tail); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func section(title string, weight model.Weight, state model.State) model.Section {
	return model.Section{
		Title: model.Say(title), Weight: weight, Subject: &model.Subject{Name: title, State: state},
		Before: []model.Block{model.Quote{Text: "before " + title}},
		Under:  []model.Block{model.List{Items: items("under " + title)}},
		Blocks: []model.Block{model.Quote{Text: "of " + title}},
	}
}

// TestWriter: the answer of the whole comes first, and then what asks for a decision.
func TestWriter(t *testing.T) {
	headline := []model.Text{model.Say("2 objects")}
	two := []model.Section{
		section("changed", model.Change, model.Accepted),
		section("refused", model.Decision, model.Refused),
	}
	three := append(two, section("dull", model.Dull, model.Accepted), section("risky", model.Decision, model.Accepted))
	full := func(title string) string {
		return "before " + title + "\n" + title + "\n\n  under " + title + "\n  of " + title + "\n"
	}
	tail := model.Tail{
		Headline: headline, First: []model.Block{model.List{Items: items("first")}},
		Blocks: []model.Block{
			model.Quote{Text: "blocks"},
		}, Listed: []model.Block{model.Quote{Text: "listed"}}, Exit: "exit 1: why",
	}
	problems := []model.Problem{{At: "a.yaml:3", Message: "bad\nworse\n"}, {Message: "no place"}}
	const errors = "error: a.yaml:3: bad\nworse\nerror: no place\n"
	for name, tt := range map[string]struct {
		o    Options
		d    model.Document
		want string
	}{
		"one object": {Options{}, model.Document{Head: model.Head{Total: 1}, Sections: two[1:]}, full("refused")},
		"one that is dull is shown": {Options{}, model.Document{Head: model.Head{Total: 1}, Sections: []model.Section{{Title: model.Say("dull"),
			Weight: model.Dull}}}, "dull\n"},
		"several, the worst first": {Options{}, model.Document{Head: model.Head{Total: 4, Problems: problems}, Sections: three, Tail: tail},
			"2 objects\n\nfirst\n\n" + full("refused") + "\n" + full("risky") + "\n" + full("changed") + errors + "blocks\nlisted\nexit 1: why\n"},
		"all is asked for": {Options{Verbose: true}, model.Document{Head: model.Head{Total: 4}, Sections: three[2:3]}, full("dull")},
		"the answer leads": {Options{}, model.Document{Head: model.Head{Total: 2, Lead: headline}, Sections: two},
			"2 objects\n\n" + full("changed") + "\n" + full("refused")},
		"quiet": {Options{Quiet: true}, model.Document{Head: model.Head{Total: 2, Problems: problems}, Sections: two, Tail: tail},
			"2 objects\nbefore refused\nrefused\nbefore changed\nchanged\n" + errors + "listed\nexit 1: why\n"},
		"brief: the tail says it": {Options{}, model.Document{Head: model.Head{Total: 2, Brief: true}, Sections: two, Tail: tail},
			"2 objects\n\nfirst\nblocks\nlisted\nexit 1: why\n"},
		"brief and quiet: titles": {Options{Quiet: true}, model.Document{Head: model.Head{Total: 2, Brief: true}, Sections: two,
			Tail: model.Tail{Headline: headline}},
			"2 objects\nrefused\nchanged\n"},
		"a narrow terminal wraps titles": {Options{Width: 40, Fit: true}, model.Document{Head: model.Head{Total: 1},
			Sections: []model.Section{{Title: model.Say("one two three four five six seven eight nine")}}},
			"one two three four five six seven eight\n    nine\n"},
	} {
		if diff := cmp.Diff(tt.want, play(t, tt.d, tt.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWriterHolds: few sections wait for the headline; of many the first are shown as they
// come, and the headline is behind them.
func TestWriterHolds(t *testing.T) {
	d := model.Document{Head: model.Head{Total: 9}, Tail: model.Tail{Headline: []model.Text{model.Say("headline")}}}
	for i := range 9 {
		d.Sections = append(
			d.Sections,
			model.Section{Title: model.Text{model.Plain.Of(fmt.Sprint(i) + strings.Repeat("x", maxHeld/5))}},
		)
	}
	got := play(t, d, Options{})
	if !strings.HasPrefix(got, "0xx") || !strings.HasSuffix(got, "x\n\nheadline\n") {
		t.Errorf("begins with %.9q, ends with %q", got, got[len(got)-12:])
	}
	if titles := strings.Count(got, "x\n"); titles != 9 {
		t.Errorf("%d of 9 sections", titles)
	}
	if got := play(t, model.Document{Head: d.Head, Sections: d.Sections[:4], Tail: d.Tail}, Options{}); !strings.HasPrefix(
		got,
		"headline\n\n0xx",
	) {
		t.Errorf("a few begin with %.20q", got)
	}
}

// TestRemarks: standard error says what formats for programs leave out, and no more.
func TestRemarks(t *testing.T) {
	refused := section("refused", model.Decision, model.Refused)
	noted := section("noted", model.Change, model.Accepted)
	noted.Notes = []model.Text{model.Say("a note")}
	d := model.Document{
		Head: model.Head{Problems: []model.Problem{{Message: "unread"}}},
		Sections: []model.Section{refused, noted,
			{Notes: []model.Text{model.Say("of no object")}}},
		Tail: model.Tail{Headline: []model.Text{model.Say("interrupted")}},
	}
	for quiet, want := range map[bool]string{
		false: "error: unread\nerror: refused\n  of refused\nnote: noted: a note\nnote: of no object\ninterrupted\n",
		true:  "error: unread\nerror: refused\n  of refused\nnote: noted: a note\nnote: of no object\n",
	} {
		var out bytes.Buffer
		if err := Remarks(&out, d, Options{Quiet: quiet}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("quiet %v (-want +got):\n%s", quiet, diff)
		}
	}
}
