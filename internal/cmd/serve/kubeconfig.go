package serve

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/serve/wire"
)

// contextName is the name of cluster, user and context in the kubeconfig. A file with it is
// one that serve wrote, and may write again.
const contextName = "ssactl-serve"

// kubeconfigOf is the kubeconfig for a server.
func kubeconfigOf(r wire.Ready) ([]byte, error) {
	return yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": contextName,
		"clusters": []any{map[string]any{"name": contextName, "cluster": map[string]any{
			"server": r.URL, "certificate-authority-data": base64.StdEncoding.EncodeToString(r.Certificate),
		}}},
		"users": []any{map[string]any{"name": contextName, "user": map[string]any{"token": r.Token}}},
		"contexts": []any{map[string]any{"name": contextName, "context": map[string]any{
			"cluster": contextName, "user": contextName, "namespace": "default",
		}}},
	})
}

// checkKubeconfig refuses to replace a file that serve did not write.
func (o *options) checkKubeconfig() error {
	if o.kubeconfig == "" || o.kubeconfig == "-" {
		return nil
	}
	path, err := filepath.Abs(o.kubeconfig)
	if err != nil {
		return err
	}
	users := filepath.SplitList(o.app.Streams.Getenv("KUBECONFIG"))
	if home, err := os.UserHomeDir(); err == nil {
		users = append(users, filepath.Join(home, ".kube", "config"))
	}
	info, err := os.Stat(path)
	if slices.ContainsFunc(users, func(user string) bool { return sameFile(user, path, info) }) && !ours(path) {
		return fmt.Errorf("--kubeconfig %s: this is your own kubeconfig, name another file", o.kubeconfig)
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("--kubeconfig: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("--kubeconfig %s: this is no regular file", o.kubeconfig)
	case info.Size() > 0 && !ours(path):
		return fmt.Errorf("--kubeconfig %s: the file exists, and serve did not write it: name another", o.kubeconfig)
	}
	return nil
}

func sameFile(one, other string, info os.FileInfo) bool {
	if one, err := filepath.Abs(one); err == nil && one == other {
		return true
	}
	its, err := os.Stat(one)
	return err == nil && info != nil && os.SameFile(its, info)
}

// ours reports whether serve wrote a kubeconfig.
func ours(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(text), "current-context: "+contextName+"\n")
}

// publish writes the kubeconfig where clients find it, as a whole: a file that is there is
// complete. It returns the path, empty for standard output.
func (o *options) publish(text []byte, dir string) (string, error) {
	if o.kubeconfig == "-" {
		_, err := o.app.Streams.Out.Write(text)
		return "", errors.Join(err, o.app.Streams.Flush())
	}
	path := filepath.Join(dir, "kubeconfig")
	if o.kubeconfig != "" {
		path = o.kubeconfig
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".ssactl-serve-*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return path, nil
}

// withdraw removes the kubeconfig, unless another run wrote it since.
func (o *options) withdraw(path string, text []byte) {
	if now, err := os.ReadFile(path); err == nil && string(now) == string(text) {
		_ = os.Remove(path)
	}
}
