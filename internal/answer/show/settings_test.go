package show

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/test/golden"
)

const ruling = "2 differences of 1 object left out by ignore: .spec (.ssactl.yaml:3)."

// ruled are results of a run with a setting that rules them.
func ruled(results ...report.Result) report.Report {
	doc := report.New(golden.RunOf("v1.36.3"), results)
	doc.Settings = []report.Setting{{Name: "ignore", Values: []string{".spec"},
		Source: report.Source{File: ".ssactl.yaml", Line: 3}, LeftOut: 2, Objects: 1, Message: ruling}}
	return doc
}

// TestSettingsFirst: every format with a place for it begins with the settings that rule the
// answers, of one object and of several, quietly too; the others say that they have none.
func TestSettingsFirst(t *testing.T) {
	one, two := ruled(unchanged()), ruled(unchanged(), named(configured(), "b"))
	for _, f := range Formats() {
		shows, is := f.New(&bytes.Buffer{}, Options{}).(stream.Ruled)
		has := is && shows.ShowsSettings()
		if want := !slices.Contains([]string{"yaml", "json", "name", "json-patch"}, f.Name); has != want {
			t.Errorf("%s shows settings: %t, want %t", f.Name, has, want)
		}
		for _, quiet := range []bool{false, true} {
			for name, doc := range map[string]report.Report{"one": one, "two": two} {
				text := rendered(t, f.Name, doc, Options{Quiet: quiet})
				if !has {
					if strings.Contains(text, ruling) {
						t.Errorf("%s, %s: %s", f.Name, name, text)
					}
					continue
				}
				lines := strings.Split(text, "\n")
				first := map[string]int{
					"markdown": 1, "junit": 1, "codequality": 2, "brief": 4,
					"html": len(lines) - 1, "sarif": len(lines) - 1, "report": len(lines) - 1,
				}
				if at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, ruling) }); at < 0 ||
					at > first[f.Name] {
					t.Errorf("%s, %s, quiet %t: the setting is on line %d of\n%.600s", f.Name, name, quiet, at+1, text)
				}
			}
		}
	}
}

// TestSettingsOfAnswers: documents of other commands begin with them, too, behind what they
// begin with.
func TestSettingsOfAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		lead []model.Text
		want string
	}{
		"a sentence":     {[]model.Text{model.Say("Nothing is wrong.")}, "Nothing is wrong. " + ruling},
		"no full stop":   {[]model.Text{model.Say("1 warning on 1 object")}, "1 warning on 1 object. " + ruling},
		"no lead at all": {nil, ruling},
	} {
		a := Answer{
			View: func(page.Options) model.Document { return model.Document{Head: model.Head{Title: "T", Lead: c.lead}} },
		}
		o := Options{}
		o.Settings = ruled().Settings
		for _, format := range []string{"text", "markdown", "html", "github", "sarif", "junit"} {
			var out bytes.Buffer
			if err := a.Write(&out, format, o); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), ruling) {
				t.Errorf("%s, %s: %s", format, name, out.String())
			}
			if first, _, _ := strings.Cut(out.String(), "\n"); format == "text" && first != c.want {
				t.Errorf("%s: %q, want %q", name, first, c.want)
			}
		}
	}
}
