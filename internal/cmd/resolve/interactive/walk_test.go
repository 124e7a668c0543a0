package interactive

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
)

var update = flag.Bool("update", false, "write the screens")

func say(text string) []model.Block { return []model.Block{model.Paragraph{Text: model.Say(text)}} }

// questions are a conflict in full, one whose live value cannot be used, and a risk.
func questions() []Question {
	of := model.Textf("%v (namespace shop) as %v", model.Strong.Of("deployment.apps/web"), model.Manager.Of("helm"))
	stop := Option{
		Choice:      StopManaging,
		Name:        "Stop managing",
		Text:        model.Say("accepted; the live value stays"),
		Recommended: true,
		Blocks: []model.Block{
			model.Paragraph{Text: model.Say("then 5, owned by kube-controller-manager (Update of scale)")},
			model.Diff{Lines: []model.DiffLine{{Kind: model.Removed, Text: model.Say("  replicas: 3")}}},
		},
	}
	live := Option{
		Choice: UseLiveValue,
		Name:   "Use the live value",
		Text:   model.Say("accepted; write the live value"),
		Blocks: say("then 5, owned by helm (you), kube-controller-manager (Update of scale)"),
	}
	force := Option{
		Choice: Force,
		Name:   "Force",
		Text:   model.Say("accepted; your value is stored"),
		Blocks: say("The horizontal pod autoscaler may set it back at once, and then everything begins anew."),
	}
	impossible := Option{
		Choice: UseLiveValue,
		Name:   "Use the live value",
		Text:   model.Say("not possible: nothing is stored for the field"),
		Off:    true,
	}
	keep := Option{Choice: Keep, Name: "Keep", Text: model.Say("the apply would succeed; leave the manifest as it is")}
	unadvised := stop
	unadvised.Recommended = false
	return []Question{
		{
			Of:       of,
			Title:    model.Text{model.Field.Of(".spec.replicas"), model.Faint.Of(", web.yaml:7")},
			File:     "web.yaml",
			Identity: []string{"replicas"},
			Facts: []model.Block{
				model.List{
					Items: []model.Item{
						{Label: model.Say("yours"), Text: model.Say("3")},
						{Label: model.Say("live"), Text: model.Text{model.Value.Of("5\x1b[2J")}},
					},
				},
			},
			Options: []Option{
				stop,
				live,
				force,
			},
			Advice: say("Recommended: stop managing the field. The autoscaler decides its value."),
		},
		{
			Of:       of,
			Title:    model.Text{model.Field.Of(".spec.paused")},
			File:     "web.yaml",
			Identity: []string{"paused"},
			Options:  []Option{unadvised, impossible},
		},
		{
			Of:       of,
			Title:    model.Text{model.Field.Of(".spec.template")},
			File:     "web.yaml",
			Identity: []string{"risk"},
			Facts:    say("Risky: it is replaced."),
			Options:  []Option{keep},
		},
	}
}

// preview shows how many questions are decided, and edits where something is left
// out of the manifest.
func preview(d Decisions) Review {
	r := Review{Blocks: say(fmt.Sprintf("%d decided", len(d)))}
	for _, choice := range d {
		r.Writes = r.Writes || choice == StopManaging
	}
	return r
}

// TestScreens: the screens that keys lead to, on a narrow and on a wide terminal.
func TestScreens(t *testing.T) {
	cases := []struct{ name, keys string }{
		{"first", ""},
		{"below", "end"},
		{"impossible", "s l"},
		{"nothing_recommended", "s enter"},
		{"risk", "s s"},
		{"decided", "s b"},
		{"review", "enter a k"},
		{"review_of_nothing", "a a a"},
	}
	for _, c := range cases {
		for _, width := range []int{60, 100} {
			w := press(NewWalk(questions(), nil, preview).Resize(Size{Width: width, Height: 20}), c.keys)
			checkScreen(t, filepath.Join("testdata", c.name+"_"+strconv.Itoa(width)+".text"), w.View())
		}
	}
}

func press(w Walk, keys string) Walk {
	for _, key := range strings.Fields(keys) {
		w = w.Press(key)
	}
	return w
}

func checkScreen(t *testing.T, file, got string) {
	t.Helper()
	got += "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", file, diff)
	}
}

// TestFits: no screen is wider or higher than the terminal, none has another
// sequence than color, and the keys are always there.
func TestFits(t *testing.T) {
	for width := 1; width < 130; width += 7 {
		for height := 1; height < 40; height += 3 {
			for _, color := range []bool{false, true} {
				w := NewWalk(questions(), nil, preview).Resize(Size{width, height, color})
				for _, key := range strings.Fields("end s space b pgdown s l s k home b end") {
					w = w.Press(key)
					checkFits(t, w, width, height)
				}
			}
		}
	}
}

func checkFits(t *testing.T, w Walk, width, height int) {
	t.Helper()
	lines := strings.Split(w.View(), "\n")
	if len(lines) > height {
		t.Fatalf("%d lines on %d", len(lines), height)
	}
	for _, line := range lines {
		for at := strings.IndexByte(line, 0x1b); at >= 0; at = strings.IndexByte(line, 0x1b) {
			sequence := painted(line[at:])
			if sequence == "" {
				t.Fatalf("another sequence than color: %q", line)
			}
			line = line[:at] + line[at+len(sequence):]
		}
		if !glyph.IsVisible(line) || glyph.Columns(line) > max(width, 2) {
			t.Fatalf("%q on %d columns", line, width)
		}
	}
	if width > 20 && height > 6 && !strings.Contains(strings.ReplaceAll(strings.Join(lines, ""), "\x1b[22m", ""), "quit") {
		t.Fatalf("no keys are shown on %d columns, %d lines:\n%s", width, height, w.View())
	}
}

// TestEndings: how sessions end, and what was decided until then.
func TestEndings(t *testing.T) {
	all := questions()
	replicas, paused, risk := ID(all[0]), ID(all[1]), ID(all[2])
	cases := []struct {
		keys string
		want *Ending
	}{
		{"", nil},
		{"x n b home", nil},
		{"q", &Ending{Kind: Quit, Decided: Decisions{}}},
		{"s ctrl+c", &Ending{Kind: Interrupted, Decided: Decisions{replicas: StopManaging}}},
		{"s e", &Ending{Kind: Edit, File: "web.yaml", Decided: Decisions{replicas: StopManaging}}},
		{"enter s k y", &Ending{Kind: Write, Decided: Decisions{replicas: StopManaging, paused: StopManaging, risk: Keep}}},
		{"s w y", &Ending{Kind: Write, Decided: Decisions{replicas: StopManaging}}},
		{"f w y", nil},
		{"s b f b a q", &Ending{Kind: Quit, Decided: Decisions{}}},
		{"f l q", &Ending{Kind: Quit, Decided: Decisions{replicas: Force}}},
	}
	for _, c := range cases {
		w := press(NewWalk(all, nil, preview), c.keys)
		if diff := cmp.Diff(c.want, w.Ending()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.keys, diff)
		}
	}
}

// TestGoesOn: a session begins at the first open question. A decision that cannot be
// made any more, or is about something else, is forgotten.
func TestGoesOn(t *testing.T) {
	all := questions()
	before := Decisions{ID(all[0]): Force, ID(all[1]): UseLiveValue, "other": Keep}
	w := NewWalk(all, before, preview)
	if !strings.Contains(w.View(), "2 of 3") {
		t.Errorf("begins elsewhere:\n%s", w.View())
	}
	want := Decisions{ID(all[0]): Force}
	if diff := cmp.Diff(want, w.Press("q").Ending().Decided); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if w := NewWalk(all[:1], before, preview); !w.reviewing() {
		t.Errorf("all is decided, and yet it asks:\n%s", w.View())
	}
}

// TestConfirm: a text that cannot be read is not written.
func TestConfirm(t *testing.T) {
	for _, c := range []struct {
		wrong bool
		key   string
		want  Answer
	}{{false, "y", Yes}, {true, "y", Unanswered}, {true, "n", No}, {false, "e", Again}, {false, "ctrl+c", Abort}, {false, "space", Unanswered}} {
		confirm := Confirm{
			Title:  model.Say("Your edit"),
			Blocks: say("-a"),
			Wrong:  c.wrong,
		}.Resize(
			Size{Width: 60, Height: 10},
		)
		if got := confirm.Press(c.key).Answer; got != c.want {
			t.Errorf("%v, %s: %v, want %v", c.wrong, c.key, got, c.want)
		}
	}
}
