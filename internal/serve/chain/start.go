package chain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	"github.com/ssactl/ssactl/internal/serve/etcd"
	"github.com/ssactl/ssactl/internal/serve/load"
	"github.com/ssactl/ssactl/internal/serve/store"
)

// What is done with admission webhooks: they are never called.
const (
	// WebhooksDrop has writes pass as if there were none.
	WebhooksDrop = "drop"
	// WebhooksRefuse has each call fail, so the failurePolicy of the webhook decides.
	WebhooksRefuse = "refuse"
)

// DefaultServiceCIDR is kubeadm's.
const DefaultServiceCIDR = "10.96.0.0/12"

// Options say what a server is.
type Options struct {
	// Dir is a directory of the server's own for its keys; the caller removes it.
	Dir string
	// Listener is where it serves; Start closes it when it fails.
	Listener net.Listener
	// Webhooks is WebhooksDrop or WebhooksRefuse.
	Webhooks string
	// Controllers runs those of upstream for namespaces, garbage and service accounts.
	Controllers bool
	// Ready marks workloads as rolled out as soon as they are written.
	Ready bool
	// KubernetesVersion is the release that is emulated, as 1.36; empty for the one that is
	// linked.
	KubernetesVersion string
	// ServiceCIDR is the range of cluster IPs.
	ServiceCIDR string
	// Preload gives what is stored before the start; nil for what every cluster has.
	Preload func(load.Storages) ([]store.Preloaded, error)
	// Recorder, when not nil, sees the requests of clients.
	Recorder Recorder
	// Flags of kube-apiserver come after those that every server has, as --name=value.
	Flags []string
}

// Server is a running kube-apiserver.
type Server struct {
	// URL is where it serves.
	URL string
	// Config is that of a client that is an administrator of the cluster.
	Config *rest.Config

	store    *store.Store
	etcd     *etcd.Server
	secrets  *secrets
	recorder Recorder
	handler  http.Handler
	openAPI  *described
	cancel   context.CancelFunc
	done     chan struct{}
	err      error
	parts    sync.WaitGroup
	ending   sync.Once
	// cleared is closed when all has ended.
	cleared chan struct{}
	// began is the revision when the server was ready.
	began int64
}

// globals are what a process has once: until PrepareRun returns, upstream sets and reads them.
var globals sync.Mutex

// Start starts a server, and returns when it is ready. It runs until Close.
func Start(ctx context.Context, o Options) (s *Server, err error) {
	silence()
	s = &Server{
		store: store.New(), done: make(chan struct{}), cleared: make(chan struct{}), recorder: o.Recorder,
	}
	s.URL = "https://" + o.Listener.Addr().String()
	runs := false
	defer func() {
		if err != nil && !runs {
			close(s.done)
			o.Listener.Close()
		}
		if err != nil {
			s.Close()
		}
	}()
	if s.secrets, err = newSecrets(o.Dir, o.Listener.Addr().(*net.TCPAddr).IP); err != nil {
		return s, err
	}
	s.etcd = etcd.Serve(s.store, 0)
	run, err := s.prepare(ctx, o)
	if err != nil {
		return s, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel, runs = cancel, true
	go func() {
		defer close(s.done)
		s.err = run(running)
	}()
	s.Config = s.client(s.secrets.user)
	if err := s.wait(ctx); err != nil {
		return s, err
	}
	if o.Controllers {
		if err := s.control(running); err != nil {
			return s, err
		}
	}
	if o.Ready {
		if err := s.markReady(running); err != nil {
			return s, err
		}
	}
	s.began = s.store.Mark()
	return s, nil
}

// prepare makes the server, and returns what runs it.
func (s *Server) prepare(ctx context.Context, o Options) (run func(context.Context) error, err error) {
	globals.Lock()
	defer globals.Unlock()
	opts, err := s.complete(ctx, o, o.Listener)
	if err != nil {
		return nil, err
	}
	config, err := configure(opts)
	if err != nil {
		return nil, err
	}
	s.adjust(config)
	preload := o.Preload
	if preload == nil {
		preload = func(s load.Storages) ([]store.Preloaded, error) {
			// That of a dump with nothing in it.
			pairs, _, err := (&load.Dump{Accounts: o.Controllers}).Encode(s)
			return pairs, err
		}
	}
	pairs, err := preload(storages(config))
	if err != nil {
		return nil, err
	}
	s.store.Preload(pairs)
	connect(config, s.etcd)
	completed, err := config.Complete()
	if err != nil {
		return nil, err
	}
	s.openAPI = later(config)
	made, err := app.CreateServerChain(completed)
	if err != nil {
		return nil, err
	}
	s.handler, s.openAPI.made = made.GenericAPIServer.Handler, made
	made.GenericAPIServer.ShutdownTimeout = politeness
	prepared, err := made.PrepareRun()
	if err != nil {
		return nil, err
	}
	return prepared.Run, nil
}

// silence keeps what upstream logs from standard error, and what panics in a goroutine of a
// request from ending the process. What is fatal ends the goroutine: a server that is being
// closed fails in many places, and files are to be removed.
var silence = sync.OnceFunc(func() {
	utilruntime.ReallyCrash = false
	klog.SetLogger(logr.Discard())
	klog.OsExit = func(int) { runtime.Goexit() }
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
})

// client is the configuration of a client with a token.
func (s *Server) client(token string) *rest.Config {
	return &rest.Config{
		Host: s.URL, BearerToken: token, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: s.secrets.certificate},
	}
}

// patience is how long a start may take, and an answer within the process.
const patience = time.Minute

// standing are objects that a control plane makes soon after its start: those that come later than the
// mark would be gone after a reset.
var standing = []string{
	"/api/v1/namespaces/default/services/kubernetes",
	"/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking",
}

// wait waits until the server says that it is ready, and has what it makes itself.
func (s *Server) wait(ctx context.Context) error {
	return s.until(ctx, func(ctx context.Context) bool {
		missing := func(path string) bool { return !s.answers(ctx, path) }
		return s.answers(ctx, "/readyz") && !slices.ContainsFunc(standing, missing)
	})
}

// until waits until something holds.
func (s *Server) until(ctx context.Context, holds func(context.Context) bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !holds(ctx) {
		select {
		case <-s.done:
			return errors.Join(errors.New("the server ended before it was ready"), s.err)
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// answers reports whether a path answers 200.
func (s *Server) answers(ctx context.Context, path string) bool {
	code, _ := s.get(ctx, path)
	return code == http.StatusOK
}

// get asks the server within the process, and again while it says that it is too early: the
// first request for a custom resource fills the cache that answers it.
func (s *Server) get(ctx context.Context, path string) (code int, body []byte) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		code, body = s.getOnce(ctx, path)
		if code != http.StatusTooManyRequests {
			return code, body
		}
		select {
		case <-ctx.Done():
			return code, body
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *Server) getOnce(ctx context.Context, path string) (code int, body []byte) {
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
	request.Header.Set("Authorization", "Bearer "+s.secrets.system)
	request.Header.Set("Accept", "application/json")
	answer := httptest.NewRecorder()
	s.handler.ServeHTTP(answer, request)
	return answer.Code, answer.Body.Bytes()
}

// Reset brings back what there was when the server was ready, and returns how many objects
// changed.
func (s *Server) Reset() int { return s.store.Reset() }

// Done is closed when the server ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// politeness is how long an ending server waits for the requests that it answers: watches do not
// end by themselves.
const politeness = 200 * time.Millisecond

// impatience is how long Close waits for a server to end by itself.
const impatience = 700 * time.Millisecond

// Close ends the server, and waits a moment for it. What does not end in time ends soon after, or
// with the process.
func (s *Server) Close() error {
	s.ending.Do(func() {
		if s.cancel != nil {
			s.cancel()
		}
		go s.clear()
	})
	select {
	case <-s.cleared:
		return s.err
	case <-time.After(impatience):
		return errors.New("the server did not end in time")
	}
}

// clear ends what the server is made of, when it has ended.
func (s *Server) clear() {
	defer close(s.cleared)
	<-s.done
	s.parts.Wait()
	if s.etcd != nil {
		s.etcd.Close()
	}
}

// Cleared is closed when nothing of a server is left, after Close.
func (s *Server) Cleared() <-chan struct{} { return s.cleared }
