package client

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/client/objects"
	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/server/api"
)

// WithManifest is a write of an object that is made of the manifest: its lines are those of
// the manifest.
func WithManifest(w engine.Write, object map[string]any) engine.Write {
	lines := w.Locator
	w = WithBody(w, object)
	w.Locator = lines
	return w
}

// Manifest is a copy of the manifest of a write, in the namespace of the write; nil
// where it is no object.
func Manifest(w engine.Write) map[string]any {
	object := w.Object()
	if w.Decoded != nil {
		object = runtime.DeepCopyJSON(object)
	}
	if object != nil && w.Namespace != "" {
		_ = unstructured.SetNestedField(object, w.Namespace, "metadata", "namespace")
	}
	return object
}

// NamespaceIn is the namespace that the manifest of a write has itself.
func NamespaceIn(w engine.Write) string {
	w.Namespace = ""
	return objects.Text(Manifest(w), "metadata", "namespace")
}

// Undecodable is the error of programs that read a manifest with kubectl's own code, where
// its metadata do not fit their Go type; nil where they fit (cli-runtime,
// pkg/resource/metadata_decoder.go).
func Undecodable(w engine.Write) error {
	manifest, is := w.Decoded.(map[string]any)
	if !is {
		manifest = Manifest(w)
	}
	text, err := kjson.Marshal(map[string]any{"metadata": manifest["metadata"]})
	if err != nil {
		return err
	}
	var object struct {
		metav1.ObjectMeta `json:"metadata,omitempty"`
	}
	if err := kjson.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("unable to decode %q: %w", w.Source.File, err)
	}
	return nil
}

// AsCreate is the POST of an object that is made of the manifest of a write.
func AsCreate(w engine.Write, object map[string]any) engine.Write {
	w.Verb, w.Force = api.Create, false
	return WithManifest(w, object)
}

// WithBody is a write of another body, a tree of JSON.
func WithBody(w engine.Write, body any) engine.Write {
	// It has been decoded from JSON, and can be encoded.
	w, _ = w.Send(body)
	return w
}

// Live is the live object of a write; nil for none.
func Live(w engine.Write) map[string]any {
	if w.LiveObject == nil && w.Live != nil {
		return objects.Decode(w.Live)
	}
	return w.LiveObject
}
