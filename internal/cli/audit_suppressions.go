package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	yaml "go.yaml.in/yaml/v3"

	"github.com/ssactl/ssactl/internal/audit"
	"github.com/ssactl/ssactl/internal/engine"
)

// suppressionFile is the form of a --suppressions file.
type suppressionFile struct {
	Suppressions []suppressionEntry `yaml:"suppressions"`
}

type suppressionEntry struct {
	Rule      string `yaml:"rule"`
	Kind      string `yaml:"kind"`
	Namespace string `yaml:"namespace"`
	Name      string `yaml:"name"`
	Field     string `yaml:"field"`
	Reason    string `yaml:"reason"`
	Expires   string `yaml:"expires"`
}

// loadSuppressions reads files of suppressions, in their order.
func loadSuppressions(files []string) ([]audit.Suppression, error) {
	var out []audit.Suppression
	var errs []error
	for _, file := range files {
		list, err := readSuppressions(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("--suppressions: %w", err))
		}
		out = append(out, list...)
	}
	return out, errors.Join(errs...)
}

func readSuppressions(file string) ([]audit.Suppression, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	var parsed suppressionFile
	if err := decoder.Decode(&parsed); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("parse %s: %w", file, err)
	}
	lines := suppressionLines(text)
	var out []audit.Suppression
	for i, e := range parsed.Suppressions {
		at := engine.Source{File: file}
		if i < len(lines) {
			at.Line = lines[i]
		}
		s, err := e.suppression(at)
		if err != nil {
			return nil, fmt.Errorf("parse %s: line %d: %w", file, at.Line, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// suppressionLines are the lines at which the items start.
func suppressionLines(text []byte) []int {
	var file struct {
		Suppressions []yaml.Node `yaml:"suppressions"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil
	}
	var out []int
	for _, n := range file.Suppressions {
		out = append(out, n.Line)
	}
	return out
}

func (e suppressionEntry) suppression(at engine.Source) (audit.Suppression, error) {
	s := audit.Suppression{Rule: e.Rule, Kind: e.Kind, Namespace: e.Namespace, Name: e.Name, Field: e.Field, Reason: e.Reason, Source: at}
	if e.Rule == "" {
		return s, errors.New("a suppression needs a rule; '*' stands for all")
	}
	if err := (audit.Selection{Only: []string{e.Rule}}).Check(); err != nil {
		return s, err
	}
	if e.Expires == "" {
		return s, nil
	}
	day, err := time.Parse(time.DateOnly, e.Expires)
	if err != nil {
		return s, fmt.Errorf("expires %q is no day, such as 2026-12-31", e.Expires)
	}
	s.Expires = day
	return s, nil
}
