package kube

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// User is who every request comes from; it is in the group system:masters.
const User = "oracle-admin"

// readyTime bounds how long the server may take until /readyz answers.
const readyTime = 3 * time.Minute

// stopTime bounds how long Close waits for the server.
const stopTime = 20 * time.Second

// Server is a running kube-apiserver.
type Server struct {
	// Client asks the server as User.
	Client *Client

	dir    string
	etcd   *embed.Etcd
	cancel context.CancelFunc
	done   chan error
}

// Start runs a kube-apiserver with everything it stores below a new temporary
// directory, and returns when it is ready. Close ends it and removes the
// directory. Flags, as name=value, come after those that all servers get here.
func Start(ctx context.Context, flags ...string) (*Server, error) {
	dir, err := os.MkdirTemp("", "ssactl-oracle-")
	if err != nil {
		return nil, fmt.Errorf("make the server's directory: %w", err)
	}
	s := &Server{dir: dir, done: make(chan error, 1)}
	if err := s.start(ctx, flags); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close stops the server and etcd, and removes what they stored.
func (s *Server) Close() error {
	if s.cancel != nil {
		s.cancel()
		select {
		case <-s.done:
		case <-time.After(stopTime):
		}
	}
	if s.etcd != nil {
		s.etcd.Close()
	}
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("remove the server's directory: %w", err)
	}
	return nil
}

func (s *Server) start(ctx context.Context, flags []string) error {
	quiet()
	var err error
	if s.etcd, err = startEtcd(s.dir); err != nil {
		return err
	}
	token, err := s.writeSecrets()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	opts, err := s.options(ctx, listener, flags)
	if err != nil {
		listener.Close()
		return fmt.Errorf("configure kube-apiserver: %w", err)
	}
	runCtx, cancel := context.WithCancel(ctx)
	s.cancel = cancel
	go func() { s.done <- app.Run(runCtx, opts) }()
	s.Client = NewClient("https://"+listener.Addr().String(), token)
	return s.waitReady(ctx)
}

// options are those of a default server but for what the recordings say:
// admission without ServiceAccount, unless a flag asks for it.
func (s *Server) options(ctx context.Context, listener net.Listener, more []string) (options.CompletedOptions, error) {
	run := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, set := range run.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	args := []string{
		"--etcd-servers=" + s.etcd.Config().ListenClientUrls[0].String(),
		"--cert-dir=" + filepath.Join(s.dir, "certs"),
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port),
		"--advertise-address=127.0.0.1",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=" + s.file("sa.key"),
		"--service-account-key-file=" + s.file("sa.key"),
		"--token-auth-file=" + s.file("tokens.csv"),
		"--authorization-mode=RBAC",
		"--allow-privileged=true",
		"--max-mutating-requests-inflight=0",
		"--max-requests-inflight=0",
		"--enable-priority-and-fairness=false",
		// The address is not one that endpoints may have.
		"--endpoint-reconciler-type=none",
	}
	if !slices.ContainsFunc(more, asksForServiceAccount) {
		args = append(args, "--disable-admission-plugins=ServiceAccount")
	}
	for _, flag := range more {
		args = append(args, "--"+flag)
	}
	if err := flags.Parse(args); err != nil {
		return options.CompletedOptions{}, err
	}
	run.SecureServing.Listener = listener
	if err := run.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	completed, err := run.Complete(ctx)
	if err != nil {
		return options.CompletedOptions{}, err
	}
	return completed, errors.Join(completed.Validate()...)
}

func asksForServiceAccount(flag string) bool {
	name, value, _ := strings.Cut(flag, "=")
	return name == "enable-admission-plugins" && slices.Contains(strings.Split(value, ","), "ServiceAccount")
}

// writeSecrets makes the key that signs service account tokens and the token
// of User, and returns that token.
func (s *Server) writeSecrets() (string, error) {
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	token := hex.EncodeToString(raw)
	line := fmt.Sprintf("%s,%s,%s,system:masters\n", token, User, User)
	if err := os.WriteFile(s.file("tokens.csv"), []byte(line), 0o600); err != nil {
		return "", err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return "", fmt.Errorf("make a signing key: %w", err)
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return token, os.WriteFile(s.file("sa.key"), pem.EncodeToMemory(block), 0o600)
}

// waitReady returns when the server is ready and has made its own objects.
func (s *Server) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for {
		if s.ready(ctx) {
			return nil
		}
		select {
		case err := <-s.done:
			s.done <- err
			return fmt.Errorf("run kube-apiserver: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("wait for kube-apiserver: %w", ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (s *Server) ready(ctx context.Context) bool {
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
		answer, err := s.Client.Get(ctx, path)
		if err != nil || answer.Code != 200 {
			return false
		}
	}
	return true
}

func (s *Server) file(name string) string {
	return filepath.Join(s.dir, name)
}

// quiet keeps the log of the server out of the oracle's output, but for the
// stack traces of its panics, which it writes to standard error by itself.
// A panic in one of the server's controllers does not end this process.
func quiet() {
	utilruntime.ReallyCrash = false
	klog.SetLogger(logr.Discard())
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
}
