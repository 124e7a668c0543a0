package redact_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/cmd/clear"
	"github.com/ssactl/ssactl/internal/cmd/compare"
	"github.com/ssactl/ssactl/internal/cmd/resolve"
	"github.com/ssactl/ssactl/internal/cmd/snapshot"
	"github.com/ssactl/ssactl/internal/cmd/transfer"
	"github.com/ssactl/ssactl/internal/finding"
	"github.com/ssactl/ssactl/internal/ownership/conflict"
	"github.com/ssactl/ssactl/internal/ownership/migration"
	"github.com/ssactl/ssactl/internal/ownership/owners"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/report/redact"
	"github.com/ssactl/ssactl/internal/text"
)

// TestDocumentsTellNoValue fills every field of every document with values of
// its own, known ones into texts and unknown ones into JSON values, and finds
// them again in none that is not declared public. A field that is added to a
// document is in the test with it.
func TestDocumentsTellNoValue(t *testing.T) {
	for _, empty := range []any{
		report.Report{}, report.Result{}, conflict.Document{}, conflict.Answers{}, migration.Document{},
		transfer.Document{}, clear.Document{}, resolve.Document{}, finding.Report{}, owners.Document{}, compare.Document{},
		snapshot.Document{},
	} {
		t.Run(reflect.TypeOf(empty).String(), func(t *testing.T) {
			m := redact.New()
			f := &filler{masker: m}
			document := reflect.New(reflect.TypeOf(empty)).Elem()
			f.fill(document, "", 0)
			if f.values < 4 {
				t.Fatalf("only %d places were filled", f.values)
			}
			masked := reflect.ValueOf(redact.Document[any](m, document.Interface()))
			leaks(t, masked, reflect.TypeOf(empty).String(), "")
			if f.find(document) == 0 {
				t.Error("the given document was changed")
			}
		})
	}
}

// filler writes a value into each place.
type filler struct {
	masker *redact.Masker
	values int
}

const mark = "Zq7mark"

func (f *filler) value(known bool) string {
	f.values++
	value := fmt.Sprintf("%s-%d-<&>\"", mark, f.values)
	if known {
		f.masker.LearnPatch(value)
	}
	return value
}

// deepest bounds types that hold themselves.
const deepest = 12

func (f *filler) fill(v reflect.Value, tag string, depth int) {
	if depth > deepest || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		f.text(v, tag)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), tag, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(v.Index(i), tag, depth+1)
		}
	case reflect.Map:
		f.object(v, tag, depth)
	case reflect.Interface:
		v.Set(reflect.ValueOf([]any{f.value(tag == "text"), map[string]any{"below": f.value(tag == "text")}}))
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				f.fill(v.Field(i), field.Tag.Get("secret"), depth+1)
			}
		}
		if v.Type().Name() == "Target" {
			v.FieldByName("APIVersion").SetString("v1")
			v.FieldByName("Kind").SetString("Secret")
		}
	}
}

func (f *filler) text(v reflect.Value, tag string) {
	switch {
	case v.Type() != reflect.TypeFor[string]():
		v.SetString("Word")
	case tag == "public":
		v.SetString("public")
	case tag == "path":
		v.SetString(fmt.Sprintf(".data.key[=%q]", f.value(false)))
	case tag == "pointer":
		v.SetString("/data/key")
	default:
		v.SetString("says " + f.value(true) + ", and no more")
	}
}

func (f *filler) object(v reflect.Value, tag string, depth int) {
	if v.Type() != reflect.TypeFor[map[string]any]() {
		v.Set(reflect.MakeMap(v.Type()))
		item := reflect.New(v.Type().Elem()).Elem()
		f.fill(item, tag, depth+1)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), item)
		return
	}
	known := tag == "text"
	v.Set(reflect.ValueOf(map[string]any{
		"kind": "Secret", "data": map[string]any{"key": f.value(known)}, "stringData": map[string]any{"key": []any{f.value(known)}},
		"metadata": map[string]any{
			"name":        "public",
			"labels":      map[string]any{"key": "public"},
			"annotations": map[string]any{"key": "quotes " + f.value(true)},
			"unknown":     f.value(known),
		},
		"details": map[string]any{"causes": []any{map[string]any{"field": "data", "message": f.value(true)}}},
	}))
}

// find counts the places that have a value.
func (f *filler) find(v reflect.Value) int {
	return strings.Count(fmt.Sprintf("%+v", v.Interface()), mark)
}

// leaks returns each place that has a value and is not public.
func leaks(t *testing.T, v reflect.Value, place, tag string) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if strings.Contains(v.String(), mark) {
			t.Errorf("%s tells %s", place, v)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			leaks(t, v.Elem(), place, tag)
		}
	case reflect.Slice:
		for i := range v.Len() {
			leaks(t, v.Index(i), fmt.Sprintf("%s[%d]", place, i), tag)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			leaks(t, v.MapIndex(key), fmt.Sprintf("%s[%s]", place, key), tag)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("secret") != "public" {
				leaks(t, v.Field(i), place+"."+f.Name, f.Tag.Get("secret"))
			}
		}
	}
}

// TestOtherDocumentsAreShared: what says nothing of a Secret is not copied, and
// costs next to nothing, in a run that knows some as well.
func TestOtherDocumentsAreShared(t *testing.T) {
	other := report.Result{
		Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
		Live:   map[string]any{"kind": "Deployment", "spec": map[string]any{"replicas": int64(3), "secretName": "s"}},
		Error:  "hunter2 is no secret here",
	}
	m := redact.New()
	m.LearnPatch("hunter2")
	masked := redact.Document(m, other)
	if reflect.ValueOf(masked.Live).Pointer() != reflect.ValueOf(other.Live).Pointer() || masked.Error != other.Error {
		t.Errorf("changed: %+v", masked)
	}
	if m.Concerns(&other) {
		t.Error("a Deployment concerns a Masker")
	}
	if allocs := testing.AllocsPerRun(100, func() { redact.New().Concerns(&other) }); allocs > 20 {
		t.Errorf("%v allocations for what has no Secret", allocs)
	}
}

// BenchmarkOther is the cost of looking at a result that concerns no Secret, in
// a run without any and in one with some.
func BenchmarkOther(b *testing.B) {
	containers := make([]any, 10)
	for i := range containers {
		containers[i] = map[string]any{
			"name":  "app",
			"image": "example.com/app:1",
			"env":   []any{map[string]any{"name": "A", "value": "b"}},
		}
	}
	r := report.Result{
		Target: report.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
		Live:   map[string]any{"kind": "Deployment", "spec": map[string]any{"containers": containers}},
		Object: map[string]any{"kind": "Deployment", "spec": map[string]any{"containers": containers}},
	}
	for name, m := range map[string]*redact.Masker{"no Secrets": redact.New(), "Secrets": redact.New()} {
		if name == "Secrets" {
			m.LearnPatch("hunter2")
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.Concerns(&r)
			}
		})
	}
}

// BenchmarkText searches a text of 10 kB for the values of 1000 Secrets.
func BenchmarkText(b *testing.B) {
	m := redact.New()
	for i := range 1000 {
		m.LearnPatch(fmt.Sprintf("value-%d-of-a-secret", i))
	}
	text := strings.Repeat("the live object has no such field as value-x; ", 220)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m.Text(text)
	}
}

// BenchmarkMentions looks for Secrets in a text that has none.
func BenchmarkMentions(b *testing.B) {
	text := []byte(strings.Repeat("kind: Deployment\nmetadata: {name: web}\nspec: {secretName: s}\n", 2000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Mentions(text)
	}
}

// TestSentences: a value of a Secret in what a finding says is masked where it stands as a
// value, and where somebody else says it; paths keep their keys, and other objects theirs.
func TestSentences(t *testing.T) {
	for _, test := range []struct{ kind, want string }{
		{"Secret", `me sets .data.password: "*** (secret 1)" is no "*** (secret 1)": bad value *** (secret 1) in .data[=***]`},
		{"ConfigMap", `me sets .data.password: "hunter2-hunter2" is no "hunter2-hunter2": bad value hunter2-hunter2 in .data[="x"]`},
	} {
		m := redact.New()
		m.LearnPatch("hunter2-hunter2")
		value := text.ValueOf(".data.password", "hunter2-hunter2")
		f := finding.Rule{Name: "r"}.On(
			report.Target{APIVersion: "v1", Kind: test.kind, Name: "db"},
			report.Source{},
			text.New(
				"%v sets %v: %v is no %v: %v in %v", text.By("me"), text.Path(".data.password"), value, value,
				text.Said("bad value hunter2-hunter2"),
				text.Path(`.data[="x"]`),
			),
		)
		if got := redact.Document(m, finding.Report{Findings: []report.Finding{f}}).Findings[0].Message.String(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.kind, got, test.want)
		}
	}
}

// TestSharedTrees: what two trees of a document share is looked at once, and a Secret in what
// they do not share is found in either.
func TestSharedTrees(t *testing.T) {
	secret := map[string]any{"kind": "Secret", "apiVersion": "v1", "data": map[string]any{"a": "aHVudGVyMg=="}}
	shared := map[string]any{"replicas": int64(3), "list": []any{"a", map[string]any{"b": "c"}}}
	for name, trees := range map[string][2]map[string]any{
		"in both":            {{"spec": shared, "of": secret}, {"spec": shared, "of": secret}},
		"in the first":       {{"spec": shared, "of": secret}, {"spec": shared}},
		"in the second":      {{"spec": shared}, {"spec": shared, "of": secret}},
		"in another's place": {{"of": shared}, {"of": secret}},
		"in a longer list":   {{"items": []any{shared}}, {"items": []any{shared, secret}}},
		"in no other":        {nil, {"of": secret}},
		"in none":            {{"spec": shared}, {"spec": shared}},
	} {
		r := report.Result{
			Target: report.Target{APIVersion: "example.com/v1", Kind: "Widget", Name: "web"}, Live: trees[0], Object: trees[1],
		}
		m := redact.New()
		m.LearnPatch("hunter2")
		if got := m.Concerns(&r); got != (name != "in none") {
			t.Errorf("%s: %v", name, got)
		}
	}
}
