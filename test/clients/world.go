package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// world is a running server with the clients' programs.
type world struct {
	programs, dir string
	server        *exec.Cmd
	proxy         *proxy
	// kubeconfig is for programs: it leads to the proxy.
	kubeconfig string
}

// startWorld starts the server and the proxy in front of it.
func startWorld(ctx context.Context, o options) (*world, error) {
	dir, err := os.MkdirTemp("", "ssactl-clients-")
	if err != nil {
		return nil, err
	}
	w := &world{programs: o.programs, dir: dir, kubeconfig: filepath.Join(dir, "kubeconfig")}
	served := filepath.Join(dir, "served")
	w.server = exec.Command(filepath.Join(o.programs, "oracle"), "serve", "-kubeconfig", served)
	if o.serve != "" {
		w.server = exec.Command(o.serve, "serve", "--controllers", "none", "--kubeconfig", served)
	}
	w.server.Stderr = os.Stderr
	if err := w.server.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if _, err = os.Stat(served); err == nil {
			break
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	time.Sleep(time.Second)
	config, err := clientcmd.BuildConfigFromFlags("", served)
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	if w.proxy, err = startProxy(config); err != nil {
		return nil, errors.Join(err, w.close())
	}
	if err := os.WriteFile(w.kubeconfig, []byte(fmt.Sprintf(kubeconfig, w.proxy.url)), 0o600); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, w.define(ctx)
}

const kubeconfig = `{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":%q}}],
"users":[{"name":"u","user":{}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}`

func (w *world) close() error {
	if w.proxy != nil {
		w.proxy.close()
	}
	_ = w.server.Process.Signal(syscall.SIGINT)
	_ = w.server.Wait()
	return os.RemoveAll(w.dir)
}

// define installs the definition of the custom resource.
func (w *world) define(ctx context.Context) error {
	if err := w.call(ctx, http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", nil, "application/json", encode(definition)); err != nil {
		return err
	}
	var err error
	for range 50 {
		if err = w.call(ctx, http.MethodGet, "/apis/example.com/v1/widgets", nil, "", nil); err == nil {
			// Discovery and OpenAPI follow.
			time.Sleep(3 * time.Second)
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return err
}

func (w *world) namespace(ctx context.Context, name string) error {
	return w.call(ctx, http.MethodPost, "/api/v1/namespaces", nil, "application/json",
		encode(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}))
}

// call sends one request through the proxy.
func (w *world) call(
	ctx context.Context,
	method, path string,
	query url.Values,
	contentType string,
	body []byte,
) error {
	_, err := w.get(ctx, method, path, query, contentType, body)
	return err
}

func (w *world) get(
	ctx context.Context,
	method, path string,
	query url.Values,
	contentType string,
	body []byte,
) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.proxy.url+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, answer)
	}
	return answer, err
}

// dump lists the objects of a namespace, with their managed fields, and the revisions of
// Helm's releases.
func (w *world) dump(ctx context.Context, c *testCase) (objects, releases []json.RawMessage, err error) {
	namespace := c.namespace
	for _, k := range kinds {
		text, err := w.get(ctx, http.MethodGet, k.path(namespace), nil, "", nil)
		if err != nil {
			return nil, nil, err
		}
		var list struct {
			APIVersion string           `json:"apiVersion"`
			Kind       string           `json:"kind"`
			Items      []map[string]any `json:"items"`
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&list); err != nil {
			return nil, nil, err
		}
		for _, item := range list.Items {
			item["apiVersion"], item["kind"] = list.APIVersion, strings.TrimSuffix(list.Kind, "List")
			switch name := nameOf(item); {
			case strings.HasPrefix(name, releasePrefix):
				release, err := released(item)
				if err != nil {
					return nil, nil, err
				}
				releases = append(releases, release)
			case k.cluster && name != namespace:
			case name != "kube-root-ca.crt":
				if status, is := untouched[fmt.Sprint(item["kind"])]; is &&
					strings.Contains(string(encode(item)), `"manager":"`+standIn+`"`) {
					withoutStatus(item, status)
				}
				objects = append(objects, encode(item))
			}
		}
	}
	brought, err := w.brought(ctx, c)
	return append(objects, brought...), releases, err
}

func nameOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// run runs a program in the directory of a case; the error has what it printed.
func (w *world) run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(w.programs, name), args...)
	cmd.Env = append(
		os.Environ(),
		"KUBECONFIG="+w.kubeconfig,
		"HOME="+w.dir,
		"HELM_CACHE_HOME="+w.dir,
		"HELM_CONFIG_HOME="+w.dir,
		"HELM_DATA_HOME="+w.dir,
	)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s", bytes.TrimSpace(out))
	}
	return nil
}

// argoFiles are the files that Argo CD gives to kubectl.
var argoFiles = regexp.MustCompile(`/dev/shm/[0-9]+`)

// plain is an error without what only this machine has.
func (w *world) plain(err error, c *testCase) string {
	if err == nil {
		return ""
	}
	text := argoFiles.ReplaceAllString(err.Error(), "manifest")
	text = strings.NewReplacer(w.dir+"/", "", w.proxy.url, "https://server", c.dir, ".").Replace(text)
	if len(text) > 2000 {
		text = text[:2000]
	}
	return text
}

// config is for libraries.
func (w *world) config() *rest.Config { return &rest.Config{Host: w.proxy.url, QPS: -1} }
