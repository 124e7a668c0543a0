package etcd_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/kubernetes"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"k8s.io/apimachinery/pkg/api/apitesting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/apis/example"
	examplev1 "k8s.io/apiserver/pkg/apis/example/v1"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/etcd3"
	suite "k8s.io/apiserver/pkg/storage/testing"
	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/utils/clock"

	"github.com/ssactl/ssactl/internal/serve/etcd"
	"github.com/ssactl/ssactl/internal/serve/store"
)

const prefix = "test!"

var (
	scheme = runtime.NewScheme()
	codec  = apitesting.TestCodec(serializer.NewCodecFactory(scheme), examplev1.SchemeGroupVersion)
)

func init() {
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	utilruntime.Must(example.AddToScheme(scheme))
	utilruntime.Must(examplev1.AddToScheme(scheme))
}

// fixture is upstream's storage over a store of ours.
type fixture struct {
	storage.Interface
	client      *kubernetes.Client
	kv          *suite.KVRecorder
	lists       *suite.KubernetesRecorder
	transformer *exchangeable
}

// exchangeable is a transformer that tests replace.
type exchangeable struct {
	atomic.Pointer[value.Transformer]
}

func (e *exchangeable) TransformFromStorage(c context.Context, data []byte, v value.Context) ([]byte, bool, error) {
	return (*e.Load()).TransformFromStorage(c, data, v)
}

func (e *exchangeable) TransformToStorage(c context.Context, data []byte, v value.Context) ([]byte, error) {
	return (*e.Load()).TransformToStorage(c, data, v)
}

// UpdatePrefixTransformer implements suite.InterfaceWithPrefixTransformer.
func (f *fixture) UpdatePrefixTransformer(modify suite.PrefixTransformerModifier) func() {
	before := f.transformer.Load()
	changed := *(*before).(*suite.PrefixTransformer)
	after := modify(&changed)
	f.transformer.Store(&after)
	return func() { f.transformer.Store(before) }
}

// dialed is a client over gRPC, as kube-apiserver makes them.
func dialed(t *testing.T, s *etcd.Server) *kubernetes.Client {
	t.Helper()
	client, err := kubernetes.New(clientv3.Config{
		Endpoints: []string{"http://memory:2379"}, DialTimeout: 10 * time.Second, Logger: zap.NewNop(),
		DialOptions: []grpc.DialOption{grpc.WithContextDialer(
			func(ctx context.Context, at string) (net.Conn, error) { return s.Dial(ctx, "tcp", at) },
		)},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func setup(t *testing.T, dial bool) *fixture {
	t.Helper()
	server := etcd.Serve(store.New(), time.Second)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	f := &fixture{transformer: &exchangeable{}}
	if f.client = server.Client(ctx); dial {
		f.client = dialed(t, server)
	}
	f.lists = suite.NewKubernetesRecorder(f.client.Kubernetes)
	f.kv = suite.NewKVRecorder(f.client.KV, f.lists)
	f.client.KV, f.client.Kubernetes = f.kv, f.lists
	var first value.Transformer = suite.NewPrefixTransformer([]byte(prefix), false)
	f.transformer.Store(&first)
	versioner := storage.APIObjectVersioner{}
	compactor := etcd3.NewCompactor(f.client.Client, 0, clock.RealClock{}, nil)
	t.Cleanup(compactor.Stop)
	leases := etcd3.NewDefaultLeaseManagerConfig()
	leases.ReuseDurationSeconds = 1
	made, err := etcd3.New(
		f.client, compactor, codec, func() runtime.Object { return &example.Pod{} },
		func() runtime.Object { return &example.PodList{} }, "", "/pods/", schema.GroupResource{Resource: "pods"},
		f.transformer, leases, etcd3.NewDefaultDecoder(codec, versioner), versioner,
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.Close)
	f.Interface = made
	return f
}

// stored checks that what is stored has no resourceVersion.
func (f *fixture) stored(ctx context.Context, t *testing.T, key string) {
	t.Helper()
	got, err := f.client.KV.Get(ctx, key)
	if err != nil || len(got.Kvs) != 1 {
		t.Fatalf("%s: %v, %v", key, got, err)
	}
	object, err := runtime.Decode(codec, []byte(strings.TrimPrefix(string(got.Kvs[0].Value), prefix)))
	if err != nil {
		t.Fatal(err)
	}
	if pod := object.(*example.Pod); pod.ResourceVersion != "" {
		t.Errorf("%s is stored with resourceVersion %s", key, pod.ResourceVersion)
	}
}

func (f *fixture) increase(ctx context.Context, t *testing.T) int64 {
	t.Helper()
	done, err := f.client.KV.Put(ctx, "increaseRV", "ok")
	if err != nil {
		t.Fatal(err)
	}
	return done.Header.Revision
}

// compact compacts, and waits until the storage knows.
func (f *fixture) compact(ctx context.Context, t *testing.T, resourceVersion string) {
	t.Helper()
	revision, err := storage.APIObjectVersioner{}.ParseResourceVersion(resourceVersion)
	if err != nil {
		t.Fatal(err)
	}
	version, _, _, err := etcd3.Compact(ctx, f.client.Client, 0, int64(revision))
	if err != nil {
		_, _, _, err = etcd3.Compact(ctx, f.client.Client, version, int64(revision))
	}
	if err != nil {
		t.Fatal(err)
	}
	for f.CompactRevision() != int64(revision) {
		time.Sleep(10 * time.Millisecond)
	}
}

// alone are the tests that set features, and one whose object has two seconds to live.
var alone = []string{"Get", "WatchSemantics", "WatchListMatchSingle", "WatchSemanticInitialEventsExtended"}

// TestUpstreamSuite runs the tests that Kubernetes has for its storage, over both clients.
func TestUpstreamSuite(t *testing.T) {
	for name, dial := range map[string]bool{"direct": false, "dialed": true} {
		t.Run(name, func(t *testing.T) {
			for name, test := range tests {
				t.Run(name, func(t *testing.T) {
					if !slices.Contains(alone, name) {
						t.Parallel()
					}
					test(t.Context(), t, setup(t, dial))
				})
			}
		})
	}
}
