package report

// Fact is what a plan says of something, as data: which case it is, and what the case
// is about. The sentence of each case is in internal/render/view, which writes it where
// a document is shown.
type Fact struct {
	// Kind is the case; empty where nothing is said.
	Kind FactKind
	// Manager is the field manager that it is about, By are entries of managed fields,
	// and Others names: of managers, controllers, or owners that a policy allows.
	Manager string `secret:"public"`
	By      []Writer
	Others  []string `secret:"public"`
	// Version is where something is, and At where it goes: API versions.
	Version string `secret:"public"`
	At      string `secret:"public"`
	// Fields are sorted.
	Fields []string `secret:"path"`
	// Count is a number of what the case names, of All.
	Count, All int
	// Before and After are the values of a field: live, and as it is asked for.
	Before, After Value
	// Text is what was said by somebody else, or the name of a kind or a tool.
	Text string
	// Is and Want are names of an object, and In is its namespace.
	Is, Want, In string `secret:"public"`
	// Parts are the facts that the sentence lists.
	Parts []Fact
}

// FactKind is one thing to say. Each plan has its own.
type FactKind string

// Value is a JSON value that may be missing, which is not null.
type Value struct {
	Value   any  `json:"value"`
	Missing bool `json:"missing,omitempty"`
}
