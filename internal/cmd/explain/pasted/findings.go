package pasted

import (
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/answer/page"
	"github.com/ssactl/ssactl/internal/engine/causes"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/kubectl"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
)

// ReportKind is the kind of the document.
const ReportKind = "ErrorExplanation"

// The rules.
var (
	conflicting = finding.Rule{
		Name: "conflict", Severity: report.SeverityError,
		Title: "An apply conflicts with another field manager.",
		Why:   "The API server rejected the whole apply with 409: nothing in the manifest took effect.",
	}
	refused = finding.Rule{
		Name: "refused", Severity: report.SeverityError,
		Title: "The API server rejected an apply.",
		Why:   "It stored nothing of the manifest.",
	}
)

// Rules are those of pasted errors, in their order.
func Rules() finding.Rules { return finding.Rules{conflicting, refused} }

// Next is what a run is given, for the commands that say more.
type Next struct {
	// Manifests and Live are the flags that name them; nil for none given.
	Manifests, Live []shell.Flag
	// Sender are the flags that say whose requests are simulated.
	Sender []shell.Flag
}

// Findings are the refusals as findings: one for each owner that an apply conflicts with, and
// one for each field that is wrong otherwise.
func Findings(list []Refusal, next Next) []report.Finding {
	var out []report.Finding
	for _, r := range list {
		out = append(out, r.conflicting(next)...)
		for _, c := range r.Causes {
			says := text.New("%v", text.Said(c.Message))
			if c.Field != "" {
				says = text.New("%v: %v", text.Path(c.Field), says)
			}
			f := refused.On(r.Target, r.Source(), r.times(says), fixOf(c))
			if c.Field != "" {
				f = f.About(c.Field)
			}
			out = append(out, f)
		}
	}
	return out
}

// conflicting has the conflicts by owner.
func (r Refusal) conflicting(next Next) []report.Finding {
	var out []report.Finding
	for left := r.Conflicts; len(left) > 0; {
		owner := left[0].Writer
		fields := map[bool][]causes.Conflict{}
		for _, c := range left {
			same := c.Manager == owner.Manager && c.Operation == owner.Operation && c.Subresource == owner.Subresource
			fields[same] = append(fields[same], c)
		}
		var paths []string
		for _, c := range fields[true] {
			paths = append(paths, c.Field)
		}
		w := report.Writer{
			Manager:     owner.Manager,
			Operation:   owner.Operation,
			Subresource: owner.Subresource,
			APIVersion:  owner.APIVersion,
			Time:        left[0].Time,
		}
		slices.Sort(paths)
		paths = slices.Compact(paths)
		says := text.New("%v owned by %v: %v", text.Paths(paths, shownFields, len(paths)),
			text.Entry(w.Manager, w.Operation, w.Subresource), text.Name(writers.ManagerKindOf(w, "").Name))
		f := conflicting.On(r.Target, r.Source(), r.times(says), r.next(next)...).About(paths...)
		f.Manager = w.Manager
		out, left = append(out, f), fields[false]
	}
	return out
}

// shownFields is how many fields a message lists.
const shownFields = 10

// times is a message with how often the text has it.
func (r Refusal) times(message text.Text) text.Text {
	if r.Times < 2 {
		return message
	}
	return message.And(" ", text.New("(%v in the text)", text.Count(r.Times, "time")))
}

// next are the commands after which the resolutions can be simulated. Which is right depends
// on the live object: none is recommended here.
func (r Refusal) next(given Next) []report.Fix {
	sender := given.Sender
	if len(sender) == 0 && r.Client != "" {
		sender = []shell.Flag{shell.Value("--client", r.Client)}
	}
	const live = "live.json.gz"
	explain := shell.Command("ssactl", "explain").With(given.Manifests...)
	fetch := shell.Command("ssactl", "snapshot").
		With(given.Manifests...).
		With(slices.DeleteFunc(slices.Clone(sender), func(f shell.Flag) bool {
			return !f.Is("--client")
		})...).
		With(shell.File("--to", live))
	with := func(live ...shell.Flag) shell.Line {
		return explain.With(live...).With(sender...).With(shell.File("--error", r.File))
	}
	switch {
	case given.Manifests == nil:
		return r.fetching(sender)
	case given.Live == nil:
		return []report.Fix{
			{Command: fetch, Does: text.New("fetch the live objects, without Secret values")},
			{Command: with(shell.File("--live", live)), Does: text.New("then simulate each option to resolve it")},
		}
	}
	return []report.Fix{{Command: with(given.Live...), Does: text.New("simulate each option to resolve it")}}
}

// fetching says what to fetch where the manifests are not given either.
func (r Refusal) fetching(sender []shell.Flag) []report.Fix {
	var flags []string
	for _, f := range sender {
		flags = append(flags, f.String())
	}
	then := report.Fix{Does: text.New("simulate each option to resolve it: ssactl explain -f MANIFEST --live live.yaml %v",
		text.Name(strings.Join(append(flags, "--error "+shownName(r.File)), " ")))}
	kind := strings.ToLower(r.Target.Kind)
	if group, _ := words.GroupVersion(r.Target.APIVersion); group != "" {
		kind += "." + group
	}
	get := kubectl.Get{
		Namespace:  r.Target.Namespace,
		Selections: []kubectl.Selection{{Type: kind, Names: []string{r.Target.Name}}},
	}
	if line := get.YAML().To("live.yaml"); r.Target.Name != "" && line.Err() == nil {
		return []report.Fix{{Command: line, Does: text.New("fetch the live object with its managed fields")}, then}
	}
	return []report.Fix{
		{Does: text.New("the message names no object: give the manifests with -f, and ssactl finds it")},
		then,
	}
}

// fixes are what to do about a fault, by its kind.
var fixes = map[causes.Kind]string{
	causes.Unknown:          "the kind has no such field at this version: check its spelling and its place (ssactl lint -f MANIFEST names the nearest)",
	causes.Immutable:        "the field cannot be changed: write the live value, or delete the object and create it again",
	causes.Repeated:         "a list has two items of one key: keep one of them",
	causes.TwiceWritten:     "keep one of the two keys",
	causes.Keyless:          "give the item the keys of its list",
	causes.Mistyped:         "write a value of that type: YAML reads yes, 1.0 and 0123 as other types than text",
	causes.ManagedFieldsSet: "remove metadata.managedFields from the manifest: it was copied from a live object",
	causes.Modified:         "remove metadata.resourceVersion from the manifest, or apply again: the object changed in between",
	causes.Invalid:          "change the field; where the manifest does not have it, another field manager's value is the cause: ssactl apply with the manifest and the live object names the owner",
}

// fixOf is what to do about a fault.
func fixOf(c report.Cause) report.Fix {
	return report.Fix{Does: text.Text{Format: program.In(fixes[causes.KindOf(c)])}}
}

// finder shows them.
var finder = page.Finder{
	Title: "Explain an error",
	Class: "ssactl.error",
	Rules: Rules(),
	Sentence: func(d finding.Report) model.Text {
		return page.Headline(d, words.Count(d.Summary.Objects, "message"))
	},
}

// Document lays findings out as a page.
func Document(d finding.Report, o page.Options) model.Document { return finder.Document(d, o) }
