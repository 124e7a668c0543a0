package server

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

// requester is who asks: a cluster administrator, whom nothing is forbidden.
var requester = &user.DefaultInfo{
	Name:   "ssactl",
	Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated},
}

// reply is what a handler wrote.
type reply struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (r *reply) Header() http.Header         { return r.header }
func (r *reply) Write(b []byte) (int, error) { return r.body.Write(b) }

func (r *reply) WriteHeader(code int) {
	if r.code == 0 {
		r.code = code
	}
}

// exchange sends a call through a handler, as the filters of a server would
// hand it on.
func exchange(ctx context.Context, call api.Request, gvr schema.GroupVersionResource, warnings []string, h http.Handler) (*reply, error) {
	httpRequest, err := httpRequest(ctx, call, gvr)
	if err != nil {
		return nil, err
	}
	answer := &reply{header: http.Header{}}
	filters.WithWarningRecorder(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, text := range warnings {
			warning.AddWarning(r.Context(), "", text)
		}
		h.ServeHTTP(w, r)
	})).ServeHTTP(answer, httpRequest)
	if answer.code == 0 {
		answer.code = http.StatusOK
	}
	return answer, nil
}

// warnings reads the Warning headers.
func (r *reply) warnings() []string {
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
	method, mediaType, err := methodOf(call)
	if err != nil {
		return nil, err
	}
	info := requestInfo(call, gvr, method)
	ctx = request.WithRequestInfo(ctx, info)
	if _, given := request.UserFrom(ctx); !given {
		ctx = request.WithUser(ctx, requester)
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

// methodOf gives the HTTP method and the media type of the body. A media type
// that the caller names wins, right or wrong: the server judges it.
func methodOf(call api.Request) (method, mediaType string, err error) {
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

var namespaces = schema.GroupResource{Resource: "namespaces"}

func requestInfo(call api.Request, gvr schema.GroupVersionResource, method string) *request.RequestInfo {
	info := &request.RequestInfo{
		IsResourceRequest: true,
		Verb:              map[string]string{http.MethodPatch: "patch", http.MethodPut: "update", http.MethodPost: "create", http.MethodDelete: "delete"}[method],
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
	if gvr.GroupResource() == namespaces {
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
