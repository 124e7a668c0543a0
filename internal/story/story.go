package story

import "time"

// Story is a list of writes with expectations. The tags name its keys; the same words are
// in its JSON Schema.
type Story struct {
	// At is where it starts.
	At                Place    `yaml:"-"`
	APIVersion        string   `yaml:"apiVersion" required:"true"`
	Kind              string   `yaml:"kind" required:"true"`
	Name              string   `yaml:"name" required:"true"`
	Note              string   `yaml:"note"`
	KubernetesVersion string   `yaml:"kubernetesVersion"`
	Namespace         string   `yaml:"namespace"`
	Now               Text     `yaml:"now"`
	CRDs              []string `yaml:"crds"`
	Policy            []string `yaml:"policy"`
	Live              []Body   `yaml:"live"`
	Steps             []Step   `yaml:"steps" required:"true"`
}

// Place is a line and a column of a file, from 1.
type Place struct {
	File         string
	Line, Column int
}

// Body is a file, or an object that stands in the story.
type Body struct {
	At     Place
	Path   string
	Object map[string]any
}

// Text is a text that YAML may read as another scalar, such as a time or a number.
type Text string

// Step is one write, and what is expected of it. It has just one of the verbs.
type Step struct {
	At   Place  `yaml:"-"`
	Name string `yaml:"name"`

	Apply         []Body `yaml:"apply" verb:"true"`
	Kustomization string `yaml:"kustomization" verb:"true"`
	Create        []Body `yaml:"create" verb:"true"`
	Update        []Body `yaml:"update" verb:"true"`
	Patch         string `yaml:"patch" verb:"true"`
	Scale         string `yaml:"scale" verb:"true"`
	Delete        string `yaml:"delete" verb:"true"`
	Migrate       []Body `yaml:"migrate" verb:"true"`
	Transfer      string `yaml:"transfer" verb:"true"`

	As          string   `yaml:"as"`
	Client      string   `yaml:"client"`
	ServerSide  Text     `yaml:"serverSide"`
	Release     string   `yaml:"release"`
	Force       bool     `yaml:"force"`
	Subresource string   `yaml:"subresource"`
	Validate    string   `yaml:"validate"`
	DryRun      bool     `yaml:"dryRun"`
	Type        string   `yaml:"type"`
	With        any      `yaml:"with"`
	Replicas    *int64   `yaml:"replicas"`
	Field       string   `yaml:"field"`
	From        []string `yaml:"from"`
	To          string   `yaml:"to"`
	Controller  string   `yaml:"controller"`
	After       Text     `yaml:"after"`
	Rounds      *int64   `yaml:"rounds"`

	Expect []Expect `yaml:"expect"`
}

// Expect is what is expected of one object after a step. A list or map that is there and
// empty expects none.
type Expect struct {
	At        Place               `yaml:"-"`
	Places    map[string]Place    `yaml:"-"`
	Object    string              `yaml:"object"`
	Outcome   string              `yaml:"outcome"`
	Code      *int64              `yaml:"code"`
	Message   string              `yaml:"message"`
	Conflicts map[string][]string `yaml:"conflicts"`
	Values    map[string]any      `yaml:"values"`
	Owners    map[string][]string `yaml:"owners"`
	Managers  []string            `yaml:"managers"`
	Absent    []string            `yaml:"absent"`
	Changes   []string            `yaml:"changes"`
	Unchanged *bool               `yaml:"unchanged"`
	Deleted   *bool               `yaml:"deleted"`
	Warnings  []string            `yaml:"warnings"`
	Findings  []string            `yaml:"findings"`
	Policy    []string            `yaml:"policy"`
	Settles   string              `yaml:"settles"`
	Cycle     map[string][]string `yaml:"cycle"`
	Exactly   bool                `yaml:"exactly"`
}

// Beginning is when the first step of a story without a clock is.
var Beginning = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
