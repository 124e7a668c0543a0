package story

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"
)

// The head of every story.
const (
	APIVersion = "ssactl.dev/v1alpha1"
	Kind       = "Story"
)

// maxStories bounds the documents of a file.
const maxStories = 1000

// Read reads the stories of a file, one a document. What is wrong are Problems, joined; the
// stories that are sound are given with them.
func Read(file string, text []byte) ([]Story, error) {
	var out []Story
	var errs []error
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var n yaml.Node
		err := documents.Decode(&n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			errs = append(errs, syntax(file, err))
			break
		}
		if len(out)+len(errs) >= maxStories {
			errs = append(errs, &Problem{Place{file, n.Line, n.Column}, fmt.Sprintf("more than %d stories", maxStories)})
			break
		}
		d := decoder{file: file}
		s := Story{}
		if len(n.Content) == 1 && n.Content[0].Tag != "!!null" {
			d.value(n.Content[0], reflect.ValueOf(&s).Elem(), 0)
			if len(d.problems) == 0 {
				d.check(&s)
			}
			if err := d.sorted(); err != nil {
				errs = append(errs, err)
				continue
			}
			out = append(out, s)
		}
	}
	if len(out)+len(errs) == 0 {
		errs = append(errs, &Problem{Place{file, 1, 1}, "the file has no story"})
	}
	return out, errors.Join(errs...)
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// syntax is what the YAML library says, at its place.
func syntax(file string, err error) error {
	says, line := err.Error(), 1
	if m := yamlLine.FindStringSubmatch(says); m != nil {
		line, _ = strconv.Atoi(m[1])
		says = says[len(m[0]):]
	}
	return &Problem{Place{file, line, 1}, strings.TrimPrefix(says, "yaml: ")}
}

// check finds what the types do not say.
func (d *decoder) check(s *Story) {
	wrong := func(at Place, format string, args ...any) {
		d.problems = append(d.problems, &Problem{at, fmt.Sprintf(format, args...)})
	}
	if s.APIVersion != APIVersion || s.Kind != Kind {
		wrong(s.At, "the document is no story: apiVersion is %s and kind is %s", APIVersion, Kind)
	}
	if s.Now != "" {
		if _, err := time.Parse(time.RFC3339, string(s.Now)); err != nil {
			wrong(s.At, "now: %q is no RFC 3339 time, such as 2026-01-31T12:00:00Z", s.Now)
		}
	}
	if len(s.Steps) == 0 {
		wrong(s.At, "the story has no step")
	}
	for _, step := range s.Steps {
		d.checkStep(step, wrong)
	}
}

func (d *decoder) checkStep(step Step, wrong func(Place, string, ...any)) {
	var verbs, all []string
	v := reflect.ValueOf(step)
	for _, k := range keysOf(v.Type()) {
		if !k.Verb {
			continue
		}
		if all = append(all, k.Name); !v.Field(k.index).IsZero() {
			verbs = append(verbs, k.Name)
		}
	}
	if len(verbs) != 1 {
		wrong(step.At, "a step needs just one of %s; this one has %d", strings.Join(all, ", "), len(verbs))
		return
	}
	if needed := needs(step); needed != "" {
		wrong(step.At, "%s needs %s", verbs[0], needed)
	}
	if step.After != "" {
		if after, err := time.ParseDuration(string(step.After)); err != nil || after < 0 {
			wrong(step.At, "after: %q is no duration, such as 1h", step.After)
		}
	}
	for _, e := range step.Expect {
		one := func(key, value string, of ...string) {
			if value != "" && !slices.Contains(of, value) {
				wrong(e.Places[key], "%s: %q is none of %s", key, value, strings.Join(of, ", "))
			}
		}
		one("outcome", e.Outcome, "Created", "Configured", "Unchanged", "Conflicted", "Invalid", "Failed")
		one("settles", e.Settles, "FixedPoint", "Cycle", "Unknown")
	}
}

// needs is what a step lacks; empty for nothing.
func needs(s Step) string {
	switch {
	case s.Patch != "" && s.With == nil:
		return "with: the patch"
	case s.Scale != "" && s.Replicas == nil:
		return "replicas"
	case s.Transfer != "" && s.Field == "":
		return "field"
	case s.Transfer != "" && s.To == "" && s.Controller == "":
		return "to or controller"
	}
	return ""
}

// Problems are those that Read has joined, in their order; nil for none.
func Problems(err error) []error {
	if err == nil {
		return nil
	}
	if joined, is := err.(interface{ Unwrap() []error }); is {
		var out []error
		for _, one := range joined.Unwrap() {
			out = append(out, Problems(one)...)
		}
		return out
	}
	return []error{err}
}
