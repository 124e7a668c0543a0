package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"

	"k8s.io/client-go/rest"

	"github.com/ssactl/ssactl/test/parity"
)

// proxy writes down the requests that write.
type proxy struct {
	url    string
	server *http.Server
	mu     sync.Mutex
	seen   []parity.ClientSent
}

func startProxy(config *rest.Config) (*proxy, error) {
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{url: "http://" + listener.Addr().String()}
	forward := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
	}
	p.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			forward.ServeHTTP(w, r)
			return
		}
		p.serve(forward, w, r)
	})}
	go p.server.Serve(listener)
	return p, nil
}

func (p *proxy) close() { p.server.Close() }

// writes are the content types of patches.
var writes = map[string]string{
	"application/apply-patch+yaml":           "Apply",
	"application/json-patch+json":            "json",
	"application/merge-patch+json":           "merge",
	"application/strategic-merge-patch+json": "strategic",
}

// serve forwards a request that writes, and writes it down.
func (p *proxy) serve(forward http.Handler, w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	query := r.URL.Query()
	sent := parity.ClientSent{
		Path:    r.URL.Path,
		Manager: query.Get("fieldManager"),
		Force:   query.Get("force") == "true",
		DryRun:  query.Get("dryRun") != "",
	}
	switch r.Method {
	case http.MethodPost:
		sent.Write = "Create"
	case http.MethodPut:
		sent.Write = "Update"
	case http.MethodDelete:
		sent.Write = "Delete"
	default:
		sent.Write = writes[r.Header.Get("Content-Type")]
	}
	// Typed clients prefer protobuf.
	r.Header.Set("Accept", "application/json")
	if sent.Manager == standIn {
		forward.ServeHTTP(w, r)
		return
	}
	answer := &keeping{ResponseWriter: w}
	forward.ServeHTTP(answer, r)
	var told struct {
		Message           string
		Metadata, Details struct{ Name string }
	}
	_ = json.Unmarshal(answer.body.Bytes(), &told)
	if sent.Code = answer.code; sent.Code >= 300 {
		sent.Message = told.Message
	}
	if sent.Write == "Create" {
		sent.Path = path.Join(sent.Path, cmp.Or(nameIn(body), told.Metadata.Name, told.Details.Name))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, sent)
}

// nameIn is the name of an object in JSON; empty for protobuf.
func nameIn(body []byte) string {
	var object map[string]any
	_ = json.Unmarshal(body, &object)
	return nameOf(object)
}

// keeping keeps an answer that passes.
type keeping struct {
	http.ResponseWriter
	code int
	body bytes.Buffer
}

func (k *keeping) WriteHeader(code int) {
	k.code = code
	k.ResponseWriter.WriteHeader(code)
}

func (k *keeping) Write(text []byte) (int, error) {
	k.body.Write(text)
	return k.ResponseWriter.Write(text)
}

func (p *proxy) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = nil
}

// sent are the requests since forget, but for those about Helm's own records, events and
// reviews.
func (p *proxy) sent() []parity.ClientSent {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := []parity.ClientSent{}
	for _, s := range p.seen {
		if !strings.Contains(s.Path, "/"+releasePrefix) && !strings.HasSuffix(s.Path, "/secrets") &&
			!strings.HasPrefix(s.Path, "/apis/authorization.k8s.io/") {
			out = append(out, s)
		}
	}
	return out
}
