// Package shim stands for the servers of Kubernetes' integration tests: each server that a test
// starts is one of 'ssactl serve'. Its names are theirs.
package shim

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServer is a server that runs. EtcdClient is nil: there is no etcd.
type TestServer struct {
	ClientConfig      *rest.Config
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
	TearDownFn        TearDownFunc
}

// TestServerInstanceOptions has nothing: a server of ssactl has no options of theirs.
type TestServerInstanceOptions struct{}

// NewDefaultTestServerOptions gives options.
func NewDefaultTestServerOptions() *TestServerInstanceOptions { return &TestServerInstanceOptions{} }

// DefaultTestServerFlags turn off what needs controllers.
func DefaultTestServerFlags() []string { return []string{"--disable-admission-plugins=ServiceAccount"} }

// SharedEtcd is the configuration of no etcd.
func SharedEtcd() *storagebackend.Config { return &storagebackend.Config{} }

// StartTestServerOrDie starts a server, or ends the test.
func StartTestServerOrDie(
	t testing.TB,
	o *TestServerInstanceOptions,
	flags []string,
	etcd *storagebackend.Config,
) *TestServer {
	t.Helper()
	s, err := StartTestServer(t, o, flags, etcd)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// StartTestServer starts a server, which ends with TearDownFn, or with this process.
func StartTestServer(
	_ testing.TB,
	_ *TestServerInstanceOptions,
	flags []string,
	_ *storagebackend.Config,
) (TestServer, error) {
	args := []string{"serve", "--end-with-stdin"}
	if slices.ContainsFunc(flags, func(f string) bool { return strings.Contains(f, "ServiceAccount") }) {
		args = append(args, "--controllers", "none")
	}
	cmd := exec.Command(os.Getenv("SSACTL"), args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return TestServer{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return TestServer{}, err
	}
	if err := cmd.Start(); err != nil {
		return TestServer{}, fmt.Errorf("SSACTL names no program: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return TestServer{}, err
	}
	path := strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "export KUBECONFIG="), "'")
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return TestServer{}, err
	}
	config.QPS, config.Burst = 1000, 10000
	return TestServer{ClientConfig: config, TearDownFn: func() { end(in, cmd) }}, nil
}

func end(in io.Closer, cmd *exec.Cmd) {
	in.Close()
	_ = cmd.Wait()
}
