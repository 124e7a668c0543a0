package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"github.com/ssactl/ssactl/internal/server/api"
)

// sent is a request as a handler sees it.
type sent struct{ Method, URI, ContentType, UserAgent, Body, Verb, Namespace, Name, User string }

// TestSend: a call becomes the request that a client would send, with what the filters of
// a server derive from it.
func TestSend(t *testing.T) {
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	grace := int64(0)
	for _, c := range []struct {
		name string
		gvr  schema.GroupVersionResource
		call api.Request
		want sent
	}{
		{"an apply", deployments, api.Request{Verb: api.Apply, Namespace: "a", Name: "d", Manager: "m", Force: true, Body: []byte("x")},
			sent{"PATCH", "/apis/apps/v1/namespaces/a/deployments/d?fieldManager=m&force=true", "application/apply-patch+yaml", "", "x", "patch", "a", "d", "ssactl"}},
		{"a dry run", deployments, api.Request{Verb: api.Update, Namespace: "a", Name: "d", DryRun: "All", FieldValidation: "Strict", UserAgent: "kubectl/v1"},
			sent{"PUT", "/apis/apps/v1/namespaces/a/deployments/d?dryRun=All&fieldValidation=Strict", "application/json", "kubectl/v1", "", "update", "a", "d", "ssactl"}},
		{"a create", deployments, api.Request{Verb: api.Create, Namespace: "a", Name: "d"},
			sent{"POST", "/apis/apps/v1/namespaces/a/deployments", "application/json", "", "", "create", "a", "", "ssactl"}},
		{"a create below an object", deployments, api.Request{Verb: api.Create, Namespace: "a", Name: "d", Subresource: "eviction"},
			sent{"POST", "/apis/apps/v1/namespaces/a/deployments/d/eviction", "application/json", "", "", "create", "a", "d", "ssactl"}},
		{"a patch of a status", deployments, api.Request{Verb: api.MergePatch, Namespace: "a", Name: "d", Subresource: "status"},
			sent{"PATCH", "/apis/apps/v1/namespaces/a/deployments/d/status", "application/merge-patch+json", "", "", "patch", "a", "d", "ssactl"}},
		{"a JSON patch", deployments, api.Request{Verb: api.JSONPatch, Name: "d"},
			sent{"PATCH", "/apis/apps/v1/deployments/d", "application/json-patch+json", "", "", "patch", "", "d", "ssactl"}},
		{"the caller's media type", deployments, api.Request{Verb: api.StrategicPatch, Name: "d", MediaType: "text/plain"},
			sent{"PATCH", "/apis/apps/v1/deployments/d", "text/plain", "", "", "patch", "", "d", "ssactl"}},
		{"a delete", deployments, api.Request{Verb: api.Delete, Namespace: "a", Name: "d", Manager: "m", PropagationPolicy: "Orphan", GracePeriodSeconds: &grace},
			sent{"DELETE", "/apis/apps/v1/namespaces/a/deployments/d?gracePeriodSeconds=0&propagationPolicy=Orphan", "", "", "", "delete", "a", "d", "ssactl"}},
		{"a delete with a body", deployments, api.Request{Verb: api.Delete, Name: "d", Body: []byte("{}")},
			sent{"DELETE", "/apis/apps/v1/deployments/d", "application/json", "", "{}", "delete", "", "d", "ssactl"}},
		{"a Namespace", namespaces, api.Request{Verb: api.Apply, Name: "a"},
			sent{"PATCH", "/api/v1/namespaces/a", "application/apply-patch+yaml", "", "", "patch", "a", "a", "ssactl"}},
	} {
		var got sent
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			info, _ := request.RequestInfoFrom(r.Context())
			by, _ := request.UserFrom(r.Context())
			body, err := io.ReadAll(r.Body)
			if err != nil || r.ContentLength != int64(len(body)) {
				t.Errorf("%s: read %d of %d: %v", c.name, len(body), r.ContentLength, err)
			}
			got = sent{
				r.Method,
				r.RequestURI,
				r.Header.Get("Content-Type"),
				r.Header.Get("User-Agent"),
				string(body), info.Verb, info.Namespace, info.Name, by.GetName(),
			}
		})
		reply, err := Send(context.Background(), c.call, c.gvr, nil, handler)
		if err != nil || reply.Code != http.StatusOK {
			t.Errorf("%s: %v, %v", c.name, reply, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	if _, err := Send(context.Background(), api.Request{Verb: "watch"}, deployments, nil, nil); err == nil {
		t.Error("an unknown verb was sent")
	}
}

// TestReply: the first status code counts, the deprecations of an endpoint come before the
// handler's warnings, and the requester of the context asks, where it has one.
func TestReply(t *testing.T) {
	ctx := request.WithUser(context.Background(), &user.DefaultInfo{Name: "other"})
	reply, err := Send(
		ctx,
		api.Request{Verb: api.Update},
		schema.GroupVersionResource{},
		[]string{"deprecated"},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if by, _ := request.UserFrom(r.Context()); by.GetName() != "other" {
				t.Errorf("%s asks", by.GetName())
			}
			warning.AddWarning(r.Context(), "", "of the handler")
			w.WriteHeader(http.StatusConflict)
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte("body"))
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Code != http.StatusConflict || reply.Body.String() != "body" {
		t.Errorf("%d %s", reply.Code, reply.Body.String())
	}
	if diff := cmp.Diff([]string{"deprecated", "of the handler"}, reply.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
}

// TestSortRules: warnings about rules are sorted where they follow each other, all others
// keep their places.
func TestSortRules(t *testing.T) {
	for _, c := range []struct{ given, want []string }{
		{nil, nil},
		{[]string{"b", "a"}, []string{"b", "a"}},
		{[]string{"z", "spec.b: Invalid value: 1", "spec.a: Forbidden: no", "y", "x"}, []string{"z", "spec.a: Forbidden: no", "spec.b: Invalid value: 1", "y", "x"}},
		{[]string{"b: Required value", "c", "a: Required value"}, []string{"b: Required value", "c", "a: Required value"}},
		{[]string{"b: Duplicate value: 1", "a: Duplicate value: 1"}, []string{"a: Duplicate value: 1", "b: Duplicate value: 1"}},
		{[]string{"b b: Invalid value", "a: Invalid values"}, []string{"b b: Invalid value", "a: Invalid values"}},
	} {
		got := slices.Clone(c.given)
		if sortRules(got); !slices.Equal(got, c.want) {
			t.Errorf("%q became %q, want %q", c.given, got, c.want)
		}
	}
}

// TestRefusals: the router's answers are those of a server, as client-go reads them.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, message, reason string
		code                  int
		handler               http.Handler
	}{
		{"no route", "the server could not find the requested resource", "NotFound", 404, NotFound()},
		{"no group", "the server could not find the requested resource", "NotFound", 404, NotServed("PATCH")},
		{"no method", "the server does not allow this method on the requested resource", "MethodNotAllowed", 405, Refused(http.StatusMethodNotAllowed)},
		{"no such patch", "415: Unsupported Media Type", "UnsupportedMediaType", 415, Refused(http.StatusUnsupportedMediaType)},
	} {
		reply, err := Send(context.Background(), api.Request{Verb: api.Apply}, schema.GroupVersionResource{}, nil, c.handler)
		if err != nil {
			t.Fatal(err)
		}
		var status struct {
			Kind, Message, Reason string
			Code                  int
		}
		if err := json.Unmarshal(reply.Body.Bytes(), &status); err != nil {
			t.Fatal(err)
		}
		if reply.Code != c.code || status.Code != c.code || status.Kind != "Status" || status.Message != c.message ||
			status.Reason != c.reason {
			t.Errorf("%s: %d %+v", c.name, reply.Code, status)
		}
	}
}

// TestNotSimulated: what needs a cluster is refused, in the core group only.
func TestNotSimulated(t *testing.T) {
	for _, c := range []struct {
		group, resource, subresource string
		refused                      bool
	}{
		{"", "pods", "exec", true},
		{"", "pods", "eviction", false},
		{"", "serviceaccounts", "token", true},
		{"", "configmaps", "proxy", false},
		{"lab.io", "pods", "exec", false},
	} {
		err := NotSimulated(schema.GroupVersionResource{Group: c.group, Version: "v1", Resource: c.resource}, c.subresource)
		if errors.Is(err, api.ErrNotSimulated) != c.refused {
			t.Errorf("%s %s/%s: %v", c.group, c.resource, c.subresource, err)
		}
	}
}

// TestNeedsWebhook: only an error of the server says that a webhook was to be called.
func TestNeedsWebhook(t *testing.T) {
	for code, want := range map[int]bool{500: true, 200: false, 422: false} {
		r := &Reply{Code: code}
		r.Body.WriteString(`{"message":"` + WebhookNeeded + `"}`)
		if got := NeedsWebhook(r); got != want {
			t.Errorf("%d: %t", code, got)
		}
	}
}
