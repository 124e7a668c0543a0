package serve

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/serve/chain"
)

// writeBack writes the objects of a server as a List: those that it was given, and those that
// were written since. What every new cluster has is not in it. The file is replaced as a whole.
func writeBack(server *chain.Server, path string, given map[live.Key]bool) error {
	// The context of the run is done, and the server is not yet.
	objects, err := server.Objects(context.Background())
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".ssactl-serve-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	out := bufio.NewWriter(file)
	out.WriteString(`{"apiVersion": "v1", "kind": "List", "items": [`)
	separator := "\n"
	for _, o := range objects {
		key := live.Key{Group: o.Group, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
		made := !o.Changed || o.Own || o.Kind == "ServiceAccount" && o.Name == "default"
		if made && !given[key] {
			continue
		}
		out.WriteString(separator)
		out.Write(o.Text)
		separator = ",\n"
	}
	out.WriteString("\n]}\n")
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
