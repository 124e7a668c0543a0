package ssatest

import (
	"encoding/json"
	"path/filepath"
	"slices"
)

// Option says what a server has at its start.
type Option func(*options)

type options struct {
	live, definitions []string
	objects           []any
	ready             bool
	// err is that of an option that cannot be.
	err error
}

// Files are files or directories with objects of the cluster, as 'kubectl get
// --show-managed-fields -o yaml' writes them.
func Files(paths ...string) Option {
	return func(o *options) { o.live = append(o.live, o.absolute(paths)...) }
}

// Objects are objects of the cluster: of the API's Go types with their apiVersion and kind set,
// or maps.
func Objects(objects ...any) Option {
	return func(o *options) { o.objects = append(o.objects, objects...) }
}

// CRDs are files or directories with CustomResourceDefinitions.
func CRDs(paths ...string) Option {
	return func(o *options) { o.definitions = append(o.definitions, o.absolute(paths)...) }
}

// Ready marks workloads as rolled out as soon as they are written, and Jobs as complete.
func Ready() Option {
	return func(o *options) { o.ready = true }
}

// absolute are paths whatever the directory of a test that shares the server.
func (o *options) absolute(paths []string) []string {
	var out []string
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			o.err = err
		}
		out = append(out, path)
	}
	return out
}

// args are the arguments of 'ssactl serve', and the objects that are to be a file.
func (o *options) args() (args []string, list []byte, err error) {
	for _, path := range o.live {
		args = append(args, "--live", path)
	}
	for _, path := range o.definitions {
		args = append(args, "--crds", path)
	}
	if o.ready {
		args = append(args, "--ready")
	}
	if len(o.objects) > 0 {
		list, err = json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": o.objects})
	}
	return slices.Clip(args), list, err
}
