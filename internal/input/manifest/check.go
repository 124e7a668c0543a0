package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
	"github.com/ssactl/ssactl/internal/document/scan"
	"github.com/ssactl/ssactl/internal/program"
)

const howToGet = "kubectl get KIND NAME -o yaml --show-managed-fields"

// mistaken reports what a document is that people give by mistake; nil for an
// object.
func mistaken(file string, h head, asJSON []byte) error {
	switch {
	case !isObject(asJSON):
		return notObject(asJSON)
	case h.Kind == "Table" && strings.HasPrefix(h.APIVersion, "meta.k8s.io/"):
		return errors.New("is a Table, which the API server makes for printing, not an object: use " + howToGet)
	case h.Kind == "Status" && h.APIVersion == "v1":
		return fmt.Errorf("is a Status, an answer of the API server (%q), not an object: use %s", h.message, howToGet)
	case h.Kind == "Kustomization" && strings.HasPrefix(h.APIVersion, "kustomize.config.k8s.io/"):
		return errKustomization
	case h.Kind != "" && strings.Count(h.APIVersion, "/") > 1:
		return fmt.Errorf("has the apiVersion %q, which is neither GROUP/VERSION nor v1", h.APIVersion)
	case h.Kind != "" && h.APIVersion != "":
		return nil
	}
	if err := notText(asJSON); err != nil {
		return err
	}
	return incomplete(file, h, asJSON)
}

// notText tells a kind or an apiVersion that is no string; nil without.
func notText(asJSON []byte) error {
	var o struct {
		APIVersion any `json:"apiVersion"`
		Kind       any `json:"kind"`
	}
	if json.Unmarshal(asJSON, &o) != nil {
		return nil
	}
	if _, ok := o.Kind.(string); !ok && o.Kind != nil {
		return errors.New("has a kind that is no string: put it in quotes")
	}
	if _, ok := o.APIVersion.(string); !ok && o.APIVersion != nil {
		return errors.New("has an apiVersion that is no string: put it in quotes")
	}
	return nil
}

var errKustomization = errors.New("is a Kustomization, which objects are built from: give its directory with -k")

func notObject(asJSON []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(asJSON), []byte("[")) {
		return errors.New("is an array, not an object: put its elements under items of a kind List, or one a line (jq -c '.[]')")
	}
	return errors.New("is a single value, not an object with apiVersion and kind")
}

// incomplete reports what an object without kind or apiVersion may be.
func incomplete(file string, h head, asJSON []byte) error {
	base := filepath.Base(file)
	switch {
	case h.Kind == "" && h.object && watchEvents[h.kindOf]:
		return errors.New("is a watch event, not an object: use " + howToGet + " without --watch")
	case h.Kind == "" && strings.TrimSuffix(strings.ToLower(base), filepath.Ext(base)) == "kustomization":
		return errKustomization
	case h.Kind == "" && h.APIVersion == "" && strings.HasPrefix(base, "values"):
		return errors.New(program.In("has neither apiVersion nor kind: it looks like values of a Helm chart; render the chart first (helm template CHART -f VALUES | ssactl … -f -)"))
	case h.Kind == "":
		return errors.New("has no kind" + misspelled(asJSON, "kind"))
	}
	return errors.New("has no apiVersion" + misspelled(asJSON, "apiVersion"))
}

var watchEvents = map[string]bool{"ADDED": true, "MODIFIED": true, "DELETED": true, "BOOKMARK": true, "ERROR": true}

// anchor and alias are what those of YAML look like, and most text does not.
var (
	anchor = regexp.MustCompile(`(?:^|[\s,\[{])&[0-9A-Za-z_-]`)
	alias  = regexp.MustCompile(`(?:^|[\s,\[{])\*[0-9A-Za-z_-]`)
)

// toJSON converts a YAML document as the API server does. Keys that were in no order
// may stay so. Documents whose aliases expand beyond the limit are refused before
// they are written out.
func toJSON(raw []byte, firstLine int, opts Options) ([]byte, error) {
	asJSON, _, err := converted(raw, firstLine, opts)
	return asJSON, err
}

// converted is toJSON, and whether the document is plain: see Document.Plain.
func converted(raw []byte, firstLine int, opts Options) (asJSON []byte, plain bool, err error) {
	asJSON, plain = plainyaml.ToJSON(raw)
	switch {
	case plain && tooManyJSON(asJSON, opts.MaxValues), !plain && mayBeTooMany(raw, opts.MaxValues):
		return nil, false, opts.tooMany()
	case plain && opts.MaxDepth >= plainyaml.MaxDepth:
		return asJSON, true, nil
	case !plain:
		if err := checkAliases(raw, opts); err != nil {
			return nil, false, err
		}
		if asJSON, err = yaml.YAMLToJSON(raw); err != nil {
			return nil, false, template(raw, yamlError(err, raw, firstLine))
		}
	}
	return asJSON, plain, checkDepth(asJSON, opts.MaxDepth)
}

// checkAliases refuses a document whose aliases expand beyond the limits.
func checkAliases(raw []byte, opts Options) error {
	if bytes.IndexByte(raw, '&') < 0 || bytes.IndexByte(raw, '*') < 0 || !anchor.Match(raw) || !alias.Match(raw) {
		return nil
	}
	return checkExpansion(raw, opts, 0)
}

func template(raw []byte, err error) error {
	if !bytes.Contains(raw, []byte("{{")) {
		return err
	}
	return fmt.Errorf("%w (it looks like an unrendered Helm template: render the chart first with helm template)", err)
}

// checkDepth refuses valid JSON that nests deeper than max.
func checkDepth(asJSON []byte, max int) error {
	s := scan.Bytes(asJSON, max)
	s.Skip()
	return s.Err()
}
