package memory

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	core "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
)

var widgets = schema.GroupResource{Group: "lab.io", Resource: "widgets"}

const live = `{"apiVersion":"lab.io/v1","kind":"Widget","metadata":{"name":"w","uid":"u","resourceVersion":"7"},"spec":{"size":1}}`

// over is the storage of widgets over the object of one call.
func over(text string) (*store, *Transaction, context.Context) {
	var given []byte
	if text != "" {
		given = []byte(text)
	}
	t := NewTransaction(widgets, given)
	return &store{
			codec:    unstructured.UnstructuredJSONScheme,
			resource: widgets,
		}, t, WithTransaction(
			context.Background(),
			t,
		)
}

func widget(size int64, version string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{
		Object: map[string]any{
			"apiVersion": "lab.io/v1",
			"kind":       "Widget",
			"metadata":   map[string]any{"name": "w", "uid": "u"},
			"spec":       map[string]any{"size": size},
		},
	}
	if version != "" {
		u.SetResourceVersion(version)
	}
	return u
}

func sizeOf(t *testing.T, object runtime.Object) int64 {
	t.Helper()
	u, ok := object.(*unstructured.Unstructured)
	if !ok {
		return -1
	}
	size, _, err := unstructured.NestedInt64(u.Object, "spec", "size")
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// TestGet: the storage has just the object of the call, at its resource version.
func TestGet(t *testing.T) {
	for _, c := range []struct {
		name, live, version string
		ignore              bool
		code                int
	}{
		{"the live object", live, "7", false, 0},
		{"without a version", strings.Replace(live, `"resourceVersion":"7"`, `"labels":{}`, 1), "1", false, 0},
		{"with one that is no number", strings.Replace(live, `"7"`, `"x"`, 1), "1", false, 0},
		{"none", "", "", false, storage.ErrCodeKeyNotFound},
		{"none, which is no error", "", "", true, 0},
	} {
		s, _, ctx := over(c.live)
		out := &unstructured.Unstructured{}
		err := s.Get(ctx, "widgets/w", storage.GetOptions{IgnoreNotFound: c.ignore}, out)
		if code := codeOf(err); code != c.code || out.GetResourceVersion() != c.version {
			t.Errorf("%s: version %q, %v", c.name, out.GetResourceVersion(), err)
		}
	}
	s, _, ctx := over(live)
	s.resource = schema.GroupResource{Resource: "others"}
	if err := s.Get(ctx, "others/w", storage.GetOptions{}, &unstructured.Unstructured{}); codeOf(
		err,
	) != storage.ErrCodeKeyNotFound {
		t.Errorf("of another resource: %v", err)
	}
}

func codeOf(err error) int {
	if failed := (*storage.StorageError)(nil); errors.As(err, &failed) {
		return failed.Code
	}
	if err != nil {
		return -1
	}
	return 0
}

// TestUnreadable: a live object that no server can have stored is no answer.
func TestUnreadable(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":          `{`,
		"a number a label": strings.Replace(live, `"uid":"u"`, `"uid":"u","labels":{"a":1}`, 1),
	} {
		s, tx, ctx := over(text)
		if err := s.Get(ctx, "widgets/w", storage.GetOptions{}, &unstructured.Unstructured{}); err == nil ||
			tx.Unreadable == nil {
			t.Errorf("%s: %v, %v", name, err, tx.Unreadable)
		}
	}
}

// TestCreate: an object is stored once, and is not to have a version.
func TestCreate(t *testing.T) {
	for _, c := range []struct {
		name, live, version string
		code                int
	}{
		{"a new one", "", "", 0},
		{"one that is there", live, "", storage.ErrCodeKeyExists},
		{"with a version", "", "3", -1},
	} {
		s, tx, ctx := over(c.live)
		out := &unstructured.Unstructured{}
		err := s.Create(ctx, "widgets/w", widget(2, c.version), out, 0)
		if code := codeOf(err); code != c.code {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if tx.Written != (c.code == 0) {
			t.Errorf("%s: written %t", c.name, tx.Written)
		}
		if stored, err := tx.Stored(); c.code == 0 && (err != nil || sizeOf(t, stored) != 2 || sizeOf(t, out) != 2) {
			t.Errorf("%s: stored %v, %v", c.name, stored, err)
		}
	}
}

// TestUpdate: an object that stays the same is not written, preconditions are those of the
// stored one, and an update may refuse.
func TestUpdate(t *testing.T) {
	other := types.UID("other")
	refused := errors.New("refused")
	for _, c := range []struct {
		name          string
		preconditions *storage.Preconditions
		size          int64
		fails         error
		written       bool
		err           string
	}{
		{"the same", &storage.Preconditions{}, 1, nil, false, ""},
		{"another one", &storage.Preconditions{}, 2, nil, true, ""},
		{"of another uid", &storage.Preconditions{UID: &other}, 2, nil, false, "/registry/widgets/w"},
		{"refused", &storage.Preconditions{}, 2, refused, false, "refused"},
	} {
		s, tx, ctx := over(live)
		out := &unstructured.Unstructured{}
		err := s.GuaranteedUpdate(
			ctx, "widgets/w", out, false, c.preconditions,
			func(current runtime.Object, at storage.ResponseMeta) (runtime.Object, *uint64, error) {
				if at.ResourceVersion != 7 || sizeOf(t, current) != 1 {
					t.Errorf("%s: the update sees %v at %d", c.name, current, at.ResourceVersion)
				}
				return widget(c.size, "7"), nil, c.fails
			},
			nil,
		)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.err)
		}
		if tx.Written != c.written || c.err == "" && (sizeOf(t, out) != c.size || out.GetResourceVersion() != "7") {
			t.Errorf("%s: written %t, got %v", c.name, tx.Written, out)
		}
	}
}

// TestDelete: an object that is deleted is gone, unless the deletion is refused.
func TestDelete(t *testing.T) {
	other := types.UID("other")
	for _, c := range []struct {
		name          string
		preconditions *storage.Preconditions
		refused       error
		deleted       bool
	}{
		{"without conditions", nil, nil, true},
		{"of another uid", &storage.Preconditions{UID: &other}, nil, false},
		{"refused", nil, errors.New("refused"), false},
	} {
		s, tx, ctx := over(live)
		out := &unstructured.Unstructured{}
		err := s.Delete(
			ctx, "widgets/w", out, c.preconditions,
			func(context.Context, runtime.Object) error { return c.refused },
			nil,
			storage.DeleteOptions{},
		)
		stored, failed := tx.Stored()
		if (err == nil) != c.deleted || tx.Deleted != c.deleted || failed != nil {
			t.Errorf("%s: %v, deleted %t, stored %v, %v", c.name, err, tx.Deleted, stored, failed)
		}
		if c.deleted && (stored != nil || sizeOf(t, out) != 1) {
			t.Errorf("%s: stored %v, gave %v", c.name, stored, out)
		}
	}
}

// TestOthers: a call sees no other objects.
func TestOthers(t *testing.T) {
	s, _, ctx := over(live)
	list := &unstructured.UnstructuredList{}
	if err := s.GetList(ctx, "widgets", storage.ListOptions{}, list); err != nil || len(list.Items) != 0 ||
		list.GetResourceVersion() != "1" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := s.Watch(ctx, "widgets", storage.ListOptions{}); err == nil {
		t.Error("there is something to watch")
	}
	events := schema.GroupResource{Resource: "events"}
	for _, c := range []struct {
		a, b schema.GroupResource
		want bool
	}{
		{events, schema.GroupResource{Group: "events.k8s.io", Resource: "events"}, true},
		{widgets, widgets, true},
		{widgets, schema.GroupResource{Group: "other.io", Resource: "widgets"}, false},
	} {
		if got := Cohabit(c.a, c.b); got != c.want {
			t.Errorf("%s and %s share a storage: %t", c.a, c.b, got)
		}
	}
}

// TestKept: a lasting object is kept as it is, and only what is stored as another one is
// written.
func TestKept(t *testing.T) {
	codec := legacyscheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion)
	maps := schema.GroupResource{Resource: "configmaps"}
	object := func(value string, labels map[string]string) *core.ConfigMap {
		return &core.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: "c", ResourceVersion: "7", Labels: labels},
			Data:       map[string]string{"k": value},
		}
	}
	for _, c := range []struct {
		name    string
		version runtime.GroupVersioner
		updated *core.ConfigMap
		kept    bool
		written bool
	}{
		{"the same", corev1.SchemeGroupVersion, object("v", nil), true, false},
		{"another one", corev1.SchemeGroupVersion, object("w", nil), true, true},
		{"equal by meaning", corev1.SchemeGroupVersion, object("v", map[string]string{}), true, false},
		{"not stored at its version", schema.GroupVersion{Version: "v2"}, object("v", nil), false, false},
		{"always encoded", nil, object("w", nil), false, true},
	} {
		before := object("v", nil)
		tx := &Transaction{
			Resource: maps,
			Object:   before,
			Revision: 7,
			Lasting:  corev1.SchemeGroupVersion.WithKind("ConfigMap"),
		}
		s := &store{codec: codec, resource: maps, version: c.version}
		out := &core.ConfigMap{}
		err := s.GuaranteedUpdate(
			WithTransaction(context.Background(), tx),
			"configmaps/a/c",
			out,
			false,
			&storage.Preconditions{},
			func(runtime.Object, storage.ResponseMeta) (runtime.Object, *uint64, error) {
				return c.updated, nil, nil
			},
			nil,
		)
		if err != nil {
			t.Fatal(err)
		}
		if (tx.Kept != nil) != c.kept || tx.Written != c.written || out.Data["k"] != c.updated.Data["k"] ||
			out.ResourceVersion != "7" {
			t.Errorf("%s: kept %v, written %t, gave %v", c.name, tx.Kept, tx.Written, out)
		}
	}
}

// TestLastingType: types that the encodings give back as they were.
func TestLastingType(t *testing.T) {
	type recursive struct {
		Next *recursive `json:"next"`
	}
	for _, c := range []struct {
		name string
		of   any
		want bool
	}{
		{"scalars", struct {
			A string `json:"a"`
			B *int64 `json:"b"`
		}{}, true},
		{"a map that is left out where it is empty", struct {
			A map[string]string `json:"a,omitempty"`
		}{}, true},
		{"a map that is always written", struct {
			A map[string]string `json:"a"`
		}{}, false},
		{"bytes that are left out where they are empty", struct {
			A []byte `json:"a,omitempty"`
		}{}, true},
		{"bytes that are always written", struct {
			A []byte `json:"a"`
		}{}, false},
		{"a list of bytes", struct {
			A [][]byte `json:"a"`
		}{}, false},
		{"what is not written", struct {
			A map[string]string `json:"-"`
		}{}, true},
		{"an unknown type", struct {
			A any `json:"a"`
		}{}, false},
		{"an object of any kind", struct {
			A []runtime.RawExtension `json:"a"`
		}{}, false},
		{"a type that writes itself", struct {
			A metav1.Time `json:"a"`
		}{}, true},
		{"a type in itself", recursive{}, true},
		{"ConfigMap, which has bytes in a map", corev1.ConfigMap{}, false},
		{"ServiceAccount", corev1.ServiceAccount{}, true},
	} {
		if got := LastingType(reflect.TypeOf(c.of), map[reflect.Type]bool{}); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
