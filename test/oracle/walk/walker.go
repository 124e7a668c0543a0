package walk

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/ssactl/ssactl/test/parity"
)

// Walker makes the requests of one walk.
type Walker struct {
	// Namespace is that of the walk, and what cluster-scoped names contain.
	Namespace string
	// Subresources are those that the kind is served with.
	Subresources []string
	// Definition is a custom resource: strategic merge is no patch of it.
	Custom bool

	seed *Seed
	name string
	r    *rand.Rand
}

// New starts a walk over a seed's kind.
func New(seed *Seed, number uint64, namespace string) *Walker {
	w := &Walker{Namespace: namespace, seed: seed, Custom: len(seed.CRDs) > 0, r: rand.New(rand.NewPCG(number, 0))}
	w.name = strings.ReplaceAll(seed.Target.Name, Here, namespace)
	return w
}

// Steps is how many steps the walk is to have.
func (w *Walker) Steps() int { return 4 + w.r.IntN(8) }

// Next makes the next request, given the object as it is: JSON null, or
// nothing, when there is none.
func (w *Walker) Next(live json.RawMessage) parity.Step {
	object := decodeObject(live)
	step := parity.Step{
		Target:  parity.Target{APIVersion: w.seed.Target.APIVersion, Kind: w.seed.Target.Kind, Name: w.name},
		Request: parity.HTTPRequest{Query: map[string][]string{}},
	}
	path := w.seed.Path
	if path.Namespace != "" {
		path.Namespace = w.Namespace
		step.Target.Namespace = w.Namespace
	}
	path.Name = w.name
	w.choose(&step, &path, object)
	w.parameters(&step)
	step.Request.Path = path.Object("")
	if step.Op == "create" {
		step.Request.Path = path.Collection()
	}
	if step.Subresource = path.Subresource; step.Subresource != "" {
		step.Request.Path += "/" + path.Subresource
	}
	return step
}

// choose decides what is done.
func (w *Walker) choose(step *parity.Step, path *parity.Path, live map[string]any) {
	if live == nil {
		if w.r.IntN(3) > 0 {
			w.write(step, "create", http.MethodPost, "application/json", w.body())
			return
		}
		w.write(step, "apply", http.MethodPatch, "application/apply-patch+yaml", w.body())
		return
	}
	if len(w.Subresources) > 0 && w.r.IntN(4) == 0 {
		path.Subresource = w.Subresources[w.r.IntN(len(w.Subresources))]
	}
	switch n := w.r.IntN(20); {
	case n < 9:
		w.write(step, "apply", http.MethodPatch, "application/apply-patch+yaml", w.applied(live, path.Subresource))
	case n < 12:
		w.write(step, "update", http.MethodPut, "application/json", w.updated(live, path.Subresource))
	case n < 15:
		w.write(step, "patch-merge", http.MethodPatch, "application/merge-patch+json", w.patch(live, path.Subresource))
	case n < 17:
		w.write(step, "patch-json", http.MethodPatch, "application/json-patch+json", w.jsonPatch(live))
	case n < 19:
		w.write(
			step, "patch-strategic", http.MethodPatch, "application/strategic-merge-patch+json",
			w.patch(live, path.Subresource),
		)
	default:
		path.Subresource = ""
		w.delete(step)
	}
}

func (w *Walker) write(step *parity.Step, op, method, contentType string, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		// Bodies are made of JSON values.
		panic(fmt.Sprintf("encode a body: %v", err))
	}
	step.Op, step.Request.Method, step.Request.ContentType = op, method, contentType
	step.Request.Body = json.RawMessage(strings.ReplaceAll(string(raw), Here, w.Namespace))
}

func (w *Walker) delete(step *parity.Step) {
	step.Op, step.Request.Method = "delete", http.MethodDelete
	switch w.r.IntN(4) {
	case 0:
		step.Request.Query["propagationPolicy"] = []string{[]string{"Foreground", "Background", "Orphan"}[w.r.IntN(3)]}
	case 1:
		step.Request.Query["gracePeriodSeconds"] = []string{[]string{"0", "30"}[w.r.IntN(2)]}
	}
}

// managers are those that take turns; the empty one leaves it to the user
// agent.
var managers = []string{"alice", "bob", "kubectl", "helm", "kube-controller-manager", "kubectl-client-side-apply", ""}

// parameters adds manager, force, validation and dry run.
func (w *Walker) parameters(step *parity.Step) {
	if step.Op == "delete" {
		return
	}
	query := step.Request.Query
	if step.Manager = managers[w.r.IntN(len(managers))]; step.Manager != "" {
		query["fieldManager"] = []string{step.Manager}
	} else {
		step.UserAgent = []string{"kubectl/v1.36.0 (linux/amd64)", "Go-http-client/2.0", "a b"}[w.r.IntN(3)]
	}
	if step.Op == "apply" && w.r.IntN(3) == 0 {
		step.Force = true
		query["force"] = []string{"true"}
	}
	if n := w.r.IntN(6); n < 4 {
		step.FieldValidation = []string{"Ignore", "Ignore", "Strict", "Warn"}[n]
		query["fieldValidation"] = []string{step.FieldValidation}
	}
	if w.r.IntN(25) == 0 {
		query["dryRun"] = []string{"All"}
	}
}
