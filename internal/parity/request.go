package parity

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/ssactl/ssactl/internal/apicall"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ErrNotACall is what Request wraps for an HTTP request that an
// apicall.Request cannot say: an unknown media type, a force or dryRun that is
// not one.
var ErrNotACall = errors.New("not an API call of this vocabulary")

// Request says a step's HTTP request as an API call. Live is the step's
// LiveBefore without what the server's own controllers write (see
// withoutControllerStatus), and Now is when the step was recorded, so that
// whole seconds fall as they did.
func Request(step Step) (apicall.Request, error) {
	kind := schema.FromAPIVersionAndKind(step.Target.APIVersion, step.Target.Kind)
	path, err := ParsePath(step.Request.Path)
	if err != nil {
		return apicall.Request{}, err
	}
	req := apicall.Request{
		Kind:        kind,
		Subresource: path.Subresource,
		Namespace:   path.Namespace,
		Name:        path.Name,
		UserAgent:   step.UserAgent,
		Body:        step.Request.Bytes(),
		Now:         step.StartedAt,
	}
	if req.Verb, err = verb(step.Request); err != nil {
		return apicall.Request{}, err
	}
	if req.Verb == apicall.Create || req.Verb == apicall.Update {
		req.MediaType = step.Request.ContentType
	}
	if req.Verb == apicall.Create && req.Name == "" {
		req.Name = objectName(req.Body)
	}
	if req.Live, err = liveBefore(step); err != nil {
		return apicall.Request{}, err
	}
	return req, query(&req, step.Request.Query)
}

// verbs are by method, and for PATCH by media type.
var verbs = map[string]apicall.Verb{
	http.MethodPost:   apicall.Create,
	http.MethodPut:    apicall.Update,
	http.MethodDelete: apicall.Delete,
	http.MethodPatch + " application/apply-patch+yaml":           apicall.Apply,
	http.MethodPatch + " application/merge-patch+json":           apicall.MergePatch,
	http.MethodPatch + " application/json-patch+json":            apicall.JSONPatch,
	http.MethodPatch + " application/strategic-merge-patch+json": apicall.StrategicPatch,
}

func verb(r HTTPRequest) (apicall.Verb, error) {
	key := r.Method
	if key == http.MethodPatch {
		key += " " + r.ContentType
	}
	found, ok := verbs[key]
	if !ok {
		return "", fmt.Errorf("%s: %w", key, ErrNotACall)
	}
	return found, nil
}

// query fills in what the query parameters say.
func query(req *apicall.Request, values map[string][]string) error {
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

func parameter(req *apicall.Request, name, value string) error {
	switch name {
	case "fieldManager":
		req.Manager = value
	case "fieldValidation":
		req.FieldValidation = value
	case "propagationPolicy":
		req.PropagationPolicy = value
	case "dryRun":
		req.DryRun = value == "All"
		if !req.DryRun {
			return ErrNotACall
		}
	case "force":
		force, err := strconv.ParseBool(value)
		if err != nil || req.Verb != apicall.Apply {
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
