package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// tryPlans runs the scripts of ssactl's plans on the objects of cases. A plan that is said
// to be safe has to end without an error, keep all values, and leave no owner that it says
// to remove.
func tryPlans(ctx context.Context, o options) error {
	w, err := startWorld(ctx, o)
	if err != nil {
		return err
	}
	defer w.close()
	counts := map[string]int{}
	for i := range o.number {
		if o.only >= 0 && i != o.only {
			continue
		}
		c := newCase(clientsOf()[0], o.seed, i)
		c.namespace = fmt.Sprintf("plan-%d", i)
		if err := w.namespace(ctx, c.namespace); err != nil {
			return err
		}
		c.past(ctx, w)
		kind, err := w.tryPlan(ctx, c, o.ssactl)
		switch {
		case errors.Is(err, errNoPlan):
			counts[kind+", no plan"]++
		case err != nil:
			counts[kind+", failed"]++
			fmt.Printf("%s %d (%s): %v\n", kind, i, strings.Join(c.told, ", "), err)
		default:
			counts[kind+", done"]++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Println(what, counts[what])
	}
	return nil
}

var errNoPlan = errors.New("no plan")

// tryPlan asks for one plan, and runs its script.
func (w *world) tryPlan(ctx context.Context, c *testCase, ssactl string) (string, error) {
	before, _, err := w.dump(ctx, c)
	if err != nil || len(before) == 0 {
		return "dump", errors.Join(err, errNoPlan)
	}
	live := filepath.Join(c.dir, "live.json")
	if err := writeList(live, before); err != nil {
		return "dump", err
	}
	var object map[string]any
	if err := json.Unmarshal(pick(c, before), &object); err != nil {
		return "dump", err
	}
	manager, field := c.ownedField(object)
	if manager == "" {
		return "dump", errNoPlan
	}
	p := c.plan(live, fmt.Sprint(object["kind"], "/", nameOf(object)), manager, field)
	script, err := p.script(ctx, c, ssactl)
	if err != nil {
		return p.kind, err
	}
	run := exec.CommandContext(ctx, "sh", script)
	run.Dir = c.dir
	run.Env = append(os.Environ(), "PATH="+w.programs+":"+os.Getenv("PATH"), "KUBECONFIG="+w.kubeconfig, "HOME="+w.dir)
	printed, err := run.CombinedOutput()
	if err != nil {
		return p.kind, fmt.Errorf("%v: %w: %s", p.args, err, printed)
	}
	after, _, err := w.dump(ctx, c)
	if err != nil {
		return p.kind, err
	}
	if err := sameValues(before, after); err != nil || p.kind != "transfer" {
		return p.kind, err
	}
	return p.kind, p.transferred(ctx, ssactl, live, after)
}

// plan is a command line that asks for one.
type plan struct {
	kind string
	args []string
	// target is an object, field one of it, from one of its managers, to the one that a
	// transfer is to.
	target, field, from, to string
	// steps is the directory that a transfer writes into.
	steps string
}

// plan is a command line at random about a field of a live object and one of its managers.
func (c *testCase) plan(live, target, manager, field string) plan {
	p := plan{target: target, field: field, from: manager, steps: filepath.Join(c.dir, "steps")}
	p.kind = pick(c, []string{"transfer", "transfer", "migrate", "migrate with manifests", "clear"})
	p.to = pick(c, []string{"team-x", "kubectl", "deployer"})
	switch p.kind {
	case "transfer":
		p.args = []string{"transfer", "-f", live, target, field, "--from", manager, "--to", p.to, "--output-dir", p.steps}
	case "migrate":
		p.args = []string{"migrate", "-f", live, "-o", "kubectl"}
		if c.one(2) {
			p.args = append(p.args, pick(c, []string{"--compatible", "--reverse", "--drop-annotation", "--claim-defaults"}))
		}
	case "migrate with manifests":
		p.args = []string{"migrate", "-f", live, "-f", c.file(c.objects), "-n", c.namespace, "-o", "kubectl"}
	case "clear":
		p.args = []string{"clear", "-f", live, "--manager", manager, "-o", "kubectl"}
	}
	return p
}

// script asks for the plan, and is the file with its commands.
func (p plan) script(ctx context.Context, c *testCase, ssactl string) (string, error) {
	cmd := exec.CommandContext(ctx, ssactl, p.args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", errNoPlan
	}
	if p.kind == "transfer" {
		return filepath.Join(p.steps, "apply.sh"), nil
	}
	script := filepath.Join(c.dir, "plan.sh")
	return script, os.WriteFile(script, out.Bytes(), 0o600)
}

// transferred checks that the other manager owns the field after a transfer, and the former
// one does not.
func (p plan) transferred(ctx context.Context, ssactl, file string, objects []json.RawMessage) error {
	owners, err := ownersOf(ctx, ssactl, file, objects, p.target, p.field)
	if err == nil && len(owners) > 0 &&
		(!slices.Contains(owners, p.to) || p.from != p.to && slices.Contains(owners, p.from)) {
		err = fmt.Errorf("%v: %s is owned by %v", p.args, p.field, owners)
	}
	return err
}

// writeList writes objects as a List.
func writeList(file string, objects []json.RawMessage) error {
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		return err
	}
	return os.WriteFile(file, list, 0o600)
}

// ownersOf are the managers of a field of a live object.
func ownersOf(
	ctx context.Context,
	ssactl, file string,
	objects []json.RawMessage,
	target, field string,
) ([]string, error) {
	if err := writeList(file, objects); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, ssactl, "owners", "-f", file, target, field, "-o", "json").Output()
	if err != nil {
		return nil, err
	}
	var told struct {
		Answers []struct{ Owners []struct{ Manager string } }
	}
	if err := json.Unmarshal(out, &told); err != nil {
		return nil, err
	}
	var names []string
	for _, answer := range told.Answers {
		for _, owner := range answer.Owners {
			names = append(names, owner.Manager)
		}
	}
	return names, nil
}

// ownedField is a field of an object with one of its managers; empty without.
func (c *testCase) ownedField(object map[string]any) (manager, field string) {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	if len(entries) == 0 {
		return "", ""
	}
	entry, _ := pick(c, entries).(map[string]any)
	manager, _ = entry["manager"].(string)
	at, _ := entry["fieldsV1"].(map[string]any)
	for len(at) > 0 {
		var names []string
		for _, key := range slices.Sorted(maps.Keys(at)) {
			if name, is := strings.CutPrefix(key, "f:"); is {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return manager, field
		}
		name := pick(c, names)
		at, _ = at["f:"+name].(map[string]any)
		if strings.ContainsAny(name, "./") {
			name = `["` + name + `"]`
		} else {
			name = "." + name
		}
		field += name
	}
	return manager, field
}

// sameValues reports a value that differs; the last-applied annotation and what the server
// counts may.
func sameValues(before, after []json.RawMessage) error {
	if len(before) != len(after) {
		return fmt.Errorf("%d objects are %d", len(before), len(after))
	}
	for i := range before {
		a, b := valuesOf(before[i]), valuesOf(after[i])
		if !reflect.DeepEqual(a, b) {
			return fmt.Errorf("was %s\nis %s", encode(a), encode(b))
		}
	}
	return nil
}

func valuesOf(raw json.RawMessage) map[string]any {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		panic(err)
	}
	metadata, _ := object["metadata"].(map[string]any)
	for _, field := range []string{"managedFields", "resourceVersion", "generation"} {
		delete(metadata, field)
	}
	notes, _ := metadata["annotations"].(map[string]any)
	delete(notes, "kubectl.kubernetes.io/last-applied-configuration")
	if len(notes) == 0 {
		delete(metadata, "annotations")
	}
	return object
}
