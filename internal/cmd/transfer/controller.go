package transfer

import (
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/text"
)

// handOver: a manager made for this applies the fields, beside what it may have
// from an earlier hand-over of the object.
func (p *planner) handOver(map[string]any) (Step, engine.Write, error) {
	step := Step{Kind: Apply, Manager: p.q.Between, Does: text.New("%v, a manager made for this, applies %v alone with the live value", text.By(p.q.Between), p.fields())}
	return p.applyLive(step, nil)
}

// controls: the controller writes another value, as it will sooner or later.
func (p *planner) controls(current map[string]any) (Step, engine.Write, error) {
	step := Step{Kind: ByItself, Manager: p.q.To, Meant: true, Does: text.New("%v sets %v to another value when it has reason to, and owns %v", text.By(p.q.To), p.fields(), p.agree("it", "them"))}
	w := p.Write
	w.Manager, w.Force = p.q.To, false
	if p.scales() {
		step.Subresource, w.Subresource = "scale", "scale"
		n, _ := p.subjects[0].value.Value.(int64)
		w.Verb = api.MergePatch
		return step, w.WithBody(fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n+1), nil), nil
	}
	operations, err := p.otherValues(current)
	if err != nil {
		return step, w, err
	}
	if p.isStatus() {
		step.Subresource = "status"
	}
	w, err = p.Patching(p.q.To, step.Subresource, operations)
	return step, w, err
}

// scales reports whether the one field is the number of replicas of a kind that
// has the scale subresource, through which autoscalers write it.
func (p *planner) scales() bool {
	return len(p.subjects) == 1 && Scales(p.Server, p.Write, p.subjects[0].path)
}

// Scales reports whether an autoscaler writes a field through the scale
// subresource.
func Scales(server api.Server, object engine.Write, path fieldpath.Path) bool {
	return path.String() == ".spec.replicas" && slices.Contains(server.Resource(object.Kind).Subresources, "scale")
}

func (p *planner) isStatus() bool {
	return slices.Contains(p.Server.Resource(p.Write.Kind).Subresources, "status") &&
		!slices.ContainsFunc(p.subjects, func(s subject) bool { return !managedfields.Within(s.field, ".status") })
}

// otherValues are a JSON patch that sets each leaf to another value.
func (p *planner) otherValues(object map[string]any) ([]Operation, error) {
	var out []Operation
	for _, s := range p.subjects {
		for _, leaf := range s.leaves {
			other, ok := fieldtree.Other(conflict.ValueAt(p.Shape, object, leaf).Value)
			if !ok || managedfields.IsKey(leaf) {
				continue
			}
			for _, pointer := range fieldtree.Pointers(p.Shape, object, leaf) {
				out = append(out, Operation{Op: "replace", Path: pointer, Value: other})
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no other value can be made up to simulate the controller with")
	}
	return out, nil
}
