package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/parity"
)

// namespaceMark stands in a written scenario for the scenario's namespace.
const namespaceMark = "{ns}"

// written is a scenario as people write it, in YAML.
type written struct {
	Name  string            `json:"name"`
	Note  string            `json:"note"`
	CRDs  []json.RawMessage `json:"crds"`
	Steps []writtenStep     `json:"steps"`
}

// writtenStep is one request. For is "APIVERSION KIND", Path what follows the
// group and version: "namespaces/{ns}/pods/p/status".
type writtenStep struct {
	Op        string              `json:"op"`
	For       string              `json:"for"`
	Path      string              `json:"path"`
	Name      string              `json:"name"`
	Note      string              `json:"note"`
	Manager   string              `json:"manager"`
	UserAgent string              `json:"userAgent"`
	Force     bool                `json:"force"`
	Query     map[string][]string `json:"query"`
	Body      json.RawMessage     `json:"body"`
	Text      string              `json:"text"`
	// Stored is a merge patch that is made in the storage first.
	Stored json.RawMessage `json:"stored"`
	// Again is how often a request that changes nothing is sent again, with the
	// policies in another order.
	Again int `json:"again"`
}

// ReadFile reads the scenarios of a YAML file, a list, as scenarios without
// answers.
func ReadFile(name string) ([]parity.Scenario, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read scenarios: %w", err)
	}
	var list []written
	if err := yaml.UnmarshalStrict(raw, &list); err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	var scenarios []parity.Scenario
	for _, one := range list {
		scenario := parity.Scenario{
			Name: one.Name, Note: one.Note, Namespace: one.Name,
			ServerVersion: kube.Version, CRDs: one.CRDs,
		}
		for i, s := range one.Steps {
			step, err := s.step(one.Name)
			if err != nil {
				return nil, fmt.Errorf("parse %s: %s, step %d: %w", name, one.Name, i, err)
			}
			scenario.Steps = append(scenario.Steps, step)
		}
		scenarios = append(scenarios, scenario)
	}
	return scenarios, nil
}

// requests are the method and media type of each operation.
var requests = map[string]parity.HTTPRequest{
	"apply":           {Method: "PATCH", ContentType: "application/apply-patch+yaml"},
	"create":          {Method: "POST", ContentType: "application/json"},
	"update":          {Method: "PUT", ContentType: "application/json"},
	"patch-merge":     {Method: "PATCH", ContentType: "application/merge-patch+json"},
	"patch-json":      {Method: "PATCH", ContentType: "application/json-patch+json"},
	"patch-strategic": {Method: "PATCH", ContentType: "application/strategic-merge-patch+json"},
	"delete":          {Method: "DELETE", ContentType: "application/json"},
}

func (s writtenStep) step(namespace string) (parity.Step, error) {
	request, ok := requests[s.Op]
	if !ok {
		return parity.Step{}, fmt.Errorf("unknown op %q", s.Op)
	}
	version, kind, ok := strings.Cut(s.For, " ")
	if !ok {
		return parity.Step{}, fmt.Errorf("for: %q is not an API version and a kind", s.For)
	}
	request.Path = groupPath(version) + strings.ReplaceAll(s.Path, namespaceMark, namespace)
	path, err := parity.ParsePath(request.Path)
	if err != nil {
		return parity.Step{}, err
	}
	request.Query = s.query()
	request.BodyText = strings.ReplaceAll(s.Text, namespaceMark, namespace)
	if s.Body != nil {
		request.Body = json.RawMessage(strings.ReplaceAll(string(s.Body), namespaceMark, namespace))
	}
	name := s.Name
	if path.Name != "" {
		name = path.Name
	} else if name == "" {
		name = nameOf(request.Body)
	}
	return parity.Step{
		Op: s.Op, Note: s.Note, Manager: s.Manager, UserAgent: s.UserAgent, Force: s.Force, Subresource: path.Subresource,
		Target:  parity.Target{APIVersion: version, Kind: kind, Namespace: path.Namespace, Name: name},
		Request: request,
		Stored:  s.Stored,
		Again:   s.Again,
	}, nil
}

func (s writtenStep) query() map[string][]string {
	query := map[string][]string{}
	for name, values := range s.Query {
		query[name] = values
	}
	if s.Manager != "" {
		query["fieldManager"] = []string{s.Manager}
	}
	if s.Force {
		query["force"] = []string{"true"}
	}
	return query
}

func groupPath(version string) string {
	if strings.Contains(version, "/") {
		return "/apis/" + version + "/"
	}
	return "/api/" + version + "/"
}
