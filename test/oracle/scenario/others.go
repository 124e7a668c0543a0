package scenario

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/parity"
)

// others sends a step's request again, as often as it says, and notes what else the
// server answers. In between it has the server put its policies into an order anew.
func (r *Recorder) others(ctx context.Context, scenario parity.Scenario, step *parity.Step) error {
	step.Others = nil
	for n := range step.Again {
		if err := r.touch(ctx, scenario, n); err != nil {
			return err
		}
		again, err := r.Step(ctx, *step)
		if err != nil {
			return err
		}
		if parity.Diff(*step, api.Response{Code: again.Status, Body: again.Response, Warnings: again.Warnings}) == "" {
			continue
		}
		step.Others = append(
			step.Others,
			parity.Answer{Status: again.Status, Warnings: again.Warnings, Response: again.Response},
		)
	}
	return nil
}

// touch changes the policies that a scenario has written, in nothing that counts:
// the server then goes through all of them again, in whatever order.
func (r *Recorder) touch(ctx context.Context, scenario parity.Scenario, n int) error {
	for _, step := range scenario.Steps {
		if !strings.HasSuffix(step.Target.Kind, "AdmissionPolicy") || parity.IsNull(step.LiveAfter) {
			continue
		}
		path, err := parity.ParsePath(step.Request.Path)
		if err != nil {
			return err
		}
		_, err = r.Client.Do(ctx, kube.Call{
			Method: http.MethodPatch, Path: path.Object(step.Target.Name), ContentType: "application/merge-patch+json",
			Body: fmt.Appendf(nil, `{"metadata":{"annotations":{"oracle":"%d"}}}`, n),
		})
		if err != nil {
			return err
		}
	}
	r.inForce = later(r.inForce, time.Now().Add(policyTime))
	return nil
}
