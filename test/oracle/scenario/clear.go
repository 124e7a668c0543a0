package scenario

import (
	"context"
	"net/http"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/parity"
)

// Clear deletes the cluster-scoped objects that a scenario leaves: a default
// class, a policy or a priority would change the answers of the next.
func (r *Recorder) Clear(ctx context.Context, scenario parity.Scenario) error {
	done := map[string]bool{}
	for _, step := range scenario.Steps {
		path, err := parity.ParsePath(step.Request.Path)
		if err != nil || path.Namespace != "" || path.Resource == "namespaces" {
			continue
		}
		object := path.Object(step.Target.Name)
		if done[object] || parity.IsNull(step.LiveAfter) {
			continue
		}
		done[object] = true
		r.inForce = later(r.inForce, time.Now().Add(forceTime[step.Target.Kind]))
		if err := r.remove(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes an object, whatever finalizers it has.
func (r *Recorder) remove(ctx context.Context, path string) error {
	deletion := kube.Call{Method: http.MethodDelete, Path: path}
	if _, err := r.Client.Do(ctx, deletion); err != nil {
		return err
	}
	_, err := r.Client.Do(ctx, kube.Call{
		Method:      http.MethodPatch,
		Path:        path,
		ContentType: "application/merge-patch+json",
		Body:        []byte(`{"metadata":{"finalizers":null}}`),
	})
	return err
}
