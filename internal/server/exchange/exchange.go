// Package exchange is the HTTP exchange of one call with a handler: request in, status
// code and body out. refusals.go has the answers of a server's router, for calls that no
// handler takes.
package exchange

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Requester is a cluster administrator, who may do everything.
var Requester = &user.DefaultInfo{
	Name:   "ssactl",
	Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated},
}

// Reply is what a handler wrote.
type Reply struct {
	header http.Header
	Code   int
	Body   bytes.Buffer
}

// Header is for the handler to write to.
func (r *Reply) Header() http.Header         { return r.header }
func (r *Reply) Write(b []byte) (int, error) { return r.Body.Write(b) }

// WriteHeader notes the first status code.
func (r *Reply) WriteHeader(code int) {
	if r.Code == 0 {
		r.Code = code
	}
}

// Send sends a call through a handler, as the filters of a server would hand it on.
func Send(
	ctx context.Context,
	call api.Request,
	gvr schema.GroupVersionResource,
	warnings []string,
	h http.Handler,
) (*Reply, error) {
	httpRequest, err := httpRequest(ctx, call, gvr)
	if err != nil {
		return nil, err
	}
	answer := &Reply{header: http.Header{}}
	filters.WithWarningRecorder(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, text := range warnings {
			warning.AddWarning(r.Context(), "", text)
		}
		h.ServeHTTP(w, r)
	})).ServeHTTP(answer, httpRequest)
	if answer.Code == 0 {
		answer.Code = http.StatusOK
	}
	return answer, nil
}

// Warnings reads the Warning headers.
func (r *Reply) Warnings() []string {
	parsed, _ := utilnet.ParseWarningHeaders(r.header.Values("Warning"))
	var texts []string
	for _, w := range parsed {
		texts = append(texts, w.Text)
	}
	sortRules(texts)
	return texts
}

// ruleWarning is one by which a server says that the object broke a rule of its
// definition before, and may go on to.
var ruleWarning = regexp.MustCompile(`^[^\s:]+: (?:Invalid value|Forbidden|Required value|Duplicate value)\b`)

// sortRules sorts such warnings where they follow each other: a server goes through
// the fields of a definition in any order.
func sortRules(texts []string) {
	for start := 0; start < len(texts); start++ {
		end := start
		for end < len(texts) && ruleWarning.MatchString(texts[end]) {
			end++
		}
		if end > start {
			slices.Sort(texts[start:end])
			start = end
		}
	}
}

func httpRequest(ctx context.Context, call api.Request, gvr schema.GroupVersionResource) (*http.Request, error) {
	method, mediaType, err := MethodOf(call)
	if err != nil {
		return nil, err
	}
	info := RequestInfo(call, gvr, method)
	ctx = request.WithRequestInfo(ctx, info)
	if _, given := request.UserFrom(ctx); !given {
		ctx = request.WithUser(ctx, Requester)
	}
	ctx = audit.WithAuditContext(ctx)
	target := url.URL{Scheme: "https", Host: "localhost", Path: info.Path, RawQuery: query(call).Encode()}
	r := (&http.Request{
		Method:     method,
		URL:        &target,
		Proto:      "HTTP/2.0",
		ProtoMajor: 2,
		Header:     http.Header{"Accept": {api.JSON}},
		Body:       io.NopCloser(bytes.NewReader(call.Body)),
		Host:       target.Host,
		RequestURI: target.RequestURI(),
	}).WithContext(ctx)
	r.ContentLength = int64(len(call.Body))
	if mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
	}
	if call.UserAgent != "" {
		r.Header.Set("User-Agent", call.UserAgent)
	}
	return r, nil
}

// MethodOf gives the HTTP method and the media type of the body. A media type
// that the caller names wins, right or wrong: the server judges it.
func MethodOf(call api.Request) (method, mediaType string, err error) {
	switch call.Verb {
	case api.Apply:
		method, mediaType = http.MethodPatch, string(types.ApplyYAMLPatchType)
	case api.MergePatch:
		method, mediaType = http.MethodPatch, string(types.MergePatchType)
	case api.JSONPatch:
		method, mediaType = http.MethodPatch, string(types.JSONPatchType)
	case api.StrategicPatch:
		method, mediaType = http.MethodPatch, string(types.StrategicMergePatchType)
	case api.Update:
		method, mediaType = http.MethodPut, api.JSON
	case api.Create:
		method, mediaType = http.MethodPost, api.JSON
	case api.Delete:
		method = http.MethodDelete
		if len(call.Body) > 0 {
			mediaType = api.JSON
		}
	default:
		return "", "", fmt.Errorf("unknown verb %q", call.Verb)
	}
	if call.MediaType != "" {
		mediaType = call.MediaType
	}
	return method, mediaType, nil
}

// Namespaces is the resource with requests that carry their own name as their namespace.
var Namespaces = schema.GroupResource{Resource: "namespaces"}

// requestVerbs are the verbs of the methods that write.
var requestVerbs = map[string]string{
	http.MethodPatch: "patch", http.MethodPut: "update", http.MethodPost: "create", http.MethodDelete: "delete",
}

// RequestInfo is what the filters of a server derive from a call.
func RequestInfo(call api.Request, gvr schema.GroupVersionResource, method string) *request.RequestInfo {
	info := &request.RequestInfo{
		IsResourceRequest: true,
		Verb:              requestVerbs[method],
		APIPrefix:         "apis",
		APIGroup:          gvr.Group,
		APIVersion:        gvr.Version,
		Namespace:         call.Namespace,
		Resource:          gvr.Resource,
		Subresource:       call.Subresource,
		Name:              call.Name,
	}
	if gvr.Group == "" {
		info.APIPrefix = "api"
	}
	if method == http.MethodPost && call.Subresource == "" {
		info.Name = ""
	}
	info.Path = path.Join("/", info.APIPrefix, gvr.Group, gvr.Version)
	if call.Namespace != "" {
		info.Path = path.Join(info.Path, "namespaces", call.Namespace)
	}
	info.Path = path.Join(info.Path, gvr.Resource, info.Name, call.Subresource)
	if gvr.GroupResource() == Namespaces {
		// The path of a Namespace begins as the paths of what is in it.
		info.Namespace = info.Name
	}
	return info
}

func query(call api.Request) url.Values {
	q := url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	if call.Verb == api.Delete {
		set("propagationPolicy", call.PropagationPolicy)
		if call.GracePeriodSeconds != nil {
			set("gracePeriodSeconds", strconv.FormatInt(*call.GracePeriodSeconds, 10))
		}
	} else {
		set("fieldManager", call.Manager)
		set("fieldValidation", call.FieldValidation)
	}
	if call.Force {
		set("force", "true")
	}
	set("dryRun", call.DryRun)
	return q
}

// WebhookNeeded is the error of a conversion that takes a webhook.
const WebhookNeeded = "ssactl: conversion by webhook"

// NeedsWebhook reports whether a refusal says that a conversion webhook was to be called.
func NeedsWebhook(r *Reply) bool {
	return r.Code >= http.StatusInternalServerError && strings.Contains(r.Body.String(), WebhookNeeded)
}

// Target is where a call goes.
type Target struct {
	GVR      schema.GroupVersionResource
	Warnings []string
	Handler  http.Handler
	// Encode turns a stored object into JSON at the version of the call.
	Encode func(runtime.Object) ([]byte, error)
	// Caveats say what else might answer.
	Caveats []api.Caveat
}

// MaxRequestBytes is kube-apiserver's limit on a request's body.
const MaxRequestBytes = 3 * 1024 * 1024
