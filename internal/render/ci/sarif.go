package ci

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/render/glyph"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/objects"
)

// The identity of the SARIF format.
const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
)

// SARIF writes the findings for code scanning: a rule for each kind, and the
// place of each.
type SARIF struct {
	findings
	w io.Writer
}

// NewSARIF gives a writer of the sarif format.
func NewSARIF(w io.Writer) *SARIF { return &SARIF{w: w} }

// End writes the log.
func (s *SARIF) End(tail model.Tail) error {
	results, rules := []sarifResult{}, make([]sarifRule, len(s.rules))
	for _, k := range s.kinds() {
		for _, f := range s.byKind[k] {
			results = append(results, result(f, k.rule))
		}
	}
	for i, r := range s.rules {
		rules[i] = sarifRule{
			ID: r.ID, Name: r.Name,
			Short: sarifText{Text: r.Short}, Full: sarifText{Text: r.Help},
			Help:    sarifText{Text: r.Help, Markdown: r.Help},
			Default: sarifDefault{Level: sarifLevel(r.Level)},
		}
	}
	run := sarifInvocation{
		ExecutionSuccessful: tail.Interrupted == "",
		ExitCodeDescription: cmp.Or(tail.Unanswered, tail.Exit),
	}
	notify := func(level model.Level, text string) {
		run.Notifications = append(
			run.Notifications,
			sarifNotification{sarifLevel(level), sarifText{Text: sarifMessage(text)}},
		)
	}
	for _, of := range slices.Concat(s.head.Settings, tail.Settings) {
		notify(model.Warning, of.Text)
	}
	for _, of := range []string{tail.Compared, tail.Assumed} {
		if of != "" {
			notify(model.Note, of)
		}
	}
	doc := Log{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{{
		Tool: sarifTool{
			Driver: sarifDriver{Name: "ssactl", InformationURI: "https://github.com/ssactl/ssactl", Rules: rules},
		},
		ColumnKind:  "unicodeCodePoints",
		Results:     results,
		Invocations: []sarifInvocation{run},
		Properties:  map[string]any{"kubernetesVersion": s.head.Server},
	}}}
	text, err := objects.JSON(doc, "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.w, text+"\n")
	return err
}

func sarifLevel(l model.Level) string { return [...]string{"error", "warning", "note"}[l] }

func result(f model.Finding, rule int) sarifResult {
	// What a finding is about distinguishes it, and not lines and values, which change.
	r := sarifResult{
		RuleID: f.Rule, RuleIndex: rule, Level: sarifLevel(f.Level),
		Message:      sarifText{Text: sarifMessage(f.Title + ": " + advice(f))},
		Fingerprints: map[string]string{"ssactlFinding/v1": digest(f.Identity...)},
	}
	if f.Enforced {
		// Code scanning fails a check by the levels of results, and by nothing else.
		r.Level = sarifLevel(model.Error)
	}
	var l Location
	if uri := sarifURI(f.File); uri != "" {
		l.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri}}
		if f.Line > 0 {
			l.Physical.Region = &sarifRegion{StartLine: f.Line}
		}
	}
	switch field := glyph.Visible(f.Field); {
	case f.Field != "":
		l.Logical = []sarifLogical{{Name: field, FullyQualifiedName: glyph.Visible(f.Object) + field, Kind: "member"}}
	case f.Name != "":
		l.Logical = []sarifLogical{{Name: glyph.Visible(f.Name), FullyQualifiedName: glyph.Visible(f.Object), Kind: "object"}}
	}
	if l.Physical != nil || l.Logical != nil {
		r.Locations = []Location{l}
	}
	return r
}

var (
	sarifPlaceholder = regexp.MustCompile(`\{(\d+)\}`)
	sarifLink        = regexp.MustCompile(`\]\(`)
)

// sarifMessage keeps a value from being read as a placeholder or a link. Other
// brackets and braces stay as they are, as viewers show escapes.
func sarifMessage(s string) string {
	s = glyph.Lines(s)
	s = sarifPlaceholder.ReplaceAllString(s, "{{$1}}")
	return sarifLink.ReplaceAllString(s, `\](`)
}

// sarifURI is a file as a relative or file: reference; empty for standard
// input.
func sarifURI(file string) string {
	if file == "" || file == "-" {
		return ""
	}
	p := path.Clean(filepath.ToSlash(strings.ToValidUTF8(file, "\ufffd")))
	u := url.URL{Path: p}
	if strings.HasPrefix(p, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// The part of the SARIF 2.1.0 object model that is used here, in the
// standard's terms.

// Log is a file of SARIF.
type Log struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  map[string]any    `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Short   sarifText    `json:"shortDescription"`
	Full    sarifText    `json:"fullDescription"`
	Help    sarifText    `json:"help"`
	Default sarifDefault `json:"defaultConfiguration"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	ExitCodeDescription string              `json:"exitCodeDescription,omitempty"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []Location        `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

// Location is where a result is, in a file and in an object.
type Location struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name               string `json:"name"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}
