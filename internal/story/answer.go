package story

import (
	"strings"

	"github.com/ssactl/ssactl/internal/managedfields"
)

// Answer is what one object of a step came to, with the keys of a report.
type Answer struct {
	Target    Target `json:"target"`
	Operation string `json:"operation"`
	Manager   string `json:"manager"`
	Outcome   string `json:"outcome"`
	Code      int64  `json:"code"`
	Error     string `json:"error"`
	Status    *struct {
		Message string `json:"message"`
	} `json:"status"`
	Live      map[string]any `json:"live"`
	Object    map[string]any `json:"object"`
	Deleted   bool           `json:"deleted"`
	Warnings  []string       `json:"warnings"`
	Conflicts []struct {
		Field   string `json:"field"`
		Manager string `json:"manager"`
	} `json:"conflicts"`
	Changes   []Change `json:"changes"`
	Ownership []Owned  `json:"ownership"`
	Transfers []struct {
		Field   string `json:"field"`
		Manager string `json:"manager"`
		Kind    string `json:"kind"`
	} `json:"transfers"`
	Findings []struct {
		Rule     string   `json:"rule"`
		Severity string   `json:"severity"`
		Field    string   `json:"field"`
		Message  string   `json:"message"`
		Also     []string `json:"also"`
	} `json:"findings"`
	Settles *struct {
		Result string `json:"result"`
		Rounds int64  `json:"rounds"`
		Cycle  []Turn `json:"cycle"`
	} `json:"settles"`
}

// Target names an object.
type Target struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Turn is a value that a writer sets in each turn of a cycle.
type Turn struct {
	Writer string `json:"writer"`
	By     string `json:"by"`
	Field  string `json:"field"`
}

// Change is a value that a step changes.
type Change struct {
	Field  string `json:"field"`
	Kind   string `json:"kind"`
	Before any    `json:"before"`
	After  any    `json:"after"`
	Reason string `json:"reason"`
}

// Owner is who owns a field.
type Owner struct {
	Manager     string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource"`
}

// String is MANAGER:OPERATION or MANAGER:OPERATION:SUBRESOURCE.
func (o Owner) String() string {
	out := o.Manager + ":" + o.Operation
	if o.Subresource != "" {
		out += ":" + o.Subresource
	}
	return out
}

// is reports whether an owner is the one that is written; what that leaves out may be
// anything.
func (o Owner) is(written string) bool {
	return written == o.Manager || written == o.Manager+":"+o.Operation || written == o.String()
}

// Reference names the object: deployment.apps/web.
func (a Answer) Reference() string {
	kind := strings.ToLower(a.Target.Kind)
	if group, _, grouped := strings.Cut(a.Target.APIVersion, "/"); grouped {
		kind += "." + group
	}
	return kind + "/" + a.Target.Name
}

// isNamed reports whether a name, as KIND/NAME, KIND.GROUP/NAME or NAMESPACE/KIND/NAME, is
// that of the object.
func (a Answer) isNamed(name string) bool {
	if strings.Count(name, "/") == 2 {
		namespace, rest, _ := strings.Cut(name, "/")
		if namespace != a.Target.Namespace {
			return false
		}
		name = rest
	}
	kind, object, is := strings.Cut(name, "/")
	return is && object == a.Target.Name && (strings.EqualFold(kind, a.Target.Kind) ||
		strings.EqualFold(kind+"/"+object, a.Reference()))
}

// after is the object afterwards: the live one, where the write is rejected.
func (a Answer) after() map[string]any {
	if a.Object != nil || a.Deleted {
		return a.Object
	}
	return a.Live
}

// isSecret reports whether values of the object are not shown.
func (a Answer) isSecret() bool { return a.Target.Kind == "Secret" }

// Is reports whether an object is the one of the answer.
func (a Answer) Is(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := object["apiVersion"].(string)
	namespace, _ := metadata["namespace"].(string)
	return object["kind"] == a.Target.Kind && metadata["name"] == a.Target.Name &&
		groupOf(version) == groupOf(a.Target.APIVersion) && (namespace == a.Target.Namespace || namespace == "")
}

func groupOf(apiVersion string) string {
	if group, _, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group
	}
	return ""
}

// AnswerOf is the answer for an object that was edited, from what it was and what it is.
func AnswerOf(before, after map[string]any) Answer {
	a := Answer{Operation: "Patch", Outcome: "Configured", Code: 200, Live: before, Object: after}
	metadata, _ := after["metadata"].(map[string]any)
	a.Target.APIVersion, _ = after["apiVersion"].(string)
	a.Target.Kind, _ = after["kind"].(string)
	a.Target.Name, _ = metadata["name"].(string)
	a.Target.Namespace, _ = metadata["namespace"].(string)
	for _, row := range managedfields.Of(after).Paths() {
		one := Owned{Field: row.Field}
		for _, e := range row.By {
			one.Managers = append(one.Managers, Owner{e.Manager, e.Operation, e.Subresource})
		}
		a.Ownership = append(a.Ownership, one)
	}
	return a
}

// Owned is a field with its owners.
type Owned struct {
	Field    string  `json:"field"`
	Managers []Owner `json:"managers"`
}
