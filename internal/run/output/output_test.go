package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/files/writeback"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/render/stream"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/input"
	"github.com/ssactl/ssactl/internal/run/iostreams"
)

// says reports whether an error has a text, or there is none where none is wanted.
func says(err error, text string) bool {
	if text == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), text)
}

// quietly gives an app, and what it prints.
func quietly(env map[string]string) (a *app.App, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	streams := iostreams.New(strings.NewReader(""), out, errs, func(name string) string { return env[name] })
	return &app.App{Streams: streams, Secrets: redact.New()}, out, errs
}

// write makes files in a folder, and gives it.
func write(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	for _, name := range names {
		name = filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("a: b\n"), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestParseOutputs: each -o is a format and a place, and no two have the same place.
func TestParseOutputs(t *testing.T) {
	for name, c := range map[string]struct {
		given []string
		want  string
		err   string
	}{
		"one":              {given: []string{"text"}, want: "text>"},
		"to a file":        {given: []string{"text", "json=out.json"}, want: "text> json>out.json"},
		"to -":             {given: []string{"json=-"}, want: "json>"},
		"no file":          {given: []string{"json="}, err: `"json=" names no file after the equals sign`},
		"no such format":   {given: []string{"xml"}, err: `unknown output format "xml": use one of text, json`},
		"both to standard": {given: []string{"text", "json"}, err: "text and json both go to standard output: write one as json=FILE"},
		"both to a file":   {given: []string{"text=a", "json=a"}, err: "text and json both go to a: write one as json=FILE"},
	} {
		outputs, err := parseOutputs(c.given, []string{"text", "json"})
		var got []string
		for _, o := range outputs {
			got = append(got, o.Format.Name+">"+o.file)
		}
		if strings.Join(got, " ") != c.want || !says(err, c.err) {
			t.Errorf("%s: %v, %v, want %s, %q", name, got, err, c.want, c.err)
		}
	}
}

// TestOutputsKeepInputs: an output takes the place of no input, of no other output, and of
// nothing that is to be kept, by whatever name.
func TestOutputsKeepInputs(t *testing.T) {
	dir := write(t, "m.yaml", "live.yaml", "kept.yaml", "other.txt")
	if err := os.Symlink(filepath.Join(dir, "m.yaml"), filepath.Join(dir, "link.yaml")); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	in := &input.Flags{Filenames: []string{"m.yaml"}, Live: []string{"live.yaml", "-"}}
	for name, c := range map[string]struct {
		files []string
		err   string
	}{
		"standard output":            {files: []string{""}},
		"a new file":                 {files: []string{"new.txt"}},
		"another file":               {files: []string{"other.txt"}},
		"a device twice":             {files: []string{os.DevNull, os.DevNull}},
		"the manifest":               {files: []string{"m.yaml"}, err: "--output text=m.yaml would replace the input m.yaml"},
		"the live file, by its path": {files: []string{filepath.Join(dir, "live.yaml")}, err: "would replace the input live.yaml"},
		"the manifest, by a link":    {files: []string{"link.yaml"}, err: "would replace the input m.yaml"},
		"what is kept":               {files: []string{"./kept.yaml"}, err: "would be written to the same file as kept.yaml"},
		"one file twice": {files: []string{"new.txt", "./new.txt"},
			err: "text=./new.txt would be written to the same file as new.txt"},
		"one file twice, by a link": {files: []string{"m.yaml", "link.yaml"}, err: "text=link.yaml would be written to the same file as m.yaml"},
	} {
		var outputs []Output
		for _, file := range c.files {
			outputs = append(outputs, Output{Format: show.Format{Name: "text"}, file: file})
		}
		if err := refuseInputs(outputs, in, "kept.yaml"); !says(err, c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
	}
}

// TestRefuseSpecial: devices and what is open are not written as files, be it by links.
func TestRefuseSpecial(t *testing.T) {
	dir := write(t, "a.yaml")
	for name, to := range map[string]string{"stdout": "/dev/stdout", "null": os.DevNull, "round": filepath.Join(dir, "round")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, refused := range map[string]bool{"": false, "a.yaml": false, "new.yaml": false, ".": false, "stdout": true, "null": true,
		"round": false} {
		path := name
		if path != "" {
			path = filepath.Join(dir, name)
		}
		want := ""
		if refused {
			want = "--to " + path + ": nothing can take the place of a device"
		}
		if err := RefuseSpecial("--to", path); !says(err, want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

// TestFolders: a folder that is written as a whole has no input and no other output in it.
func TestFolders(t *testing.T) {
	dir := write(t, "out/in.yaml", "real.yaml", "other/o.yaml")
	if err := os.Symlink(filepath.Join(dir, "real.yaml"), filepath.Join(dir, "out", "link.yaml")); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(dir, "out")
	for name, refused := range map[string]bool{"out/in.yaml": true, "out/link.yaml": true, "other/o.yaml": false, "out/../real.yaml": false} {
		file, want := filepath.Join(dir, filepath.FromSlash(name)), ""
		if refused {
			want = "--output-dir " + out + " would replace the input"
		}
		if err := RefuseInputsIn(out, &input.Flags{Filenames: []string{file}}); !says(err, want) {
			t.Errorf("input %s: %v, want %q", name, err, want)
		}
	}
	if err := RefuseInputsIn(filepath.Join(dir, "none"), &input.Flags{Filenames: []string{filepath.Join(dir, "none", "x")}}); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
	outputs := []Output{{}, {Format: show.Format{Name: "json"}, file: filepath.Join(dir, "x.json")}}
	if err := RefuseOutputsIn(out, outputs); err != nil {
		t.Errorf("outputs elsewhere: %v", err)
	}
	outputs[1].file = filepath.Join(out, "x.json")
	if err := RefuseOutputsIn(out, outputs); !says(
		err,
		"--output json="+outputs[1].file+" would be written into --output-dir "+out,
	) {
		t.Errorf("an output in the folder: %v", err)
	}
}

// TestNewFile checks --write-new: it needs --write, and is no input but a live file.
func TestWriteNew(t *testing.T) {
	dir := write(t, "m.yaml", "live.yaml")
	in := &input.Flags{Filenames: []string{filepath.Join(dir, "m.yaml")}, Live: []string{filepath.Join(dir, "live.yaml")}}
	for name, c := range map[string]struct {
		flags FileFlags
		err   string
	}{
		"nothing":         {},
		"without --write": {FileFlags{NewFile: "x"}, "--write-new works only with --write"},
		"a new file":      {FileFlags{WriteIn: true, NewFile: filepath.Join(dir, "x.yaml")}, ""},
		"a live file":     {FileFlags{WriteIn: true, NewFile: filepath.Join(dir, "live.yaml")}, ""},
		"a manifest":      {FileFlags{WriteIn: true, NewFile: filepath.Join(dir, "m.yaml")}, "would write into the input"},
		"a device":        {FileFlags{WriteIn: true, NewFile: os.DevNull}, "nothing can take the place of a device"},
	} {
		if err := c.flags.Check(in); !says(err, c.err) {
			t.Errorf("%s: %v, want %q", name, err, c.err)
		}
	}
}

// TestUnwritten: each reason why nothing was written comes with what to do.
func TestUnwritten(t *testing.T) {
	for want, err := range map[string]error{
		"":                                      nil,
		"name one with --write-new FILE":        writeback.ErrNoNewFile,
		"give the objects as a file":            writeback.ErrStandardInput,
		"give the file as --live too":           writeback.ErrExists,
		"run the command again, so that it":     atomic.ErrChanged,
		"as the user who has the file":          atomic.ErrNotKept,
		"wait until it is done":                 atomic.ErrLocked,
		"the next run that reads these files":   &atomic.SwapError{Err: atomic.ErrChanged, Lost: []atomic.LostFile{{Target: "a"}}},
		"disk full":                             errors.New("disk full"),
		"put back: a; nothing was written: run": &atomic.SwapError{Err: atomic.ErrChanged, Restored: []string{"a"}},
	} {
		if err != nil {
			err = fmt.Errorf("write a: %w", err)
		}
		if got := Unwritten(err); !says(got, want) || !errors.Is(got, err) {
			t.Errorf("%v becomes %v, want %q", err, got, want)
		}
	}
}

// TestWriteBack: a plan is carried out where the verdict is good, and reports its files.
func TestWriteBack(t *testing.T) {
	dir := write(t)
	file := filepath.Join(dir, "cm.yaml")
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: %s\n"
	if err := os.WriteFile(file, fmt.Appendf(nil, text, "old"), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := &writeback.Plan{}
	o := &live.Object{Document: manifest.Document{Source: manifest.Source{File: file, Document: 1}}}
	plan.Replace(
		PlaceOf(o),
		map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"},
			"data": map[string]any{"k": "new"}},
	)
	for _, c := range []struct {
		verdict       error
		written, said string
	}{
		{app.ErrNo, "old", "nothing was written, since it is refused\n"},
		{nil, "new", "wrote " + file + "\n"},
		{nil, "new", ""},
	} {
		a, _, errs := quietly(nil)
		if err := WriteBack(context.Background(), a, plan, c.verdict, "it is refused"); !errors.Is(err, c.verdict) {
			t.Errorf("verdict %v, want %v", err, c.verdict)
		}
		if err := a.Streams.Flush(); err != nil || errs.String() != c.said {
			t.Errorf("it says %q, want %q (%v)", errs, c.said, err)
		}
		if got, _ := os.ReadFile(file); !strings.Contains(string(got), "  k: "+c.written+"\n") {
			t.Errorf("the file is %q, want %s", got, c.written)
		}
	}
	o.Item = 3
	if at := PlaceOf(o); at.Item != 2 || at.File != file || at.Document != 1 {
		t.Errorf("the third item is at %v", at)
	}
}

// TestSheetErrors: a reader that has gone away is no error beside others.
func TestSheetErrors(t *testing.T) {
	gone, full := fmt.Errorf("write: %w", syscall.EPIPE), errors.New("disk full")
	for _, c := range []struct {
		errs []error
		want error
	}{{nil, nil}, {[]error{nil, nil}, nil}, {[]error{gone, nil}, gone}, {[]error{gone, full}, full}} {
		var sheets []*sheet
		for _, err := range c.errs {
			sheets = append(sheets, &sheet{err: err})
		}
		if got := sheetErrors(sheets); !errors.Is(got, c.want) || errors.Is(c.want, full) && errors.Is(got, gone) {
			t.Errorf("of %v: %v, want %v", c.errs, got, c.want)
		}
	}
}

// flagged are the checked flags of a write, as they are typed.
func flagged(t *testing.T, args ...string) *WriteFlags {
	t.Helper()
	f := &WriteFlags{}
	cmd := &cobra.Command{}
	f.Add(cmd)
	if err := errors.Join(cmd.ParseFlags(args), f.Check(&input.Flags{})); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDetail: only what is shown is worked out.
func TestDetail(t *testing.T) {
	for _, c := range []struct {
		args    []string
		objects int
		want    engine.Detail
	}{
		{nil, 1, engine.DetailAll}, {nil, 2, engine.DetailOutcome}, {[]string{"-v"}, 2, engine.DetailOutcome}, {[]string{"-vv"}, 2, engine.DetailAll},
		{[]string{"-o", "yaml"}, 1, engine.DetailOutcome}, {[]string{"-o", "report"}, 2, engine.DetailAll},
		{[]string{"-o", "name", "-o", "json=x"}, 2, engine.DetailOutcome}, {[]string{"-o", "name", "-o", "html=x"}, 2, engine.DetailAll},
		{[]string{"-o", "name", "--ignore-field", ".spec.replicas"}, 2, engine.DetailAll},
	} {
		if got := flagged(t, c.args...).Detail(c.objects); got != c.want {
			t.Errorf("%q of %d objects: %v, want %v", c.args, c.objects, got, c.want)
		}
	}
}

// TestCountsRisks: next to objects alone, risks are counted, unless they fail the run.
func TestCountsRisks(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{nil, false}, {[]string{"-o", "name"}, true}, {[]string{"-o", "yaml", "-o", "diff=x"}, true},
		{[]string{"-o", "name", "-o", "report=x"}, false}, {[]string{"-o", "name", "-v"}, false},
		{[]string{"-o", "name", "--fail-on", "risky"}, false},
	} {
		if got := flagged(t, c.args...).CountsRisks(); got != c.want {
			t.Errorf("%q: %v, want %v", c.args, got, c.want)
		}
	}
}

// TestCheck: wrong flags of an answer are found before anything is read.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ arg, err string }{
		{"--output=xml", "--output: unknown output format"}, {"--color=blue", "--color: unknown color mode"},
		{"--max-bytes=3", "--max-bytes 3: no comment fits"}, {"--ignore-field=[", "--ignore-field:"},
		{"--fail-on=such", `--fail-on "such": use one of risky, error, warning, note, never`}, {"--max-bytes=0", ""},
		{"--fail-on=risky,never", ""},
	} {
		f, cmd := &WriteFlags{}, &cobra.Command{}
		f.Add(cmd)
		if err := errors.Join(cmd.ParseFlags([]string{c.arg}), f.Check(&input.Flags{})); !says(err, c.err) {
			t.Errorf("%s: %v, want %q", c.arg, err, c.err)
		}
	}
}

// TestStepSummary: in a GitHub workflow the github format comes with the step's summary.
func TestStepSummary(t *testing.T) {
	summary := filepath.Join(write(t, "summary.md"), "summary.md")
	a, _, _ := quietly(map[string]string{"GITHUB_STEP_SUMMARY": summary})
	if got := withStepSummary(a, flagged(t).Outputs); len(got) != 1 {
		t.Errorf("with the text format: %d outputs", len(got))
	}
	outputs := withStepSummary(a, flagged(t, "-o", "github").Outputs)
	if len(outputs) != 2 || outputs[1].Format.Name != "markdown" || outputs[1].file != summary {
		t.Fatalf("outputs are %v", outputs)
	}
	s := openSheet(a, outputs[1], show.Options{Width: 80, Color: true})
	s.do(func() error { _, err := io.WriteString(s.text, "# more\n"); return err })
	if s.finish(); s.err != nil || s.options.Color || s.options.Width != 0 || s.options.MaxBytes != stepSummaryBytes {
		t.Errorf("%v, options %+v", s.err, s.options)
	}
	if text, _ := os.ReadFile(summary); string(text) != "a: b\n# more\n" {
		t.Errorf("the summary is %q", text)
	}
}

// TestFailedSheet: an output that fails gets nothing more, and its file stays.
func TestFailedSheet(t *testing.T) {
	a, _, _ := quietly(nil)
	dir := write(t, "page.html")
	for name, want := range map[string]string{"page.html": "render html: odd", "none/page.html": "write html: open"} {
		s := openSheet(a, Output{Format: show.Format{Name: "html"}, file: filepath.Join(dir, name)}, show.Options{})
		s.render(func() error { return errors.New("odd") })
		s.do(func() error { t.Error("it goes on after an error"); return nil })
		s.finish()
		if s.place.Discard(); !says(s.err, want) {
			t.Errorf("%s: %v, want %q", name, s.err, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "page.html")); string(text) != "a: b\n" {
		t.Errorf("the file is %q", text)
	}
	if _, err := (nowhere{}).Write(nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("what has no place is written: %v", err)
	}
}

// counting shows how often it is called.
type counting struct {
	w    io.Writer
	fail error
}

func (c counting) Begin(stream.Start) error                  { _, err := io.WriteString(c.w, "begin "); return err }
func (c counting) Part(r report.Result) (stream.Part, error) { return r.Target.Name, c.fail }
func (c counting) Add(p stream.Part) error                   { _, err := fmt.Fprintf(c.w, "%v ", p); return err }
func (c counting) End(e stream.Ending) error {
	_, err := fmt.Fprintf(c.w, "end %d, %d unmatched", e.Report.Summary.Total, *e.Report.Summary.Unmatched)
	return err
}

// TestDisplay: results are shown in their order in each output, until none is left; risks
// and missed fields are counted.
func TestDisplay(t *testing.T) {
	file := filepath.Join(write(t), "out.txt")
	format := func(fail error) show.Format {
		return show.Format{Name: "counting", Refusals: true,
			New: func(w io.Writer, _ show.Options) stream.Stream { return counting{w, fail} }}
	}
	a, out, _ := quietly(nil)
	f := flagged(t, "--ignore-field", ".spec.none", "--fail-on", "error")
	f.Outputs = []Output{{Format: format(nil)}, {Format: format(errors.New("odd")), file: file}}
	d := NewDisplay(a, f, show.Options{})
	defer d.Close()
	if err := d.Begin(stream.Start{Total: 2}); err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	for _, name := range []string{"b", "a"} {
		answers = append(
			answers,
			d.Answer(report.Result{Target: report.Target{Kind: "ConfigMap", Name: name}, Outcome: report.Unchanged,
				Object: map[string]any{"kind": "ConfigMap"},
				Risks:  []report.Finding{{Rule: "r", Severity: report.SeverityError}}}),
		)
	}
	for _, answer := range answers {
		if err := d.Show(answer); err != nil {
			t.Errorf("one output is left, and yet: %v", err)
		}
	}
	unmatched := 3
	if err := d.End(report.Report{Summary: report.Summary{Unmatched: &unmatched}}); !says(err, "render counting: odd") {
		t.Errorf("the other output fails with %v", err)
	}
	if err := a.Streams.Flush(); err != nil || out.String() != "begin b a end 2, 3 unmatched" {
		t.Errorf("shown is %q (%v)", out, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a failed output has a file: %v", err)
	}
	if !slices.Equal(d.Missed, []string{".spec.none"}) || !errors.Is(d.RiskVerdict(), app.ErrRisky) ||
		d.Tally.Summary.Total != 2 {
		t.Errorf("missed %q, verdict %v, %d results", d.Missed, d.RiskVerdict(), d.Tally.Summary.Total)
	}
}

// TestDisplayMasks: an object with a value of a Secret waits for its turn, and is masked.
func TestDisplayMasks(t *testing.T) {
	a, out, errs := quietly(nil)
	object := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s"},
		"data": map[string]any{"password": "aHVudGVyMg=="}}
	a.Secrets.Learn(object)
	d := NewDisplay(a, flagged(t, "-o", "json"), show.Options{})
	defer d.Close()
	if err := d.Begin(stream.Start{Total: 1}); err != nil {
		t.Fatal(err)
	}
	answer := d.Answer(
		report.Result{Target: report.Target{APIVersion: "v1", Kind: "Secret", Name: "s"}, Outcome: report.Configured,
			Code: 200, Object: object},
	)
	if answer.parts != nil {
		t.Error("it is shown before it is masked")
	}
	if err := errors.Join(d.Show(answer), d.End(report.Report{}), a.Streams.Flush()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "aHVudGVyMg") || !strings.Contains(out.String(), `"password"`) ||
		!strings.Contains(errs.String(), "1 value of a Secret is masked") {
		t.Errorf("shown is %s\nand said %s", out, errs)
	}
}

// TestPrint: an answer is printed in its format, with the one live file that there is.
func TestPrint(t *testing.T) {
	for _, format := range []string{"json", "text"} {
		a, out, errs := quietly(nil)
		f, cmd := &AnswerFlags{}, &cobra.Command{}
		f.AddOf(cmd, "text", "json")
		if err := errors.Join(cmd.ParseFlags([]string{"-o", format}), f.Check(&input.Flags{})); err != nil {
			t.Fatal(err)
		}
		err := f.Print(a, time.Time{}, []string{"live.yaml"}, func(w io.Writer, name string, o show.Options) error {
			_, err := fmt.Fprintf(w, "%s of %s", name, o.LiveFile)
			return err
		})
		if err := errors.Join(err, a.Streams.Flush()); err != nil || out.String() != format+" of live.yaml" {
			t.Errorf("%s: %q, %v", format, out, err)
		}
		if o, shown := onStandardOutput(f.Outputs); !shown || o.Format.Name != format || errs.Len() > 0 {
			t.Errorf("%s is not on standard output, but %v; said is %q", format, o, errs)
		}
	}
	if _, shown := onStandardOutput([]Output{{file: "a"}}); shown {
		t.Error("a file is taken for standard output")
	}
}

// TestFindingFlags: rules are checked by name, and findings decide the exit code.
func TestFindingFlags(t *testing.T) {
	rules := finding.Rules{{Name: "odd", Title: "It is odd."}}
	for _, c := range []struct {
		args []string
		err  string
	}{
		{nil, ""}, {[]string{"--rule", "o*", "--fail-on", "odd"}, ""},
		{[]string{"--rule", "even"}, `--rule, --skip-rule: no rule is named "even"`}, {[]string{"--fail-on", "even"}, `--fail-on "even"`},
		{[]string{"--suppressions", "none.yaml"}, "--suppressions: open none.yaml"},
	} {
		f, cmd := &FindingFlags{}, &cobra.Command{}
		f.Add(cmd, rules)
		if err := errors.Join(cmd.ParseFlags(c.args), f.Check(rules)); !says(err, c.err) {
			t.Errorf("%q: %v, want %q", c.args, err, c.err)
		}
		if failing := f.Counting(); c.err == "" && failing.Default != (len(c.args) == 0) {
			t.Errorf("%q: --fail-on was given: %v", c.args, !failing.Default)
		}
	}
	met := &report.FailOn{Errors: 1}
	f := &FindingFlags{}
	for _, c := range []struct {
		report finding.Report
		want   error
	}{
		{finding.Report{}, nil},
		{reported(met, nil), app.ErrNo},
		{reported(met, []report.Problem{{Message: "unread"}}), app.ErrTrouble},
	} {
		if got := f.VerdictOn(c.report); !errors.Is(got, c.want) || got != nil && c.want == nil {
			t.Errorf("verdict %v, want %v", got, c.want)
		}
	}
}

func reported(failing *report.FailOn, problems []report.Problem) finding.Report {
	var r finding.Report
	r.FailOn, r.Problems = failing, problems
	return r
}
