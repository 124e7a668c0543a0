package output

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/input/manifest"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/app"
	"github.com/ssactl/ssactl/internal/run/bounded"
	"github.com/ssactl/ssactl/internal/run/input"
)

// FindingFlags are those of commands that find faults: which of them count.
type FindingFlags struct {
	failOn       []string
	failOnFlag   *pflag.Flag
	Rules        finding.Selection
	Suppressions []string
	// failing and suppressed are what check made of the flags.
	failing    report.FailOn
	Suppressed []finding.Suppression
}

// Add adds the flags of commands that find faults.
func (f *FindingFlags) Add(cmd *cobra.Command, rules finding.Rules) {
	flags := cmd.Flags()
	AddFailOn(cmd, &f.failOn, "findings", rules.Names(), string(report.SeverityWarning))
	flags.StringArrayVar(&f.Rules.Only, "rule", nil, "only the rule with this `name`; * stands for anything (repeatable)")
	flags.StringArrayVar(
		&f.Rules.Skip,
		"skip-rule",
		nil,
		"leave out the rule with this `name`; * stands for anything (repeatable)",
	)
	flags.StringArrayVar(&f.Suppressions, "suppressions", nil, "YAML `file` with findings to leave out (repeatable)")
	f.failOnFlag = flags.Lookup("fail-on")
	var names []string
	for _, r := range rules {
		names = append(names, r.Name+"\t"+r.Title)
	}
	input.MustComplete(cmd, "rule", names)
	input.MustComplete(cmd, "skip-rule", names)
}

// Check finds wrong flags before anything else is read.
func (f *FindingFlags) Check(rules finding.Rules) error {
	var errs []error
	if err := rules.Check(f.Rules); err != nil {
		errs = append(errs, fmt.Errorf("--rule, --skip-rule: %w", err))
	}
	var err error
	f.failing, err = ParseFailOn(f.failOn, rules.Names())
	f.failing.Default = !f.failOnFlag.Changed
	errs = append(errs, err)
	f.Suppressed, err = loadSuppressions(f.Suppressions, rules)
	return errors.Join(append(errs, err)...)
}

// Counting are those of a run, with none counted yet.
func (f *FindingFlags) Counting() *report.FailOn {
	failing := f.failing
	return &failing
}

// NewRun is a run of a command that finds faults, as its flags have it: with its kind and its rules,
// at a time, which is now where none is given.
func (f *FindingFlags) NewRun(of report.Run, kind string, rules finding.Rules, now time.Time) finding.Run {
	of.FailOn = f.Counting()
	if now.IsZero() {
		now = input.TimeNow()
	}
	return finding.Run{
		Run: of, Kind: kind, Rules: rules, Selection: f.Rules, Suppressions: f.Suppressed, Now: now,
	}
}

// VerdictOn is what the exit code is made of.
func (f *FindingFlags) VerdictOn(d finding.Report) error {
	switch {
	case len(d.Problems) > 0:
		return app.ErrTrouble
	case d.FailOn.Met():
		return app.ErrNo
	}
	return nil
}

// failOnValues are what --fail-on takes of a command with these rules.
func failOnValues(rules []string) []string {
	return append(
		[]string{
			report.FailOnRisky, string(report.SeverityError), string(report.SeverityWarning),
			string(report.SeverityNote), report.FailOnNever,
		},
		rules...)
}

// AddFailOn is for the commands whose answer may have risks or findings.
func AddFailOn(cmd *cobra.Command, values *[]string, what string, rules []string, def ...string) {
	cmd.Flags().
		StringSliceVar(values, "fail-on", def, what+" that make the exit code 1: risky (errors and warnings), error, warning, note, never, or the `name` of a rule (repeatable)")
	input.MustComplete(cmd, "fail-on", failOnValues(rules))
}

// ParseFailOn is what the values of --fail-on ask for.
func ParseFailOn(values, rules []string) (report.FailOn, error) {
	known := failOnValues(rules)
	for _, v := range values {
		if !slices.Contains(known, v) {
			return report.FailOn{}, fmt.Errorf("--fail-on %q: use one of %s", v, strings.Join(known, ", "))
		}
	}
	return report.FailOn{Values: values}, nil
}

// RiskVerdict is no where a risk was met that is not to be.
func (d *Display) RiskVerdict() error {
	if d.risks.Met() {
		return app.ErrRisky
	}
	return nil
}

// loadSuppressions reads files of suppressions, in their order.
func loadSuppressions(files []string, rules finding.Rules) ([]finding.Suppression, error) {
	var out []finding.Suppression
	var errs []error
	for _, file := range files {
		list, err := readSuppressions(file, rules)
		if err != nil {
			errs = append(errs, fmt.Errorf("--suppressions: %w", err))
		}
		out = append(out, list...)
	}
	return out, errors.Join(errs...)
}

func readSuppressions(file string, rules finding.Rules) ([]finding.Suppression, error) {
	text, err := bounded.File(file, manifest.DefaultMaxDocumentBytes)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("parse %s: %s", file, bounded.Shape(err))
	}
	if root.Kind == 0 {
		return nil, nil // empty, or comments only
	}
	items, err := suppressionItems(root.Content[0])
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", file, err)
	}
	var out []finding.Suppression
	for _, item := range items {
		s, err := suppressionOf(item, rules)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", file, err)
		}
		s.Source = report.Source{File: file, Line: item.Line}
		out = append(out, s)
	}
	return out, nil
}

// suppressionItems are those of the list under "suppressions", which is all
// that a file has.
func suppressionItems(root *yaml.Node) ([]*yaml.Node, error) {
	if root.Kind != yaml.MappingNode || len(root.Content) != 2 || root.Content[0].Value != "suppressions" ||
		root.Content[1].Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("line %d: a list under the key suppressions is needed, and nothing else", root.Line)
	}
	return root.Content[1].Content, nil
}

// suppressionOf reads an item. Every value is a text.
func suppressionOf(item *yaml.Node, rules finding.Rules) (finding.Suppression, error) {
	var s finding.Suppression
	if item.Kind != yaml.MappingNode {
		return s, fmt.Errorf("line %d: a suppression has keys, such as rule and name", item.Line)
	}
	expires := ""
	keys := map[string]*string{
		"rule": &s.Rule, "kind": &s.Kind, "namespace": &s.Namespace, "name": &s.Name,
		"field": &s.Field, "reason": &s.Reason, "expires": &expires,
	}
	for i := 0; i+1 < len(item.Content); i += 2 {
		key, value := item.Content[i], item.Content[i+1]
		to, known := keys[key.Value]
		if !known {
			return s, fmt.Errorf(
				"line %d: unknown key: there are rule, kind, namespace, name, field, reason, expires", key.Line)
		}
		if value.Kind != yaml.ScalarNode {
			return s, fmt.Errorf("line %d: %s is a text", value.Line, key.Value)
		}
		*to = value.Value
	}
	if err := completed(&s, expires, rules); err != nil {
		return s, fmt.Errorf("line %d: %w", item.Line, err)
	}
	return s, nil
}

func completed(s *finding.Suppression, expires string, rules finding.Rules) error {
	if s.Rule == "" {
		return errors.New("a suppression needs a rule; '*' stands for all")
	}
	if err := rules.Check(finding.Selection{Only: []string{s.Rule}}); err != nil {
		return err
	}
	if expires == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, expires)
	if err != nil {
		return fmt.Errorf("expires %q is no day, such as 2026-12-31", expires)
	}
	s.Expires = day
	return nil
}
