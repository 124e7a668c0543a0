package ssatest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// Cluster is a server for one test.
type Cluster struct {
	// Config is that of a client that is an administrator of the cluster.
	Config *rest.Config
	// Kubeconfig is a file for other programs.
	Kubeconfig string

	t      testing.TB
	client *http.Client
	// marked is the revision of Mark.
	marked string
}

// server is a program that runs until this process ends: its standard input ends then.
type server struct {
	config     *rest.Config
	kubeconfig string
	client     *http.Client
	// input and output are held: the program ends when its standard input is closed.
	input  io.Closer
	output io.Closer
	// used: another test has written to it.
	used bool
}

var (
	lock    sync.Mutex
	servers = map[string]*server{}
)

// Start gives a server with what the options say, and nothing else. The test fails if there is
// none.
func Start(t testing.TB, with ...Option) *Cluster {
	t.Helper()
	var o options
	for _, option := range with {
		option(&o)
	}
	args, list, err := o.args()
	if err = first(o.err, err); err != nil {
		t.Fatal(err)
	}
	lock.Lock()
	defer lock.Unlock()
	key := strings.Join(args, "\x00") + "\x00" + string(list)
	s := servers[key]
	if s == nil {
		if s, err = serve(args, list); err != nil {
			t.Fatalf("ssatest: %v", err)
		}
		servers[key] = s
	}
	c := &Cluster{Config: rest.CopyConfig(s.config), Kubeconfig: s.kubeconfig, t: t, client: s.client}
	if s.used {
		c.Reset()
	}
	s.used = true
	c.Mark()
	return c
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// serve starts a program, and returns when it serves.
func serve(args []string, list []byte) (*server, error) {
	ssactl, err := program()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ssatest-")
	if err != nil {
		return nil, err
	}
	// It is read before the server is ready.
	defer os.RemoveAll(dir)
	args = append([]string{"serve", "--end-with-stdin"}, args...)
	if list != nil {
		objects := filepath.Join(dir, "objects.json")
		if err := os.WriteFile(objects, list, 0o600); err != nil {
			return nil, err
		}
		args = append(args, "--live", objects)
	}
	cmd := exec.Command(ssactl, args...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// The first line is for a shell: export KUBECONFIG=FILE. The program removes the file when it
	// ends.
	line, err := bufio.NewReader(out).ReadString('\n')
	kubeconfig, found := strings.CutPrefix(strings.TrimSpace(line), "export KUBECONFIG=")
	if err != nil || !found {
		_ = cmd.Wait()
		return nil, fmt.Errorf("%s: %s", strings.Join(cmd.Args, " "), strings.TrimSpace(complaints.String()))
	}
	kubeconfig = strings.Trim(kubeconfig, "'")
	s := &server{kubeconfig: kubeconfig, input: in, output: out}
	if s.config, err = configOf(kubeconfig); err != nil {
		return nil, err
	}
	s.client, err = rest.HTTPClientFor(s.config)
	return s, err
}

// configOf reads a kubeconfig of 'ssactl serve'.
func configOf(path string) (*rest.Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Clusters []struct {
			Cluster struct {
				Server      string `json:"server"`
				Certificate string `json:"certificate-authority-data"`
			} `json:"cluster"`
		} `json:"clusters"`
		Users []struct {
			User struct {
				Token string `json:"token"`
			} `json:"user"`
		} `json:"users"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil || len(file.Clusters) != 1 || len(file.Users) != 1 {
		return nil, fmt.Errorf("%s is no kubeconfig of ssactl serve: %w", path, err)
	}
	ca, err := base64.StdEncoding.DecodeString(file.Clusters[0].Cluster.Certificate)
	if err != nil {
		return nil, err
	}
	return &rest.Config{
		Host: file.Clusters[0].Cluster.Server, BearerToken: file.Users[0].User.Token, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca},
	}, nil
}
