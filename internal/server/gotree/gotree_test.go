package gotree

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// named is a type of every way, twice.
type named struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        metav1.ObjectMeta            `json:"metadata,omitempty"`
	Bool            bool                         `json:"bool"`
	BoolOr          *bool                        `json:"boolOr,omitempty"`
	Text            string                       `json:"text,omitempty"`
	Small           int8                         `json:"small"`
	Large           *int64                       `json:"large,omitempty"`
	Natural         uint16                       `json:"natural,omitempty"`
	Float           float64                      `json:"float"`
	FloatOr         *float64                     `json:"floatOr,omitempty"`
	Bytes           []byte                       `json:"bytes,omitempty"`
	Texts           []string                     `json:"texts"`
	Map             map[string]string            `json:"map"`
	ByteMap         map[string][]byte            `json:"byteMap,omitempty"`
	Quantities      map[string]resource.Quantity `json:"quantities,omitempty"`
	Port            *intstr.IntOrString          `json:"port,omitempty"`
	Time            metav1.Time                  `json:"time,omitempty"`
	Zero            metav1.Time                  `json:"zero,omitempty,omitzero"`
	Micro           *metav1.MicroTime            `json:"micro,omitempty"`
	Raw             runtime.RawExtension         `json:"raw,omitempty"`
	Same            *named                       `json:"same,omitempty"`
	More            []named                      `json:"more,omitempty"`
	Named           map[string]named             `json:"named,omitempty"`
}

// TestRead: what Read makes of any tree, the converter makes of it as well.
func TestRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 3))
	read := 0
	for range 30_000 {
		tree := randomFields(rng, 3)
		var got, want named
		if !Read(tree, &got) {
			continue
		}
		read++
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree, &want)
		if err != nil || !reflect.DeepEqual(got, want) {
			text, _ := json.Marshal(tree)
			t.Fatalf("%s: %v (-want +got)\n%s", text, err, cmp.Diff(want, got))
		}
	}
	t.Logf("read %d", read)
	if read < 3_000 {
		t.Errorf("only %d trees were read", read)
	}
}

// TestWrites: where Writes is true of a value and a tree, the library writes that tree,
// and it is true of what the library writes of most values.
func TestWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 4))
	written, equal, trees := 0, 0, []map[string]any(nil)
	for range 20_000 {
		tree := randomFields(rng, 3)
		var v named
		if !Read(tree, &v) {
			continue
		}
		text, err := json.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		if err := kjson.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree, back)
		written++
		if Writes(&v, back) {
			equal++
		}
		for _, other := range trees[max(0, len(trees)-6):] {
			if Writes(&v, other) && !jsontree.Equal(text, other) {
				other, _ := json.Marshal(other)
				t.Fatalf("%s is taken for %s", text, other)
			}
		}
	}
	t.Logf("%d of %d", equal, written)
	if equal < written*8/10 || written < 2_000 {
		t.Errorf("%d of %d values were seen to be what is written of them", equal, written)
	}
}

// TestReadLike: a value that is read beside another one is what is read alone, and the
// other one stays as it was.
func TestReadLike(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 5))
	read := 0
	for range 30_000 {
		like := randomFields(rng, 3)
		tree := changed(rng, like).(map[string]any)
		var of, was, got, want named
		if !Read(like, &of) || !Read(like, &was) || !ReadLike(tree, &got, like, &of) {
			continue
		}
		read++
		if !Read(tree, &want) || !reflect.DeepEqual(got, want) {
			text, _ := json.Marshal([]any{tree, like})
			t.Fatalf("%s: (-want +got)\n%s", text, cmp.Diff(want, got))
		}
		if !reflect.DeepEqual(of, was) {
			text, _ := json.Marshal([]any{tree, like})
			t.Fatalf("%s: the other value is changed (-want +got)\n%s", text, cmp.Diff(was, of))
		}
	}
	t.Logf("read %d", read)
	if read < 3_000 {
		t.Errorf("only %d trees were read", read)
	}
}

// TestWriteLike: the tree is that of the text that the library writes, whatever another
// value wrote, whose tree stays as it was.
func TestWriteLike(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 6))
	read, known := 0, 0
	for range 40_000 {
		tree := randomFields(rng, 3)
		of, v, ok := twoNamed(rng, tree)
		if !ok {
			continue
		}
		read++
		like := writtenOf(t, &of)
		was, _ := json.Marshal(like)
		got, ok := WriteLike(&v, &of, like)
		if !ok {
			continue
		}
		known++
		want := writtenOf(t, &v)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("beside %s (-want +got)\n%s", was, cmp.Diff(want, got))
		}
		if alone, ok := Write(&v); ok && !reflect.DeepEqual(alone, want) {
			t.Fatalf("alone (-want +got)\n%s", cmp.Diff(want, alone))
		}
		if Writes(&v, like) && !same(got, like) {
			t.Fatalf("%s is written again, and not taken", was)
		}
		if is, _ := json.Marshal(like); string(is) != string(was) {
			t.Fatalf("beside %s, which was changed to %s", was, is)
		}
	}
	t.Logf("%d of %d", known, read)
	if known < read*8/10 || read < 3_000 {
		t.Errorf("of %d of %d values it is known what is written", known, read)
	}
}

// TestAlike: a copy is alike until something in it is another one, equal or not.
func TestAlike(t *testing.T) {
	one := named{Text: "a", Texts: []string{"b"}}
	if two := one; !Alike(&one, &two) {
		t.Error("a copy is not alike")
	}
	two := one
	two.Texts = []string{"b"}
	if Alike(&one, &two) {
		t.Error("another list is alike")
	}
	if Alike(&one, &one.Texts) || Alike(&one, nil) {
		t.Error("other types are alike")
	}
}

// twoNamed are two values, of a tree and of one like it. They share memory, or only say
// the same, or have nothing in common.
func twoNamed(rng *rand.Rand, tree map[string]any) (of, v named, ok bool) {
	other := changed(rng, tree).(map[string]any)
	if !Read(tree, &of) {
		return of, v, false
	}
	switch rng.IntN(6) {
	case 0:
		return of, v, Read(randomFields(rng, 3), &v)
	case 1:
		return of, v, Read(other, &v)
	case 2:
		return of, of, true
	}
	return of, v, ReadLike(other, &v, tree, &of)
}

// writtenOf is the tree of the text that the library writes.
func writtenOf(t *testing.T, v *named) (tree map[string]any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = kjson.Unmarshal(text, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// changed is a tree with other leaves here and there, items and keys less, and the rest
// shared.
func changed(rng *rand.Rand, tree any) any {
	if rng.IntN(3) == 0 {
		return tree
	}
	switch is := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range is {
			if rng.IntN(10) > 0 {
				out[key] = changed(rng, value)
			}
		}
		if rng.IntN(4) == 0 {
			maps.Copy(out, randomFields(rng, 1))
		}
		return out
	case []any:
		out := []any{}
		for _, item := range is {
			for range rng.IntN(3) {
				out = append(out, changed(rng, item))
			}
		}
		return out
	case string:
		return randomText(rng)
	case int64:
		return rng.Int64N(100)
	}
	return tree
}

// randomFields are fields that mostly are as the type has them.
func randomFields(rng *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	for range rng.IntN(6) {
		key := []string{"apiVersion", "kind", "metadata", "bool", "boolOr", "text", "small", "large", "natural", "float", "floatOr", "bytes", "texts",
			"map", "byteMap", "quantities", "port", "time", "zero", "micro", "raw", "same", "more", "named", "unknown", "Text"}[rng.IntN(26)]
		if rng.IntN(40) == 0 {
			out[key] = anyValue(rng)
			continue
		}
		out[key] = randomField(rng, key, depth)
	}
	return out
}

func randomField(rng *rand.Rand, key string, depth int) any {
	pick := func(of ...any) any { return of[rng.IntN(len(of))] }
	switch key {
	case "bool", "boolOr":
		return rng.IntN(2) == 0
	case "small", "large", "natural", "float", "floatOr":
		return pick(int64(0), int64(-1), int64(127), int64(300), int64(math.MaxInt64), 0.5, 1e30, 3.0, math.Copysign(0, -1))
	case "metadata":
		return map[string]any{
			"name":              randomText(rng),
			"creationTimestamp": randomField(rng, "time", 0),
			"labels":            randomField(rng, "map", 0),
		}
	case "bytes":
		return pick("", "aGk=", "aGk", "!", "a\nGk=")
	case "texts":
		return pick([]any{}, []any{randomText(rng)}, []any{nil, ""})
	case "map":
		return pick(map[string]any{}, map[string]any{randomText(rng): randomText(rng)}, map[string]any{"a": nil})
	case "byteMap":
		return pick(map[string]any{}, map[string]any{"a": "aGk="}, map[string]any{"a": nil}, map[string]any{"a": ""})
	case "quantities":
		return map[string]any{"cpu": pick("1", "0.5", "500m", int64(3), "1Gi", "1024Mi", "x", 0.1)}
	case "port":
		return pick(int64(80), "http", "", int64(1)<<40, "<&>")
	case "time", "zero":
		return pick("2026-01-02T03:04:05Z", "2026-01-02T03:04:05+01:00", "0001-01-01T00:00:00Z", "", nil, "x")
	case "micro":
		return pick("2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05Z", nil)
	case "raw":
		return pick(map[string]any{"a": int64(1)}, nil, "text", []any{})
	case "same", "more", "named":
		if depth == 0 {
			return nil
		}
		return randomInner(rng, key, depth-1, pick)
	}
	return randomText(rng)
}

// randomInner is a field of the type itself, or a list or map of it.
func randomInner(rng *rand.Rand, key string, depth int, pick func(...any) any) any {
	inner := randomFields(rng, depth)
	switch key {
	case "same":
		return inner
	case "named":
		return pick(
			map[string]any{},
			map[string]any{"a": inner},
			map[string]any{"a": inner, "b": randomFields(rng, depth), "c": nil},
		)
	}
	return pick([]any{}, []any{inner}, []any{inner, nil})
}

func randomText(rng *rand.Rand) string {
	return []string{"", "a", "web-0", `"`, `\`, "<&>", "é", "\xff", "\u2028", "a b\n"}[rng.IntN(10)]
}

func anyValue(rng *rand.Rand) any {
	return []any{nil, true, "x", int64(5), 1.5, []any{"a"}, map[string]any{"a": "b"}, []any{map[string]any{}}}[rng.IntN(8)]
}
