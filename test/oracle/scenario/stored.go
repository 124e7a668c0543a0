package scenario

import (
	"context"
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/ssactl/ssactl/test/parity"
)

// Storage is where a server keeps its objects.
type Storage interface {
	// Key finds where an object is; empty where it is not.
	Key(ctx context.Context, resource, namespace, name string) (string, error)
	// Store writes an object as it is given.
	Store(ctx context.Context, key string, object json.RawMessage) error
}

// store changes the stored object of a step without the server, which would not
// take it so.
func (r *Recorder) store(ctx context.Context, step parity.Step) error {
	if step.Stored == nil {
		return nil
	}
	path, err := parity.ParsePath(step.Request.Path)
	if err != nil {
		return err
	}
	live, err := r.live(ctx, path, step.Target.Name)
	if err != nil {
		return err
	}
	key, err := r.Storage.Key(ctx, path.Resource, path.Namespace, step.Target.Name)
	if err != nil {
		return err
	}
	if key == "" {
		return fmt.Errorf("no %s %s is stored", step.Target.Kind, step.Target.Name)
	}
	patched, err := jsonpatch.MergePatch(live, step.Stored)
	if err != nil {
		return fmt.Errorf("patch the stored object: %w", err)
	}
	return r.Storage.Store(ctx, key, patched)
}
