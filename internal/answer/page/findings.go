package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// How many findings of a rule are enough where a format folds: all, where there
// are few in all.
const (
	shownOfRule = 5
	fewFindings = 20
)

// Finder is a command that finds faults, in the words that are its own.
type Finder struct {
	// Title names the answer, class its findings without object for systems of CI.
	Title, Class string
	Rules        finding.Rules
	// Sentence is the answer where something is wrong or not: see headline.
	Sentence func(finding.Report) model.Text
}

// Document shows what is wrong, rule by rule, the worst first.
func (by Finder) Document(d finding.Report, o Options) model.Document {
	a := fault{Finder: by, Options: o, of: d, few: len(d.Findings) <= fewFindings, shown: map[clientSetting]bool{}}
	out := model.Document{Head: model.Head{
		Title: by.Title, Server: d.Server.Version, Live: o.Live(d.Snapshots), Made: o.Made(),
		Total: len(d.Rules), Problems: Problems(d.Problems), Rules: RuleModels("", by.Rules),
		Lead: append(by.lead(d), InterruptedLine(d.Interrupted)...),
	}}
	rest := d.Findings
	for _, r := range d.Rules {
		out.Sections = append(out.Sections, a.rule(r, rest[:r.Findings]))
		rest = rest[r.Findings:]
	}
	out.State = StateOf(d.Ending)
	out.Exit = ExitReason(report.Summary{}, d.Ending)
	out.Interrupted = words.Interrupted(d.Interrupted)
	out.Blocks = append(a.suppressed(d.Suppressed), idle(d.IdleSuppressions)...)
	return out
}

// lead is what was found, and what could not be checked: first where nothing was found
// elsewhere.
func (by Finder) lead(d finding.Report) []model.Text {
	n := len(d.Problems)
	if n == 0 {
		return []model.Text{by.Sentence(d)}
	}
	unchecked := model.Text{model.Bad.Of(words.Count(n, "input") + " could not be checked")}
	if d.Summary.Findings == (report.FindingCount{}) {
		return []model.Text{unchecked, by.Sentence(d)}
	}
	return []model.Text{by.Sentence(d), unchecked}
}

// WithSettings writes the texts of settings of clients into a report.
func WithSettings(d finding.Report) finding.Report {
	d.Findings, d.Suppressed = slices.Clone(d.Findings), slices.Clone(d.Suppressed)
	write := func(f *report.Finding) {
		f.InClient = Written(f.InClient, f.Target, f.Source.File)
		f.Fixes = set(*f, f.Source.File)
	}
	for i := range d.Findings {
		write(&d.Findings[i])
	}
	for i := range d.Suppressed {
		write(&d.Suppressed[i].Finding)
	}
	return d
}

// RuleModels are rules for systems of CI, which know them by a prefix.
func RuleModels(prefix string, list finding.Rules) []model.Rule {
	var out []model.Rule
	for _, r := range list {
		out = append(out, model.Rule{
			ID: "ssactl/" + prefix + r.Name, Name: Camel(r.Name), Level: Severities[r.Severity].Level, Short: r.Title,
			Help: strings.TrimSpace(r.Title + " " + r.Why),
		})
	}
	return out
}

// fault is what the findings of a run have in common.
type fault struct {
	Finder
	Options
	of  finding.Report
	few bool
	// shown are the settings that a finding has shown in full.
	shown map[clientSetting]bool
}

// Severities are how findings weigh for systems of CI, and how they are stressed.
var Severities = map[report.Severity]struct {
	Level model.Level
	Role  model.Role
}{
	report.SeverityError:   {model.Error, model.Bad},
	report.SeverityWarning: {model.Warning, model.Changed},
	report.SeverityNote:    {model.Note, model.Plain},
}

// Camel is a kebab-case name in upper camel case.
func Camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Headline counts the findings on so many objects.
func Headline(d finding.Report, on string) model.Text {
	s, hidden := d.Summary, ""
	if s.Suppressed > 0 {
		hidden = fmt.Sprintf(" (%d suppressed)", s.Suppressed)
	}
	if s.Findings == (report.FindingCount{}) {
		return model.Textf("%v%v", model.Strong.Of(on+", no findings"), hidden)
	}
	return model.Textf("%v on %v%v", BySeverity(d.Findings), on, hidden)
}

// BySeverity counts findings: 1 error, 2 notes; nil for none.
func BySeverity(list []report.Finding) model.Text {
	n := map[report.Severity]int{}
	for _, f := range list {
		n[f.Severity]++
	}
	return Enumerated(OfSeverity(n))
}

// OfSeverity counts in the words of severities, the worst first.
func OfSeverity(n map[report.Severity]int) []Counted {
	var out []Counted
	for _, s := range []report.Severity{report.SeverityError, report.SeverityWarning, report.SeverityNote} {
		out = append(out, Counted{n[s], model.Text{Severities[s].Role.Of(words.Count(n[s], string(s)))}})
	}
	return out
}

// SeverityWord is a severity in its color.
func SeverityWord(s report.Severity) model.Span { return Severities[s].Role.Of(string(s)) }

// rule is the section of a rule with its findings; the first has its explanation.
func (a fault) rule(r finding.RuleCount, list []report.Finding) model.Section {
	weight := model.Detail
	if slices.ContainsFunc(list, a.of.Fails) {
		weight = model.Decision
	}
	s := model.Section{
		Title: model.Textf(
			"%v %v: %v", SeverityWord(r.Severity), model.Strong.Of(r.Rule),
			words.Count(r.Findings, "finding"),
		),
		Weight: weight, Blocks: []model.Block{Paragraph("%v %v", r.Title, list[0].Why)},
	}
	l := model.List{Apart: true}
	if !a.few {
		l.Shown = shownOfRule
	}
	for i, f := range list {
		f.InClient = a.once(f)
		l.Items = append(l.Items, a.item(f, i == 0 || a.Verbose))
		found := FindingModel(f, "", a.Class, a.of.Fails(f))
		found.Enforced = found.Fails && !a.of.FailOn.Default
		s.Findings = append(s.Findings, found)
	}
	s.Blocks = append(s.Blocks, l)
	return s
}

// item is a finding in the list of its rule. The commands that fix it are
// explained once; else the best one stands alone.
func (a fault) item(f report.Finding, explained bool) model.Item {
	item := model.Item{Text: foundOn(f), Blocks: []model.Block{Paragraph("%v", f.Message)}}
	if f.Target == (report.Target{}) && len(f.Objects) > 0 {
		item = model.Item{Text: model.Textf("%v", f.Message)}
	}
	for _, other := range f.Others {
		item.Blocks = append(item.Blocks, Paragraph("%v: %v", other.Rule, other.Message))
	}
	if a.Verbose && len(f.Fields) > 1 {
		item.Blocks = append(item.Blocks, Fields(f.Fields))
	}
	if a.Verbose && len(f.Objects) > 1 {
		var objects []model.Text
		for _, t := range f.Objects {
			objects = append(objects, model.Say(words.Object(t)+words.Where(t)))
		}
		item.Blocks = append(item.Blocks, Sentences(objects))
	}
	item.Blocks = append(item.Blocks, fixBlocks(f, explained)...)
	for _, s := range f.InClient {
		item.Blocks = append(item.Blocks, settingBlocks(s)...)
	}
	return item
}

// fixBlocks are the fixes of a finding but settings: all of them explained, or the first alone.
func fixBlocks(f report.Finding, explained bool) []model.Block {
	var out []model.Block
	for i, m := range f.Fixes {
		switch {
		case m.InClient != nil:
		case m.Command.None():
			out = append(out, Paragraph("Fix: %v", m.Does))
		case explained:
			out = append(out, model.Command{Line: m.Command.String()}, Paragraph("%v", model.Faint.Of(m.Does.String())))
		case i == 0:
			out = append(out, model.Command{Line: m.Command.String()})
		}
	}
	return out
}

// once are the settings of a finding, without the texts of those that stand with a finding of
// the same rule before: they differ in the field and the object.
func (a fault) once(f report.Finding) []report.ClientFix {
	list := slices.Clone(f.InClient)
	for i, s := range list {
		key := clientSetting{s.Client, s.Kind, f.Rule}
		if a.shown[key] && !a.Verbose {
			list[i].Text = ""
		}
		a.shown[key] = true
	}
	return list
}

// clientSetting is a setting of a client for the findings of a rule.
type clientSetting struct {
	client     report.Client
	kind, rule string
}

// foundOn names what a finding is on, with its place.
func foundOn(f report.Finding) model.Text {
	at := words.Place(&f.Source)
	// A kind as a whole has no name.
	on := strings.TrimSuffix(words.Object(f.Target), "/") + words.Where(f.Target)
	switch {
	case f.Target == (report.Target{}):
		return model.Text{model.Strong.Of(at)}
	case at == "":
		return model.Text{model.Strong.Of(on)}
	}
	return model.Textf("%v, %v", model.Strong.Of(on), model.Faint.Of(at))
}

// FindingModel is a finding for systems of CI, which know its rule by a prefix; class is
// that of one without an object.
func FindingModel(f report.Finding, prefix, class string, fails bool) model.Finding {
	t := f.Target
	out := model.Finding{
		Rule: "ssactl/" + prefix + f.Rule, Level: Severities[f.Severity].Level, Fails: fails,
		Title: f.Rule, Message: f.Message.String(), File: f.Source.File, Line: f.Source.Line,
		Class: class, Field: f.Field,
	}
	for _, other := range f.Others {
		out.Message += "; " + other.Message.String()
	}
	own := slices.DeleteFunc(slices.Clone(f.Fixes), func(m report.Fix) bool { return m.InClient != nil })
	if len(own) > 0 {
		out.Fix = cmp.Or(own[0].Command.String(), own[0].Does.String())
	}
	out.Detail = f.Why.String()
	for _, m := range own {
		if m.Command.None() {
			out.Detail += "\nFix: " + m.Does.String()
			continue
		}
		out.Detail += "\n$ " + m.Command.String() + "\n  " + m.Does.String()
	}
	for _, s := range f.InClient {
		switch name := settingName(s); {
		case s.Text == "" && name == "":
			continue
		case s.Text == "":
			out.Fix += "\n" + settingTitle(s) + ": " + name
			continue
		}
		out.Fix += "\n" + settingTitle(s) + ":\n" + s.Text
		out.Detail += "\n" + settingTitle(s) + ": " + s.Does + "\n" + s.Text
	}
	if t.Name != "" {
		out.Title += ": " + words.Object(t)
		out.Class, out.Name, out.Object = Class(t), t.Name, Qualified(t)
	}
	out.Identity = []string{out.Rule, t.APIVersion, t.Kind, t.Namespace, t.Name, t.Subresource, f.Field, f.Manager}
	if f.Field == "" {
		out.Identity = append(out.Identity, f.Source.File, f.Message.String())
	}
	return out
}

// suppressed lists the findings that are hidden, when everything is asked for.
func (a fault) suppressed(list []finding.Suppressed) []model.Block {
	if !a.Verbose || len(list) == 0 {
		return nil
	}
	var texts []model.Text
	for _, s := range list {
		reason := ""
		if s.Reason != "" {
			reason = " (" + s.Reason + ")"
		}
		texts = append(
			texts,
			model.Textf("%v on %v: %v, by %v%v", s.Finding.Rule, foundOn(s.Finding), s.Finding.Message, s.By, reason),
		)
	}
	return []model.Block{Part("Suppressed", Sentences(texts))}
}

// idle are suppressions that hide nothing.
func idle(list []finding.Idle) []model.Block {
	if len(list) == 0 {
		return nil
	}
	var texts []model.Text
	for _, i := range list {
		s := i.Suppression
		fits := []string{s.Rule}
		for _, w := range []struct{ key, value string }{
			{"kind", s.Kind}, {"namespace", s.Namespace}, {"name", s.Name}, {"field", s.Field},
		} {
			if w.value != "" {
				fits = append(fits, w.key+" "+w.value)
			}
		}
		texts = append(texts, model.Textf("%v: %v %v", words.Place(&s.Source), strings.Join(fits, ", "), i.Why))
	}
	return []model.Block{Part("Suppressions without effect", Sentences(texts))}
}
