// Package app is what all commands share: streams, the masks of Secrets, settings, exit
// codes.
package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ssactl/ssactl/internal/answer/show"
	"github.com/ssactl/ssactl/internal/files/atomic"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/jsontree"
	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/internal/run/progress"
	"github.com/ssactl/ssactl/internal/run/settings"
	"github.com/ssactl/ssactl/internal/shell"
)

// App is what every command shares.
type App struct {
	Streams *iostreams.IOStreams
	// Bar is nil where nobody is shown how far a run is.
	Bar *progress.Bar
	// Secrets masks the values of Secrets in whatever is shown.
	Secrets *redact.Masker
	// Configured are the flags that settings have set.
	Configured map[string]bool
	// Given are the paths that the run reads, as they were named.
	Given []string
	// Inferred: the live objects say who the field manager is.
	Inferred bool
	// Client is what is said of the client behind the field manager; empty for nothing.
	Client string
	// Sender are the flags that say whose requests are simulated.
	Sender []shell.Flag
	// Config is the file with the settings; empty to look for it, NoConfig for none.
	Config string
	// Settings rule the answers, and may be a part of what is answered for: every format
	// begins with them. Ignoring are the fields that a setting leaves out, whose differences
	// are counted; nil without.
	Settings []report.Setting
	Ignoring *report.Setting
}

// NoConfig is the value of --config for no file.
const NoConfig = "none"

// Rule notes a setting that rules the answers, once.
func (a *App) Rule(s report.Setting) {
	if !slices.ContainsFunc(a.Settings, func(other report.Setting) bool { return other.Message == s.Message }) {
		a.Settings = append(a.Settings, s)
	}
}

// Words are the flags, as they are typed, that say where settings are.
func (a *App) Words() []shell.Flag {
	switch a.Config {
	case "":
		return nil
	case NoConfig:
		return []shell.Flag{shell.Value("--config", a.Config)}
	}
	return []shell.Flag{shell.File("--config", a.Config)}
}

// Learn has the values of Secrets in a text masked from now on.
func (a *App) Learn(of manifest.Identity, asJSON []byte) {
	if !redact.IsSecret(of.APIVersion, of.Kind) && !redact.MayHold(asJSON) {
		return
	}
	if object, err := jsontree.Decode(asJSON); err == nil {
		a.Secrets.Learn(object)
	}
}

// Commentary is standard error for what is shown with the options, of documents in
// which the values of Secrets are masked. Beyond these it is not searched for them:
// nobody could act on the name of an object in which a value is found by chance.
func (a *App) Commentary(options show.Options) io.Writer {
	return a.Streams.Err.As(show.ReadingOf("text", options)).Masking(nil)
}

// Notice prints remarks on the input on standard error, a line each. They name files,
// objects and field managers, and quote no value.
func (a *App) Notice(texts []string) {
	for _, text := range texts {
		fmt.Fprintf(a.Commentary(show.Options{}), "note: %s\n", glyph.Visible(text))
	}
}

// TellProblems prints on standard error which inputs gave no object.
func (a *App) TellProblems(problems []report.Problem, options show.Options) error {
	return show.Problems(a.Commentary(options), redact.Document(a.Secrets, problems), options)
}

// The exit codes. There are no others.
const (
	ExitDone    = 0 // done, and nothing is refused or found
	ExitNo      = 1 // the answer is no
	ExitTrouble = 2 // no answer could be given
	ExitRefused = 3 // diff only: an object would be refused
)

// Verdict is the error of a run whose answer was printed already.
type Verdict struct{ code int }

func (v Verdict) Error() string { return "the answer is in the output" }

// The verdicts but that all is well.
var (
	ErrNo      = Verdict{ExitNo}
	ErrTrouble = Verdict{ExitTrouble}
	ErrRefused = Verdict{ExitRefused}
	// ErrRisky is no, though everything would be accepted.
	ErrRisky = fmt.Errorf("a risk was met: %w", ErrNo)
)

// Exited is the error of a run that ends as a program that the user named: with its exit code.
func Exited(code int) error {
	if code == ExitDone {
		return nil
	}
	return Verdict{code}
}

// ExitCode derives the exit code of a run from its error.
func ExitCode(err error) int {
	var v Verdict
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &v):
		return v.code
	default:
		return ExitTrouble
	}
}

// VerdictOf is the outcome of a simulated write: trouble where no answer could
// be given for something, else no where something would be refused.
func VerdictOf(doc report.Report) error {
	switch refused, failed := doc.Summary.Decisive(); {
	case failed > 0 || len(doc.Problems) > 0:
		return ErrTrouble
	case refused > 0:
		return ErrNo
	}
	return nil
}

// Configure sets the flags of a command that were not typed from the settings of
// the repository and of the environment. Settings of flags that the command does
// not have are for others.
func (a *App) Configure(cmd *cobra.Command) error {
	list, err := a.settings()
	if err != nil {
		return err
	}
	list = ofClient(cmd.Flags(), list)
	typed := map[string]bool{}
	for _, s := range list {
		flag := cmd.Flags().Lookup(s.Flag)
		if flag == nil {
			continue
		}
		if _, known := typed[s.Flag]; !known {
			typed[s.Flag] = flag.Changed
		}
		if typed[s.Flag] {
			continue
		}
		typed[s.Flag] = true
		if a.Configured == nil {
			a.Configured = map[string]bool{}
		}
		a.Configured[s.Flag] = true
		a.note(s, flag.DefValue)
		for _, value := range s.Values {
			if err := cmd.Flags().Set(s.Flag, value); err != nil {
				return fmt.Errorf("%s: %w", s.Origin, err)
			}
		}
		if verbose, err := cmd.Flags().GetBool("verbose"); err == nil && verbose {
			a.Notice([]string{"set " + s.String()})
		}
	}
	return nil
}

// settings are those of the environment and of the file. The first of a flag counts: those
// of the environment win.
func (a *App) settings() ([]settings.Setting, error) {
	list := settings.FromEnvironment(a.Streams.Getenv)
	if a.Config == "" {
		a.Config = a.Streams.Getenv(settings.Variable(settings.ConfigName))
	}
	dir, err := os.Getwd()
	if err != nil || a.Config == NoConfig {
		return list, nil
	}
	file := a.Config
	if file == "" {
		if file = settings.Find(dir); file == "" {
			return list, nil
		}
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	more, err := settings.FromFile(file, dir)
	return append(list, more...), errors.Join(err, checkClients(more))
}

// loosening are the switches that let a run pass that would be refused, with what they do.
var loosening = map[string]string{
	"force-conflicts": "Conflicts are forced",
	"take-ownership":  "Objects of other releases are taken",
	"assume-absent":   "Objects that the live files leave unknown are taken as absent",
}

// note notes a setting of the repository that leaves differences out, or lets a run pass
// that would fail.
func (a *App) note(s settings.Setting, byDefault string) {
	said := report.Setting{Name: s.Key, Values: s.Values, Source: report.Source{File: s.File, Line: s.Line}}
	strict := func(value string) bool {
		return slices.Contains([]string{report.FailOnRisky, "warning", "note"}, value)
	}
	switch {
	case s.Flag == "ignore-field":
		said.Message = fmt.Sprintf("%s: %s (%s)", s.Key, strings.Join(s.Values, ", "), s.Origin)
		a.Ignoring = &said
	case s.File != "" && loosening[s.Flag] != "" && slices.Contains(s.Values, "true"):
		said.Message = fmt.Sprintf("%s: %s: true (%s).", loosening[s.Flag], s.Key, s.Origin)
		a.Rule(said)
	case s.File != "" && s.Flag == "selector":
		said.Message = fmt.Sprintf("Only objects of the selector %s are answered for (%s).", strings.Join(s.Values, ","), s.Origin)
		a.Rule(said)
	case s.Flag != "fail-on":
	case slices.Contains(s.Values, report.FailOnNever):
		said.Message = fmt.Sprintf("No risk and no finding fails the run: fail-on: never (%s).", s.Origin)
		a.Rule(said)
	case strings.Contains(byDefault, "warning") && !slices.ContainsFunc(s.Values, strict):
		said.Message = fmt.Sprintf("Only fail-on: %s fails the run (%s).", strings.Join(s.Values, ", "), s.Origin)
		a.Rule(said)
	}
}

// LeavesOut is the setting that leaves so many differences of so many objects out.
func (a *App) LeavesOut(differences, objects int) report.Setting {
	said := *a.Ignoring
	said.LeftOut, said.Objects = differences, objects
	said.Message = fmt.Sprintf("%s of %s left out by %s.", words.Count(differences, "difference"),
		words.Count(objects, "object"), said.Message)
	return said
}

// TellRecovered says what became of what killed runs had left.
func (a *App) TellRecovered(recovered []atomic.Recovery) {
	shown := func(paths []string) string {
		var out []string
		for _, path := range paths {
			out = append(out, ShownPath(path))
		}
		return strings.Join(out, ", ")
	}
	var texts []string
	for _, r := range recovered {
		switch {
		case len(r.Finished) > 0:
			texts = append(texts, "finished what a run that was killed had begun to write: "+shown(r.Finished))
		case len(r.Changed) > 0:
			text := "a run was killed while it wrote files, and " + shown(
				r.Changed,
			) + " changed since, so the rest of it was discarded"
			if len(r.Next) > 0 {
				text += "; it had written " + shown(r.Next)
			}
			if len(r.Former) > 0 {
				text += "; it had not written " + shown(r.Former)
			}
			texts = append(texts, text+"; look through them before you go on")
		case r.Swept > 0:
			texts = append(
				texts,
				fmt.Sprintf("removed temporary files that a run that was killed left in %s: %d", ShownPath(r.Folder), r.Swept),
			)
		}
	}
	a.Notice(texts)
}

// ShownPath is a path as it is typed in the working directory.
func ShownPath(path string) string {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return path
	}
	if name, err := filepath.Rel(here, path); err == nil && name != "." && filepath.IsLocal(name) {
		return name
	}
	return path
}
