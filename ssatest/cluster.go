package ssatest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"sigs.k8s.io/yaml"
)

// Ref names an object. Namespace is empty for a cluster-scoped one.
type Ref struct {
	APIVersion, Kind, Namespace, Name string
}

// String is as 'Deployment shop/web'.
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// Reset brings back what the server had at its start.
func (c *Cluster) Reset() {
	c.t.Helper()
	if code, body := c.do(http.MethodPost, "/ssactl/reset", "", nil); code != http.StatusOK {
		c.t.Fatalf("reset: %d %s", code, body)
	}
}

// do sends a request, and gives the answer.
func (c *Cluster) do(method, path, media string, body []byte) (int, []byte) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.Config.Host+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	answer, err := c.client.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, text
}

// read decodes the answer to a GET.
func (c *Cluster) read(path string, into any) {
	c.t.Helper()
	code, body := c.do(http.MethodGet, path, "", nil)
	if code != http.StatusOK {
		c.t.Fatalf("GET %s: %d %s", path, code, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		c.t.Fatalf("GET %s: %v", path, err)
	}
}

type resource struct {
	Name, Kind string
	Namespaced bool
	Verbs      []string
}

// resources are those of a group and version.
func (c *Cluster) resources(apiVersion string) []resource {
	c.t.Helper()
	var list struct{ Resources []resource }
	c.read(root(apiVersion), &list)
	return list.Resources
}

func root(apiVersion string) string {
	if strings.Contains(apiVersion, "/") {
		return "/apis/" + apiVersion
	}
	return "/api/" + apiVersion
}

// path is where an object is.
func (c *Cluster) path(r Ref) string {
	c.t.Helper()
	for _, is := range c.resources(r.APIVersion) {
		if is.Kind != r.Kind || strings.Contains(is.Name, "/") {
			continue
		}
		path := root(r.APIVersion)
		if is.Namespaced {
			path += "/namespaces/" + url.PathEscape(r.Namespace)
		}
		return path + "/" + is.Name + "/" + url.PathEscape(r.Name)
	}
	c.t.Fatalf("the server has no kind %s in %s", r.Kind, r.APIVersion)
	return ""
}

// object reads an object.
func (c *Cluster) object(r Ref) (o object) {
	c.t.Helper()
	c.read(c.path(r), &o)
	return o
}

// object is what assertions look at.
type object struct {
	APIVersion, Kind string
	Metadata         struct {
		Name, Namespace, ResourceVersion string
		ManagedFields                    []entry
	}
}

type entry struct {
	Manager, Operation, Subresource string
	FieldsV1                        json.RawMessage
}

// apply applies a manifest as a field manager, and gives the answer.
func (c *Cluster) apply(manifest, manager string, query ...string) (Ref, int, []byte) {
	c.t.Helper()
	text, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		c.t.Fatalf("the manifest: %v", err)
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		c.t.Fatalf("the manifest: %v", err)
	}
	r := Ref{o.APIVersion, o.Kind, o.Metadata.Namespace, o.Metadata.Name}
	path := fmt.Sprintf("%s?fieldManager=%s", c.path(r), url.QueryEscape(manager))
	for _, q := range query {
		path += "&" + q
	}
	code, body := c.do(http.MethodPatch, path, "application/apply-patch+yaml", text)
	return r, code, body
}
