// Package shim stands for the servers of Kubernetes' integration tests: each server that a test
// starts is that of 'ssactl serve', in the process of the test. Its names are theirs.
package shim

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/rest"

	"github.com/ssactl/ssactl/internal/serve/chain"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServer is a server that runs. EtcdClient is a client of its store.
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

// prefix is where the keys of a server begin.
const prefix = "/registry"

// SharedEtcd says where a server keeps its keys; there is no etcd.
func SharedEtcd() *storagebackend.Config { return &storagebackend.Config{Prefix: prefix} }

// isOurs: every server of ssactl has this flag, and it may be given once only.
func isOurs(flag string) bool { return flag == "--authorization-mode=RBAC" }

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

// StartTestServer starts a server, which ends with TearDownFn.
func StartTestServer(
	t testing.TB,
	_ *TestServerInstanceOptions,
	flags []string,
	_ *storagebackend.Config,
) (TestServer, error) {
	dir, err := os.MkdirTemp("", "ssactl-serve-test-")
	if err != nil {
		return TestServer{}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return TestServer{}, errors.Join(err, os.RemoveAll(dir))
	}
	accounts := !slices.ContainsFunc(flags, func(f string) bool { return strings.Contains(f, "ServiceAccount") })
	server, err := chain.Start(context.Background(), chain.Options{
		Dir: dir, Listener: listener, Webhooks: chain.WebhooksDrop, Controllers: accounts,
		ServiceCIDR: chain.DefaultServiceCIDR, Flags: slices.DeleteFunc(slices.Clone(flags), isOurs),
	})
	if err != nil {
		return TestServer{}, errors.Join(err, os.RemoveAll(dir))
	}
	config := rest.CopyConfig(server.Config)
	config.QPS, config.Burst = 1000, 10000
	ctx, cancel := context.WithCancel(context.Background())
	return TestServer{
		ClientConfig: config, EtcdClient: server.Etcd(ctx), EtcdStoragePrefix: prefix,
		TearDownFn: func() {
			cancel()
			// Open connections may take it longer than Close waits.
			_ = server.Close()
			<-server.Cleared()
			if err := errors.Join(server.Close(), os.RemoveAll(dir)); err != nil {
				t.Errorf("the end of the server: %v", err)
			}
		},
	}, nil
}
