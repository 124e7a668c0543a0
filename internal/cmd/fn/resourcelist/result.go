package resourcelist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// Result is what a function says of an item, or of the whole.
type Result struct {
	Message  string            `yaml:"message"`
	Severity report.Severity   `yaml:"severity"`
	Resource *Resource         `yaml:"resourceRef,omitempty"`
	Field    *Field            `yaml:"field,omitempty"`
	File     *File             `yaml:"file,omitempty"`
	Tags     map[string]string `yaml:"tags,omitempty"`
}

// Resource names an object.
type Resource struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Namespace  string `yaml:"namespace,omitempty"`
	Name       string `yaml:"name"`
}

// Field is one of an object, with its live value and the one that is applied.
type Field struct {
	Path     string `yaml:"path"`
	Current  any    `yaml:"currentValue,omitempty"`
	Proposed any    `yaml:"proposedValue,omitempty"`
}

// File is where an item came from.
type File struct {
	Path  string `yaml:"path"`
	Index int    `yaml:"index"`
}

// SeverityInfo is what the specification calls a note.
const SeverityInfo report.Severity = "info"

// String is a line.
func (r Result) String() string {
	line := r.Message
	if r.Field != nil {
		line = r.Field.Path + ": " + line
	}
	if r.Resource != nil {
		line = strings.ToLower(r.Resource.Kind) + "/" + r.Resource.Name + ": " + line
	}
	return line
}

// ResultsOf says of an item what came of its apply.
func ResultsOf(r report.Result, item Item) []Result {
	var out []Result
	add := func(severity report.Severity, rule, field, message string) *Result {
		one := Result{Message: message, Severity: severity, Tags: map[string]string{"rule": rule},
			Resource: &Resource{r.Target.APIVersion, r.Target.Kind, r.Target.Namespace, r.Target.Name}}
		if field != "" {
			one.Field = &Field{Path: field}
		}
		if item.Path != "" {
			one.File = &File{item.Path, item.Index}
		}
		out = append(out, one)
		return &out[len(out)-1]
	}
	refuse := func(rule, field, message string) *Result {
		if counts(r, rule, field) {
			return add(report.SeverityError, rule, field, message)
		}
		one := add(SeverityInfo, rule, field, message+" (stood before this change)")
		one.Tags["cause"] = string(report.StoodBefore)
		return one
	}
	for _, c := range r.Conflicts {
		field := refuse(report.RuleConflict, c.Field, fmt.Sprintf("conflict with %s (%s)", c.Manager, c.Operation)).Field
		field.Current, field.Proposed = c.Live, c.Applied
	}
	switch r.Outcome {
	case report.Invalid:
		refuse(report.RuleRefused, "", r.Status.Message)
	case report.Failed:
		refuse(report.RuleNoAnswer, "", r.Error)
	case report.Created:
		add(SeverityInfo, "change", "", "would be created")
	case report.Configured:
		add(SeverityInfo, "change", "", fmt.Sprintf("would be configured: %d changes", len(r.Changes)))
	}
	for _, c := range r.Confidence.Reasons {
		switch c.Rule {
		case "":
		case report.RuleNotGiven:
			out = append(out, Result{Message: c.Message, Severity: SeverityInfo, Tags: map[string]string{"rule": c.Rule}})
		default:
			// What was given may not be what the cluster has.
			add(report.SeverityWarning, c.Rule, c.Field, c.Message)
		}
	}
	for _, k := range r.Risks {
		// An error would be that the function failed, and the write is accepted.
		severity := report.SeverityWarning
		if k.Severity == report.SeverityNote {
			severity = SeverityInfo
		}
		add(severity, k.Rule, k.Field, k.Message.String())
	}
	return out
}

// counts reports whether a conflict, a refusal or a missing answer counts: all do, but for what
// stood before the change that is asked about. An empty field is any.
func counts(r report.Result, rule, field string) bool {
	compared := r.Former != "" ||
		slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Cause != "" })
	return !compared || slices.ContainsFunc(r.Findings, func(f report.Finding) bool {
		found := f.Rule == rule || slices.Contains(f.Also, rule)
		// Of very many fields not all are listed.
		on := field == "" || f.Field == field || slices.Contains(f.Fields, field) || len(f.Fields) >= report.MaxFields
		return f.Counts() && found && on
	})
}
