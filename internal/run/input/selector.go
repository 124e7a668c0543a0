package input

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// selector is the value of -l: only objects whose labels match are answered. The
// zero selector matches all.
type selector struct {
	text     string
	selector labels.Selector
}

func (s *selector) String() string { return s.text }

func (s *selector) Type() string { return "selector" }

func (s *selector) Set(text string) error {
	parsed, err := labels.Parse(text)
	if err != nil {
		return err
	}
	s.text, s.selector = text, parsed
	return nil
}

func (s *selector) empty() bool { return s.selector == nil || s.selector.Empty() }

// Matches reports whether the labels of a document match. One whose labels cannot
// be read has none.
func (s *selector) Matches(d manifest.Document) bool {
	if s.empty() {
		return true
	}
	var object struct {
		Metadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(d.JSON(), &object); err != nil {
		object.Metadata.Labels = nil
	}
	return s.selector.Matches(labels.Set(object.Metadata.Labels))
}

// Among are the manifests that match, in their order; an error where none of them
// does.
func (s *selector) Among(manifests []manifest.Document) ([]manifest.Document, error) {
	if s.empty() || len(manifests) == 0 {
		return manifests, nil
	}
	var out []manifest.Document
	for _, d := range manifests {
		if s.Matches(d) {
			out = append(out, d)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("no manifest matches -l %s: %d were read", s.text, len(manifests))
	}
	return out, nil
}
