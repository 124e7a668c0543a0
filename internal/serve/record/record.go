// Package record hears the writes of clients, with the object before and after each.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// Recorder says each write of a client. Writes are served one after the other, so what it says
// is before a write is what the server had.
type Recorder struct {
	say   func(wire.Write)
	infos request.RequestInfoFactory
	mu    sync.Mutex
}

// New says writes by a function, which is called for one at a time.
func New(say func(wire.Write)) *Recorder {
	return &Recorder{say: say, infos: request.RequestInfoFactory{
		APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
	}}
}

// writes are the methods that may write.
var writes = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// Streams and questions write nothing, and events are of no interest to their readers.
var (
	ignored = []string{
		"bindings", "events", "localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectreviews",
		"selfsubjectrulesreviews", "subjectaccessreviews", "tokenreviews",
	}
	ignoredSubresources = []string{"attach", "binding", "exec", "portforward", "proxy", "token"}
)

// Record implements chain.Recorder.
func (r *Recorder) Record(
	w http.ResponseWriter,
	asked *http.Request,
	next http.Handler,
	get func(path string) (int, []byte),
) {
	info, err := r.infos.NewRequestInfo(asked)
	if err != nil || !info.IsResourceRequest || !slices.Contains(writes, asked.Method) ||
		slices.Contains(ignored, info.Resource) || slices.Contains(ignoredSubresources, info.Subresource) {
		next.ServeHTTP(w, asked)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(io.LimitReader(asked.Body, maxBody))
	asked.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), asked.Body))
	if err != nil {
		next.ServeHTTP(w, asked)
		return
	}
	// What is recorded is to be read.
	asked.Header.Del("Accept-Encoding")
	is := r.begin(asked, info, body)
	path := pathOf(info, is.Name)
	is.Before = object(get, path)
	var there []json.RawMessage
	if info.Verb == "deletecollection" {
		there = listed(asked, get)
	}
	heard := &hearing{ResponseWriter: w, code: http.StatusOK}
	next.ServeHTTP(heard, asked)
	is.Code, is.Warnings = heard.code, warnings(heard.Header())
	is.Answer = plain(heard.Header().Get("Content-Type"), heard.text.Bytes())
	if is.Name == "" && info.Verb == "create" {
		is.Name = nameIn(is.Answer)
		path = pathOf(info, is.Name)
	}
	if there != nil {
		r.collection(is, info, get, there)
		return
	}
	is.After = object(get, path)
	r.say(is)
}

// maxBody is more than kube-apiserver takes.
const maxBody = 4 << 20

// begin is what a request says.
func (r *Recorder) begin(asked *http.Request, info *request.RequestInfo, body []byte) wire.Write {
	media, _, _ := strings.Cut(asked.Header.Get("Content-Type"), ";")
	text := plain(media, body)
	if !bytes.Equal(text, body) {
		media = "application/json"
	}
	return wire.Write{
		Time: time.Now().UTC(), Method: asked.Method, Path: asked.URL.Path, Query: asked.URL.RawQuery,
		UserAgent: asked.UserAgent(), Type: media, Body: text, Verb: info.Verb, Group: info.APIGroup,
		Version: info.APIVersion, Resource: info.Resource, Subresource: info.Subresource, Namespace: info.Namespace,
		Name: cmp.Or(info.Name, nameIfCreated(info, text)),
	}
}

// nameIfCreated is the name of an object that a request creates.
func nameIfCreated(info *request.RequestInfo, body []byte) string {
	if info.Verb != "create" {
		return ""
	}
	return nameIn(body)
}

func nameIn(object []byte) string {
	var head struct {
		Metadata struct{ Name string }
	}
	// What is no object has no name.
	_ = json.Unmarshal(object, &head)
	return head.Metadata.Name
}

// pathOf is where the object of a request is; empty for no object.
func pathOf(info *request.RequestInfo, name string) string {
	if name == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("/" + info.APIPrefix)
	if info.APIGroup != "" {
		b.WriteString("/" + info.APIGroup)
	}
	b.WriteString("/" + info.APIVersion)
	if info.Namespace != "" && info.Resource != "namespaces" {
		b.WriteString("/namespaces/" + info.Namespace)
	}
	b.WriteString("/" + info.Resource + "/" + name)
	return b.String()
}

// object is what is stored at a path; nil for nothing.
func object(get func(string) (int, []byte), path string) json.RawMessage {
	if path == "" {
		return nil
	}
	code, body := get(path)
	if code != http.StatusOK || !json.Valid(body) {
		return nil
	}
	return bytes.TrimSpace(body)
}

// warnings are the texts of Warning headers: code, agent, and the text in quotes.
func warnings(header http.Header) (texts []string) {
	for _, line := range header.Values("Warning") {
		_, quoted, found := strings.Cut(line, `"`)
		if found {
			texts = append(texts, strings.ReplaceAll(strings.TrimSuffix(quoted, `"`), `\"`, `"`))
		}
	}
	return texts
}

// hearing is a response that is heard while it is written.
type hearing struct {
	http.ResponseWriter
	code int
	text bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (h *hearing) WriteHeader(code int) {
	h.code = code
	h.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (h *hearing) Write(text []byte) (int, error) {
	h.text.Write(text)
	return h.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (h *hearing) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Flush implements http.Flusher.
func (h *hearing) Flush() { _ = http.NewResponseController(h.ResponseWriter).Flush() }
