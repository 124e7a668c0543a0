package client

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/ssactl/ssactl/internal/guard"
)

// release is what a revision of a Helm release says.
type release struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace"`
	Version     int    `json:"version"`
	Manifest    string `json:"manifest"`
	ApplyMethod string `json:"apply_method"`
	Info        struct {
		Status string `json:"status"`
	} `json:"info"`
}

// releaseOf names the release that the revision in a Secret belongs to
// (pkg/storage/storage.go, makeKey); empty for another Secret.
func releaseOf(secret *unstructured.Unstructured) types.NamespacedName {
	name, is := strings.CutPrefix(secret.GetName(), releasePrefix)
	i := strings.LastIndex(name, ".v")
	if !is || i < 0 {
		return types.NamespacedName{}
	}
	return types.NamespacedName{Namespace: secret.GetNamespace(), Name: name[:i]}
}

// clientSide reports whether the revision was applied client-side, as all were before
// Helm 4.
func (r release) clientSide() bool { return r.ApplyMethod != "ssa" }

// maxRelease bounds what a Secret may unpack to. A Secret has at most 1 MiB.
const maxRelease = 64 << 20

// errRelease is all that is said of a Secret that has no release: its text may have
// values.
var errRelease = errors.New("it has no release that can be read")

// readRelease reads the Secret of a revision: base64 of base64 of gzip of JSON
// (helm, pkg/storage/driver/util.go, decodeRelease).
func readRelease(secret map[string]any) (release, error) {
	inner, err := base64.StdEncoding.DecodeString(text(secret, "data", "release"))
	if err != nil {
		return release{}, errRelease
	}
	raw, err := base64.StdEncoding.DecodeString(string(inner))
	if err != nil {
		return release{}, errRelease
	}
	if bytes.HasPrefix(raw, []byte{0x1f, 0x8b, 0x08}) {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return release{}, errRelease
		}
		if raw, err = io.ReadAll(io.LimitReader(z, maxRelease+1)); err != nil || len(raw) > maxRelease {
			return release{}, errRelease
		}
	}
	var r release
	if err := json.Unmarshal(raw, &r); err != nil {
		return release{}, errRelease
	}
	return r, nil
}

// manifestsOf are the objects of a release's manifest.
func manifestsOf(manifest string) ([]map[string]any, error) {
	return guard.Value(func() ([]map[string]any, error) {
		var out []map[string]any
		d := yaml.NewYAMLOrJSONDecoder(strings.NewReader(manifest), 4096)
		for {
			var object map[string]any
			switch err := d.Decode(&object); {
			case errors.Is(err, io.EOF):
				return out, nil
			case err != nil:
				return nil, fmt.Errorf("a document of the manifest of the release cannot be read")
			case len(object) > 0:
				out = append(out, object)
			}
		}
	})
}
