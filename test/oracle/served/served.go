// Package served runs the server of 'ssactl serve' in this process, so that what is asked of a
// real kube-apiserver can be asked of it too.
package served

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ssactl/ssactl/internal/serve/chain"
	"github.com/ssactl/ssactl/test/oracle/kube"
)

// Server is a running server.
type Server struct {
	// Client asks it as an administrator.
	Client *kube.Client

	chain *chain.Server
	etcd  *clientv3.Client
	dir   string
	end   context.CancelFunc
}

// serviceCIDR is that of the real server.
const serviceCIDR = "10.96.0.0/16"

// Start runs a server without controllers, as the real one has none, and returns when it is
// ready. Webhooks are refused: nothing listens where those of recordings are. Flags of
// kube-apiserver, as name=value, come after its own.
func Start(ctx context.Context, flags ...string) (*Server, error) {
	dir, err := os.MkdirTemp("", "ssactl-served-")
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	o := chain.Options{Dir: dir, Listener: listener, Webhooks: chain.WebhooksRefuse, ServiceCIDR: serviceCIDR}
	for _, flag := range flags {
		o.Flags = append(o.Flags, "--"+flag)
	}
	s := &Server{dir: dir}
	if s.chain, err = chain.Start(ctx, o); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	var running context.Context
	running, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.etcd = s.chain.Etcd(running)
	s.Client = kube.NewClient(s.chain.URL, s.chain.Config.BearerToken)
	s.Client.As = kube.User
	return s, nil
}

// Close ends the server, and removes its files.
func (s *Server) Close() error {
	s.end()
	return errors.Join(s.chain.Close(), os.RemoveAll(s.dir))
}

// Key implements scenario.Storage.
func (s *Server) Key(ctx context.Context, resource, namespace, name string) (string, error) {
	keys, err := s.etcd.Get(ctx, "/registry/", clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return "", fmt.Errorf("list keys: %w", err)
	}
	return kube.KeyAmong(keys.Kvs, resource, namespace, name), nil
}

// Store implements scenario.Storage.
func (s *Server) Store(ctx context.Context, key string, object json.RawMessage) error {
	if _, err := s.etcd.Put(ctx, key, string(object)); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return nil
}
