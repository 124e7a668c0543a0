package kustomize

import (
	"encoding/json"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/ssactl/ssactl/internal/disguise"
	"github.com/ssactl/ssactl/internal/input/manifest"
)

// Replacements and vars copy values between objects, or parts of them, and generators may read one file for two:
// values of a Secret stand in other objects then, where nothing shows that they are secret. They are found by two
// builds more, in which names have no hashes: one of the values as they are, and one with others in the Secrets
// (disguise.go). Where these differ, an object has something made from a Secret.

// derived are the fields of built objects, one list each, that were made from values of Secrets; nil where no
// object has any. If one of the builds fails, it is all that an object has but what identifies it.
func (b *builder) derived(objects []*resource.Resource, read *files) [][]disguise.Path {
	if !b.options.Conceal || !read.copies || !read.secrets {
		return nil
	}
	build := func(other func(string) string) []*resource.Resource {
		fs := newFiles(b.at, b.options)
		fs.edit = newDisguising(other).edit
		built, err := b.run(fs)
		if err != nil || len(built) != len(objects) {
			return nil
		}
		return built
	}
	here := build(func(text string) string { return text })
	var there []*resource.Resource
	if here != nil {
		there = build(disguise.Text)
	}
	out := make([][]disguise.Path, len(objects))
	for i, o := range objects {
		switch at := counterpart(o, here); {
		case o.GetKind() == "Secret":
		case there == nil || at < 0:
			out[i] = contents(o)
		default:
			out[i] = differing(here[at], there[at])
		}
	}
	return out
}

// differing are the paths at which two builds of an object differ.
func differing(a, b *resource.Resource) []disguise.Path {
	here, err := a.Map()
	if err != nil {
		return contents(a)
	}
	there, err := b.Map()
	if err != nil || a.GetKind() != b.GetKind() || a.GetName() != b.GetName() || a.GetNamespace() != b.GetNamespace() {
		return contents(a)
	}
	return disguise.Differing(here, there)
}

// contents are all fields of an object but those that identify it.
func contents(o *resource.Resource) []disguise.Path {
	var out []disguise.Path
	object, _ := o.Map() // one that cannot be read has no fields
	for key := range object {
		switch key {
		case "apiVersion", "kind":
		case "metadata":
			out = append(out, disguise.Path{key, "annotations"}, disguise.Path{key, "labels"})
		default:
			out = append(out, disguise.Path{key})
		}
	}
	return out
}

// counterpart is the place of an object in a build whose names have no hashes: of the same kind, and of those
// the one with the longest name that is left in its own; -1 for none.
func counterpart(o *resource.Resource, built []*resource.Resource) int {
	best, longest := -1, -1
	for i, other := range built {
		name := other.GetName()
		if o.GetGvk() != other.GetGvk() || o.GetNamespace() != other.GetNamespace() ||
			o.GetName() != name && !strings.HasPrefix(o.GetName(), name+"-") {
			continue
		}
		if len(name) > longest {
			best, longest = i, len(name)
		}
	}
	return best
}

// mark gives documents the fields that were made from Secrets, and hands the values there out as those of a
// Secret: what is said of the objects may quote them.
func (b *builder) mark(documents []manifest.Document, derived [][]disguise.Path) {
	values := map[string]string{}
	for i, d := range documents {
		n := d.Source.Document - 1
		if n < 0 || n >= len(derived) || len(derived[n]) == 0 {
			continue
		}
		documents[i].Derived = derived[n]
		var object any
		if json.Unmarshal(d.JSON(), &object) != nil {
			continue
		}
		for _, path := range derived[n] {
			path.In(object, func(v any) any {
				eachText(v, func(text string) { values[strconv.Itoa(len(values))] = text })
				return v
			})
		}
	}
	if len(values) > 0 && b.options.OnDocument != nil {
		secret, _ := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": values}) // of texts
		_, _ = manifest.Load([]string{"-"}, manifest.Options{
			Stdin: strings.NewReader(string(secret)), OnDocument: b.options.OnDocument,
		})
	}
}

// eachText visits the texts in a value.
func eachText(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case map[string]any:
		for _, item := range v {
			eachText(item, visit)
		}
	case []any:
		for _, item := range v {
			eachText(item, visit)
		}
	}
}
