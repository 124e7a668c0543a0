package formats

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ssactl/ssactl/internal/answer/fixes"
	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/safetext"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

// AnswerCase is what a command answers of hand-written objects, in a format; of
// "remarks" it is what stands on standard error beside a format for programs.
type AnswerCase[T any] struct {
	Name, Format string
	Options      show.Options
	Objects      []T
}

var pageStyleSheet = regexp.MustCompile(`(?s)<style>.*</style>|<script>.*</script>|sha256-[^']*`)

// CheckAnswers compares each, as it is printed, with testdata/NAME.FORMAT. Of
// pages, the style sheet is left out.
func CheckAnswers[T any](t *testing.T, answer func([]T) show.Answer, cases []AnswerCase[T]) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name+"."+c.Format, func(t *testing.T) {
			c.Options.Now = golden.Now
			var got bytes.Buffer
			a := answer(c.Objects)
			err := error(nil)
			if c.Format == "remarks" {
				err = a.Remarks(safetext.NewWriter(&got, show.ReadingOf("text", c.Options)), c.Options)
			} else {
				err = a.Write(safetext.NewWriter(&got, show.ReadingOf(c.Format, c.Options)), c.Format, c.Options)
			}
			if err != nil {
				t.Fatal(err)
			}
			text := got.String()
			if c.Format == "html" {
				text = pageStyleSheet.ReplaceAllString(text, "")
			}
			NothingActs(t, c.Options, text)
			golden.CheckGolden(t, c.Name+"."+c.Format, text)
		})
	}
}

// NothingActs fails where a text would act on a terminal.
func NothingActs(t *testing.T, o show.Options, text string) {
	t.Helper()
	for i, l := range strings.Split(text, "\n") {
		if !o.Color && !glyph.IsVisible(l) {
			t.Errorf("line %d acts: %q", i+1, l)
		}
	}
}

// InEveryWidth checks a text for narrow, normal and wide terminals, with and
// without color.
func InEveryWidth(t *testing.T, name string, print func(show.Options) (string, error)) {
	t.Helper()
	for _, width := range []int{60, 80, 160} {
		for _, color := range []string{"", "_color"} {
			got, err := print(
				show.Options{Width: width, Color: color != "", Now: golden.Now, Call: fixes.Call{LiveFile: "live.yaml"}},
			)
			if err != nil {
				t.Fatal(err)
			}
			golden.CheckGolden(t, name+"_"+strconv.Itoa(width)+color+".text", got)
		}
	}
}

// Ago is a time before that of all goldens.
func Ago(d time.Duration) *time.Time {
	at := golden.Now.Add(-d)
	return &at
}

// Held is an owner of a field.
func Held(manager, operation, subresource string, at *time.Time) conflict.Owner {
	w := report.Writer{Manager: manager, Operation: operation, Subresource: subresource, APIVersion: "apps/v1", Time: at}
	return conflict.Owner{Writer: w, ManagerKind: writers.ManagerKindOf(w, "argocd-controller")}
}

// Says fails where an answer in a format does not have a text.
func Says(t *testing.T, a show.Answer, format string, o show.Options, want string) {
	t.Helper()
	var got bytes.Buffer
	if err := a.Write(&got, format, o); err != nil || !strings.Contains(got.String(), want) {
		t.Errorf("%s: %v, no %q in\n%s", format, err, want, got.String())
	}
}
