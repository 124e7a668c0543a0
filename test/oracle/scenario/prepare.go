package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/ssactl/ssactl/test/oracle/kube"
	"github.com/ssactl/ssactl/test/parity"
)

const (
	crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	// crdTime bounds how long the server may take to serve a definition.
	crdTime = 30 * time.Second
	// changeTime bounds how long a changed definition may take; many changes
	// are such that it is never served.
	changeTime = 2 * time.Second
	// crdSettle is how long the server may go on to serve the former
	// definition after it has told of the new one.
	crdSettle = 1500 * time.Millisecond
)

// Prepare makes the scenario's namespace and installs its definitions, which
// become what the server stored.
func (r *Recorder) Prepare(ctx context.Context, scenario *parity.Scenario) error {
	if err := r.namespace(ctx, scenario.Namespace); err != nil {
		return err
	}
	var installed []json.RawMessage
	for _, crd := range scenario.CRDs {
		stored, err := r.install(ctx, crd)
		if err != nil {
			return err
		}
		installed = append(installed, stored)
	}
	scenario.CRDs = installed
	return nil
}

// wait returns when all that was written is in force, unless the next request is
// one that policies do not judge.
func (r *Recorder) wait(ctx context.Context, next parity.Step) error {
	if strings.HasPrefix(next.Target.APIVersion, "admissionregistration.k8s.io/") {
		return nil
	}
	return sleep(ctx, time.Until(r.inForce))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (r *Recorder) namespace(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, name)
	answer, err := r.Client.Do(ctx, jsonCall(http.MethodPost, "/api/v1/namespaces", []byte(body)))
	if err != nil {
		return err
	}
	if answer.Code != http.StatusCreated && answer.Code != http.StatusConflict {
		return fmt.Errorf("create namespace %s: %d %s", name, answer.Code, answer.Body)
	}
	return nil
}

// install makes the server serve a definition as it is given, and gives it as
// it is stored.
func (r *Recorder) install(ctx context.Context, crd json.RawMessage) (json.RawMessage, error) {
	name := nameOf(crd)
	current, err := r.Client.Get(ctx, crdPath+"/"+name)
	if err != nil {
		return nil, err
	}
	if current.Code == http.StatusOK && sameSpec(crd, current.Body) {
		return current.Body, nil
	}
	call := jsonCall(http.MethodPost, crdPath, definition(crd, ""))
	if current.Code == http.StatusOK {
		version := versionOf(current.Body)
		call = jsonCall(http.MethodPut, crdPath+"/"+name, definition(crd, version))
	}
	answer, err := r.Client.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	if answer.Code >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("install %s: %d %s", name, answer.Code, answer.Body)
	}
	ctx, cancel := context.WithTimeout(ctx, crdTime)
	defer cancel()
	return r.established(ctx, name)
}

// forceTime is how long the server may take until what a step wrote decides how
// other requests are answered: it compiles policies anew every second, and hears
// of the rest at once.
var forceTime = map[string]time.Duration{
	"ValidatingAdmissionPolicy":        policyTime,
	"ValidatingAdmissionPolicyBinding": policyTime,
	"MutatingAdmissionPolicy":          policyTime,
	"MutatingAdmissionPolicyBinding":   policyTime,
	"ValidatingWebhookConfiguration":   time.Second,
	"MutatingWebhookConfiguration":     time.Second,
	"IngressClass":                     seenTime,
	"LimitRange":                       seenTime,
	"Namespace":                        seenTime,
	"Node":                             seenTime,
	"Pod":                              seenTime,
	"PriorityClass":                    seenTime,
	"ResourceQuota":                    seenTime,
	"RuntimeClass":                     seenTime,
	"ServiceAccount":                   seenTime,
	"StorageClass":                     seenTime,
}

const (
	policyTime = 2500 * time.Millisecond
	seenTime   = 300 * time.Millisecond
)

// InForce is how long the server may take until a new object of a kind decides how other requests
// are answered; 0 for kinds that decide nothing.
func InForce(kind string) time.Duration { return forceTime[kind] }

// settle waits until what a step did is in force: what it did to a definition is
// served, what it did to a policy is judged by. Of several such steps in a row
// only the last waits.
func (r *Recorder) settle(ctx context.Context, step parity.Step) error {
	if step.Status < 300 && len(step.Request.Query["dryRun"]) == 0 {
		r.inForce = later(r.inForce, time.Now().Add(forceTime[step.Target.Kind]))
	}
	if step.Target.Kind != "CustomResourceDefinition" || step.Status >= 300 || parity.IsNull(step.LiveAfter) {
		return nil
	}
	changed, cancel := context.WithTimeout(ctx, changeTime)
	defer cancel()
	// One that is not served is an answer too.
	_, _ = r.established(changed, step.Target.Name)
	return ctx.Err()
}

// established waits until a definition is served.
func (r *Recorder) established(ctx context.Context, name string) (json.RawMessage, error) {
	for {
		answer, err := r.Client.Get(ctx, crdPath+"/"+name)
		if err != nil {
			return nil, err
		}
		if isEstablished(answer) {
			return answer.Body, sleep(ctx, crdSettle)
		}
		if refused(answer) {
			return nil, fmt.Errorf("install %s: its names are not accepted", name)
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return nil, fmt.Errorf("wait for %s: %w", name, err)
		}
	}
}

func isEstablished(answer kube.Answer) bool {
	return condition(answer.Body, "Established") == "True"
}

func refused(answer kube.Answer) bool {
	return condition(answer.Body, "NamesAccepted") == "False"
}

func condition(object json.RawMessage, name string) string {
	var crd struct {
		Status struct {
			Conditions []struct{ Type, Status string } `json:"conditions"`
		} `json:"status"`
	}
	// What cannot be read has no condition.
	_ = json.Unmarshal(object, &crd)
	for _, c := range crd.Status.Conditions {
		if c.Type == name {
			return c.Status
		}
	}
	return ""
}

// definition gives a CRD without what the server writes into it.
func definition(crd json.RawMessage, resourceVersion string) []byte {
	var object map[string]any
	if err := json.Unmarshal(crd, &object); err != nil {
		return crd
	}
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
			delete(metadata, field)
		}
		if resourceVersion != "" {
			metadata["resourceVersion"] = resourceVersion
		}
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return crd
	}
	return raw
}

func versionOf(object json.RawMessage) string {
	var document struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	// What is no object has no version.
	_ = json.Unmarshal(object, &document)
	return document.Metadata.ResourceVersion
}

func sameSpec(a, b json.RawMessage) bool {
	var x, y struct {
		Spec any `json:"spec"`
	}
	if errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

func jsonCall(method, path string, body []byte) kube.Call {
	return kube.Call{Method: method, Path: path, ContentType: "application/json", Body: body}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
