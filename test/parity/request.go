package parity

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// ErrNotACall is what Request wraps for an HTTP request that an
// api.Request cannot say: an unknown method or parameter, a force that is
// not one.
var ErrNotACall = errors.New("not an API call of this vocabulary")

// Request says a step's HTTP request as an API call. Live is the step's
// LiveBefore, and Now is when the step was recorded, so that whole seconds
// fall as they did.
func Request(step Step) (api.Request, error) {
	kind := schema.FromAPIVersionAndKind(step.Target.APIVersion, step.Target.Kind)
	path, err := ParsePath(step.Request.Path)
	if err != nil {
		return api.Request{}, err
	}
	req := api.Request{
		Kind:        kind,
		Subresource: path.Subresource,
		Namespace:   path.Namespace,
		Name:        path.Name,
		UserAgent:   step.UserAgent,
		Body:        step.Request.Bytes(),
		Now:         step.StartedAt,
	}
	if req.Verb, err = verb(step.Request); err != nil {
		return api.Request{}, err
	}
	req.MediaType = step.Request.ContentType
	if req.Verb == api.Create && req.Name == "" {
		req.Name = objectName(req.Body)
	}
	req.Live = liveBefore(step)
	return req, query(&req, step.Request.Query)
}

// verbs are by method, and for PATCH by media type.
var verbs = map[string]api.Verb{
	http.MethodPost:   api.Create,
	http.MethodPut:    api.Update,
	http.MethodDelete: api.Delete,
	http.MethodPatch + " application/apply-patch+yaml":           api.Apply,
	http.MethodPatch + " application/merge-patch+json":           api.MergePatch,
	http.MethodPatch + " application/json-patch+json":            api.JSONPatch,
	http.MethodPatch + " application/strategic-merge-patch+json": api.StrategicPatch,
}

func verb(r HTTPRequest) (api.Verb, error) {
	if r.Method == http.MethodPatch {
		if found, ok := verbs[r.Method+" "+r.ContentType]; ok {
			return found, nil
		}
		// A patch of a media type that no server takes.
		return api.Apply, nil
	}
	found, ok := verbs[r.Method]
	if !ok {
		return "", fmt.Errorf("%s: %w", r.Method, ErrNotACall)
	}
	return found, nil
}

// query fills in what the query parameters say.
func query(req *api.Request, values map[string][]string) error {
	for name, given := range values {
		if len(given) != 1 {
			return fmt.Errorf("%s given %d times: %w", name, len(given), ErrNotACall)
		}
		if err := parameter(req, name, given[0]); err != nil {
			return fmt.Errorf("%s=%s: %w", name, given[0], err)
		}
	}
	return nil
}

func parameter(req *api.Request, name, value string) error {
	switch name {
	case "fieldManager":
		req.Manager = value
	case "fieldValidation":
		req.FieldValidation = value
	case "propagationPolicy":
		req.PropagationPolicy = value
	case "dryRun":
		req.DryRun = value
	case "force":
		force, err := strconv.ParseBool(value)
		if err != nil {
			return ErrNotACall
		}
		req.Force = force
	case "gracePeriodSeconds":
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return ErrNotACall
		}
		req.GracePeriodSeconds = &seconds
	default:
		return ErrNotACall
	}
	return nil
}
