package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// testCase is a namespace, what happened to it, and what a client is to apply there.
type testCase struct {
	kind      clientKind
	namespace string
	// dir has the files that programs read.
	dir string
	rng *rand.Rand
	// told is the past in words.
	told []string
	// objects are the manifests of the past, manifests those that the client applies.
	objects, manifests []map[string]any
	// listed: the manifests are those of a List; inCRDs: definitions are in crds/ of the
	// chart; bare: the command names no namespace.
	listed, inCRDs, bare bool
	// inventory is what Flux has applied.
	inventory []string
}

// newCase draws the manifests of a case.
func newCase(kind clientKind, seed uint64, which int) *testCase {
	c := &testCase{kind: kind, namespace: fmt.Sprintf("%s-%d", kind.name, which)}
	for i, letter := range kind.name {
		seed += uint64(letter) << (8 * (i % 7))
	}
	c.rng = rand.New(rand.NewPCG(seed, uint64(which)))
	number := 1 + c.rng.IntN(3)
	if kind.name == "argocd" {
		// Waves and what is pruned take several objects.
		number += 2
	}
	for _, i := range c.rng.Perm(len(kinds))[:number] {
		object := c.parsed(kinds[i])
		for range c.rng.IntN(2) {
			object = changed(object, pick(c, kinds[i].changes))
		}
		if len(kind.hooks) > 0 && c.one(5) && (isPassive(object) || kind.name == "argocd" && object["kind"] != "Namespace") {
			object = changed(object, pick(c, kind.hooks))
		}
		c.objects = append(c.objects, object)
	}
	return c
}

// isPassive reports whether an object may be a hook: a Pod and a Job are waited for, and
// nothing runs them; a Namespace takes all with it.
func isPassive(object map[string]any) bool {
	return !slices.Contains([]any{"Pod", "Job", "Namespace"}, object["kind"])
}

// setNamespaces writes the namespace into the manifests without one, as those have it that
// Argo CD and Flux build.
func (c *testCase) setNamespaces() {
	for i, object := range c.manifests {
		if !kindOf(object).cluster && namespaceOf(object) == "" {
			c.manifests[i] = changed(object, change{"metadata/namespace": c.namespace})
		}
	}
}

func pick[T any](c *testCase, from []T) T { return from[c.rng.IntN(len(from))] }

func (c *testCase) one(in int) bool { return c.rng.IntN(in) == 0 }

// next are manifests with changes: fields differ, an object is gone, another is new.
func (c *testCase) next(objects []map[string]any) []map[string]any {
	var out []map[string]any
	for _, object := range objects {
		if len(objects) > 1 && c.one(8-4*len(c.kind.hooks)/(len(c.kind.hooks)+1)) {
			continue
		}
		out = append(out, c.altered(object))
	}
	if len(out) == 0 {
		return objects
	}
	if c.one(8) {
		k := pick(c, kinds)
		for _, object := range out {
			if object["kind"] == parsed(k.manifest)["kind"] {
				return out
			}
		}
		out = append(out, c.parsed(k))
	}
	return out
}

// altered is an object with changes at random, and marks of a client.
func (c *testCase) altered(object map[string]any) map[string]any {
	for range c.rng.IntN(3) {
		object = changed(object, pick(c, append(kindOf(object).changes, pick(c, common))))
	}
	if len(c.kind.marks) > 0 && c.one(5) && object["kind"] != "Namespace" {
		object = changed(object, pick(c, c.kind.marks))
		if _, hook := annotationsOf(object)["helm.sh/hook"]; hook && !isPassive(object) {
			object = changed(
				object,
				change{"metadata/annotations/helm.sh~1hook-delete-policy": "before-hook-creation,hook-succeeded"},
			)
		}
	}
	if c.one(6) && !kindOf(object).cluster {
		object = changed(object, change{"metadata/namespace": c.namespace})
	}
	return object
}

// parsed is the manifest of a kind in the case.
func (c *testCase) parsed(k kind) map[string]any {
	object := parsed(k.manifest)
	if k.cluster {
		return changed(object, change{"metadata/name": c.namespace})
	}
	return object
}

// past makes the objects, and changes them as others do.
func (c *testCase) past(ctx context.Context, w *world) {
	c.dir = filepath.Join(w.dir, c.namespace)
	_ = os.MkdirAll(c.dir, 0o700)
	for i := range 1 + c.rng.IntN(3) {
		writer := pick(c, c.kind.writers)
		if writer == "" {
			continue
		}
		if i > 0 {
			c.objects = c.next(c.objects)
		}
		c.tell(writer, writers[writer](ctx, w, c, c.objects))
		for range c.rng.IntN(3) {
			c.edit(ctx, w)
		}
	}
	c.manifests = c.next(c.objects)
	c.bring()
}

func annotationsOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	out, _ := metadata["annotations"].(map[string]any)
	return out
}

func (c *testCase) tell(what string, err error) {
	if err != nil {
		what += " (refused)"
	}
	c.told = append(c.told, what)
}

// edit writes to one of the objects as another manager does.
func (c *testCase) edit(ctx context.Context, w *world) {
	object := pick(c, c.objects)
	k := kindOf(object)
	e := pick(c, append(k.edits, commonEdits[c.rng.IntN(len(commonEdits))]))
	query := url.Values{"fieldManager": {e.manager}}
	if e.media == apply && c.one(2) {
		query.Set("force", "true")
	}
	media := e.media
	if media == strategic && object["kind"] == "Widget" {
		media = merge
	}
	path := k.path(c.namespace, nameOf(object))
	if e.subresource != "" {
		path += "/" + e.subresource
	}
	c.tell(e.manager+" "+e.body, w.call(ctx, "PATCH", path, query, media, []byte(e.body)))
}

// file writes manifests as kubectl reads them.
func (c *testCase) file(objects []map[string]any) string {
	var b strings.Builder
	for _, object := range objects {
		fmt.Fprintf(&b, "---\n%s", text(object))
	}
	if c.listed {
		b.Reset()
		b.WriteString(text(listOf(objects)))
	}
	name := filepath.Join(c.dir, "manifests.yaml")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		panic(err)
	}
	return name
}

// listOf is a List of objects.
func listOf(objects []map[string]any) map[string]any {
	var items []any
	for _, object := range objects {
		items = append(items, object)
	}
	return map[string]any{"apiVersion": "v1", "kind": "List", "items": items}
}

// chart writes manifests as a chart of Helm.
func (c *testCase) chart(objects []map[string]any) string {
	dir := filepath.Join(c.dir, "chart")
	_ = os.RemoveAll(dir)
	_ = os.MkdirAll(filepath.Join(dir, "templates"), 0o700)
	_ = os.MkdirAll(filepath.Join(dir, "crds"), 0o700)
	files := map[string]string{"Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}\n"}
	for _, f := range c.chartFiles(objects) {
		files[f.name] = text(f.object)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			panic(err)
		}
	}
	return dir
}

func text(object map[string]any) string {
	out, err := yaml.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(out)
}
