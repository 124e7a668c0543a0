package kustomize

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/input/manifest"
)

// learner hands out the objects in the texts that kustomize reads, and what
// Secrets are generated from or patched with, as Secrets: what kustomize says of a
// build that fails may quote them. Nil where nobody asks.
func learner(options manifest.Options) func(path string, text []byte) {
	if options.OnDocument == nil {
		return nil
	}
	options.Wait, options.OnRead, options.OnFile, options.OnNotice = nil, nil, nil, nil
	hand := func(text []byte) {
		reading := options
		reading.Stdin = bytes.NewReader(text)
		// What is no object has nothing to learn from.
		_, _ = manifest.Load([]string{"-"}, reading)
	}
	return func(path string, text []byte) {
		hand(text)
		if !isKustomization(path) {
			return
		}
		l := learning{dir: filepath.Dir(path), most: int64(options.MaxDocumentBytes), values: map[string]string{}}
		k := parse(text)
		for _, p := range append(k.types.Patches, k.types.PatchesJson6902...) { //nolint:staticcheck // files have the old field, and Secrets in it
			hand([]byte(p.Patch))
			l.patch(p)
		}
		for _, p := range k.types.PatchesStrategicMerge { //nolint:staticcheck // as above
			hand([]byte(p))
		}
		for _, s := range k.types.SecretGenerator {
			l.generator(s)
		}
		if len(l.values) > 0 {
			// Texts can be written as JSON.
			secret, _ := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Secret", "stringData": l.values})
			hand(secret)
		}
	}
}

// learning collects the values of Secrets that a kustomization names.
type learning struct {
	dir    string
	most   int64
	values map[string]string
}

func (l *learning) add(value string) { l.values[strconv.Itoa(len(l.values))] = value }

func (l *learning) generator(s types.SecretArgs) {
	for _, literal := range s.LiteralSources {
		_, value, _ := strings.Cut(literal, "=")
		l.add(value)
		l.add(strings.Trim(value, `"'`))
	}
	for _, source := range append(s.FileSources, append(s.EnvSources, s.EnvSource)...) {
		if _, path, named := strings.Cut(source, "="); named {
			source = path
		}
		content := l.file(source)
		l.add(content)
		for line := range strings.Lines(content) {
			_, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			l.add(value)
		}
	}
}

// patch takes the values of the operations on a Secret.
func (l *learning) patch(p types.Patch) {
	if p.Target == nil || p.Target.Kind != "Secret" {
		return
	}
	text := p.Patch
	if p.Path != "" {
		text = l.file(p.Path)
	}
	var operations []struct {
		Value any `json:"value"`
	}
	if yaml.Unmarshal([]byte(text), &operations) != nil {
		l.add(text)
		return
	}
	for _, o := range operations {
		l.below(o.Value)
	}
}

func (l *learning) below(v any) {
	switch v := v.(type) {
	case string:
		l.add(v)
	case map[string]any:
		for _, value := range v {
			l.below(value)
		}
	case []any:
		for _, value := range v {
			l.below(value)
		}
	}
}

// file is the text of a file below the kustomization; empty for what is none.
func (l *learning) file(name string) string {
	path := filepath.Join(l.dir, name)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > l.most {
		return ""
	}
	// What cannot be read is reported where it is needed.
	text, _ := os.ReadFile(path)
	return string(text)
}
