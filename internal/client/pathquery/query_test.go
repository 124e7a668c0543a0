package pathquery

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/itchyny/gojq"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/jsontree"
)

// disguised replaces what is in data of a Secret, as values of Secrets are.
func disguised(object map[string]any, other func(string) string) (map[string]any, bool) {
	data, _ := object["data"].(map[string]any)
	if object["kind"] != "Secret" || len(data) == 0 {
		return object, false
	}
	out, values := map[string]any{}, map[string]any{}
	for key, item := range object {
		out[key] = item
	}
	for key, item := range data {
		plain, _ := base64.StdEncoding.DecodeString(item.(string))
		values[key] = base64.StdEncoding.EncodeToString([]byte(other(string(plain))))
	}
	out["data"] = values
	return out, true
}

const queried = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {a: x, b: "y"}, annotations: {one.example.com/a: "1", two: "2"}}
spec:
  replicas: 3
  template: {spec: {containers: [{name: main, image: a:1, env: [{name: A, value: x}, {name: B}]}, {name: side, image: b:2}], volumes: []}}
`

// TestQueries: a query deletes what del deletes upstream, and keeps the rest.
func TestQueries(t *testing.T) {
	for _, text := range []string{
		`.spec.replicas`, `.spec.template.spec.containers[] | select(.name == "side")`, `.spec.template.spec.containers[]?.image`, `.spec.nothing[]?.x`, `.spec.nothing[].x`,
		`.metadata.annotations["two"]`, `.metadata.labels.a, .metadata.labels.b`, `.metadata.annotations | .[keys[] | select(startswith("one."))]`,
		`.spec.template.spec.containers[] | select(.image | test("^b"))`, `.spec.template.spec.containers[].env[]? | select(.name as $n | ["A", "C"] | index($n))`,
		`.. | .image?`, `.. | select(type == "number")`, `.spec.template.spec.containers[0:1]`, `.spec.template.spec.containers[-1]`, `first(.spec.template.spec.containers[])`,
		`if .spec.replicas > 2 then .spec.replicas else empty end`, `.spec | (.replicas, .template.spec.volumes)`, `getpath(["spec", "replicas"])`, `.a // .spec.replicas`,
		`.metadata.annotations | with_entries(.)`, `.spec.template.spec.containers[] | select([.env[]?.name] | contains(["A"]))`, `def f: .spec; f.replicas`, `try error("x") catch .`,
		`.spec.template.spec.containers[] | select("\(.name)-\(.image)" == "main-a:1")`, `.spec.template.spec.containers[] | select(.name + .image == "sideb:2") | .image`,
		`recurse(.[]?; . != null) | .name?`, `.spec.template.spec.containers | last`, `.metadata.labels[("a", "b")]`, `limit(1; .spec.template.spec.containers[])`,
		`.spec.template.spec.containers[] | select(any(.env[]?; .name == "B")) | .env`, `paths`, `reduce .x as $x (.; .) | .spec`, `..`, `.`, `empty`,
		`.spec.template.spec.containers[] | select(.image | sub("a"; "z") == "z:1")`, `.spec.template.spec.containers[] | select(.image | ascii_downcase | ltrimstr("b") == ":2")`,
	} {
		q, err := newBudgeted(text)
		if err != nil || q.refused != nil {
			t.Errorf("%s: %v, %v", text, err, q.refused)
			continue
		}
		left, err := q.Delete(object(t, queried), disguised)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(deleted(t, text), left); diff != "" {
			t.Errorf("%s (-upstream +here):\n%s", text, diff)
		}
	}
}

// deleted is the object without what upstream deletes.
func deleted(t *testing.T, text string) map[string]any {
	t.Helper()
	query, err := gojq.Parse("del(" + text + ")")
	if err != nil {
		t.Fatal(err)
	}
	encoded, _ := json.Marshal(object(t, queried))
	var input any
	if err := json.Unmarshal(encoded, &input); err != nil {
		t.Fatal(err)
	}
	result, _ := query.Run(input).Next()
	left, is := result.(map[string]any)
	if !is {
		return object(t, queried)
	}
	encoded, _ = json.Marshal(left)
	return decoded(t, encoded)
}

func decoded(t *testing.T, text []byte) map[string]any {
	t.Helper()
	out, err := jsontree.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// object is an object in YAML.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	encoded, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, encoded)
}

// newBudgeted is a query with a budget of its own.
func newBudgeted(text string) (Query, error) {
	q, err := newQuery(text)
	q.budget = &Budget{}
	return q, err
}

// TestQueriesOfSecrets: what a query deletes says nothing of the values, and neither does
// that it is refused.
func TestQueriesOfSecrets(t *testing.T) {
	secret := func(value string) map[string]any {
		return object(
			t,
			`{apiVersion: v1, kind: Secret, metadata: {name: s, labels: {a: x, b: "y"}}, data: {p: `+base64.StdEncoding.EncodeToString(
				[]byte(value),
			)+`, q: b3RoZXI=}}`,
		)
	}
	for text, reads := range map[string]bool{
		`.data.p`: false, `.data["p", "q"]`: false, `.metadata.labels.a`: false, `.data[]`: false, `.data | .[keys[] | select(. == "p")]`: false, `.data[] | select(length > 0)`: false,
		`if .data.p == "aHVudGVyMg==" then .metadata.labels.a else empty end`:                               true,
		`if (.data.p | @base64d) == "hunter2" then .metadata.labels.a else empty end`:                       true,
		`if .data.p | @base64d | startswith("h") then .metadata.labels.a else empty end`:                    true,
		`if (.data.p | @base64d | explode[0]) % 2 == 1 then .metadata.labels.a else .metadata.labels.b end`: true,
		`if .data.p | length > 8 then .metadata.labels.a else empty end`:                                    true,
		`.metadata.labels[.data.p]`: true, `.data | to_entries[] | select(.value | @base64d | contains("hunter2")) | .key`: false,
		`.metadata.labels | .[if "x" < "y" then "a" else "b" end]`:                                      false,
		`.zz) | (if (.data.p | explode)[0] % 2 == 1 then del(.metadata.labels.a) else . end) | del(.zz`: true,
	} {
		var first string
		for i, value := range []string{"hunter2", "hunter3", "other and longer", "x", "\x00\x01"} {
			q, err := newBudgeted(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			paths, err := q.deletes(secret(value), disguised)
			if (err != nil) != reads {
				t.Errorf("%s of %q: %v", text, value, err)
			}
			got := fmt.Sprint(paths, err)
			if i == 0 {
				first = got
			}
			if got != first {
				t.Errorf("%s gives %s and %s", text, first, got)
			}
		}
	}
}

// TestQueryLimits: what is too large is not read, and what makes too much or takes too long
// ends, and is not known.
func TestQueryLimits(t *testing.T) {
	nested := strings.Repeat("(", 3000) + "." + strings.Repeat(")", 3000)
	for name, text := range map[string]string{
		"long": "." + strings.Repeat("a", maxQuery), "nested": nested, "many groups": `.a | test("` + strings.Repeat("(a|b)*", 1200) + `")`,
		"doubled": `select(reduce range(40) as $i ("x"; [., .]) | tojson | length > 1)`, "doubled by hand": `select(` + strings.Repeat("[., .] | ", 60) + `tojson | length > 1)`,
		"texts": `select(reduce range(60) as $i ("x"; . + .) | length > 1)`, "repeated": `select(("x" * 1e8) * 1e8 | length > 1)`, "numbers": `select(reduce range(60) as $i (3; . * .) > 1)`,
		"quotes": `select(` + strings.Repeat("tojson | ", 60) + `length > 1)`, "interpolated": `select(` + strings.Repeat(`"\(.)\(.)" | `, 60) + `length > 1)`,
		"objects": `select(` + strings.Repeat(`{a: ., b: .} | `, 60) + `tojson | length > 1)`, "swallowed": `select([range(10) | try (reduce range(40) as $i ("x"; [., .]) | tojson) catch 1] | length > 1)`,
		"endless": `select([recurse(.)] | length > 1)`, "endless paths": `repeat(.)`, "function": `def f: [f]; select(f)`, "functions": `def f: [def g: [f]; g]; select(f)`, "while": `[while(true; .)]`, "until": `until(false; .)`, "last": `last(recurse([.]))`, "assigned": `select(([] | .[134217727] = 1) | length > 1)`,
		"set": `select([] | setpath([134217727]; 1) | length > 1)`, "a pattern": `select(.kind | test("(a|b)*" * 200))`, "a replacement": `select([range(20000)] | tojson | gsub(""; "x" * 4000) | length > 1)`,
		"more than a path": `.a) | .b = 1 | del(.c`,
	} {
		start := time.Now()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		q, err := newBudgeted(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if paths, err := q.deletes(object(t, queried), nil); err == nil {
			t.Errorf("%s: gives %.100v", name, paths)
		}
		if runtime.ReadMemStats(&after); after.Sys-before.Sys > 512<<20 {
			t.Errorf("%s reserves %d MiB", name, (after.Sys-before.Sys)>>20)
		}
		t.Logf("%s: %v", name, time.Since(start))
	}
}

// TestAllQueries: what many queries take together is bounded, and so is their number.
func TestAllQueries(t *testing.T) {
	q, err := newQuery(`.spec`)
	if err != nil {
		t.Fatal(err)
	}
	q.budget = &Budget{spent: allQueriesLimit}
	if _, err := q.deletes(object(t, queried), nil); err == nil {
		t.Error("a query is evaluated when there is no time left")
	}
	many := make([]string, 100_000)
	for i := range many {
		many[i] = ".spec"
	}
	list, err := Read(many, &Budget{})
	if err != nil || len(list) != maxQueries+1 || list[maxQueries].refused == nil {
		t.Errorf("%d queries, %v", len(list), err)
	}
	b := &Budget{}
	long := "." + strings.Repeat("a", maxQuery-1)
	for range maxAllQueries / maxQuery {
		if list, err := Read([]string{long}, b); err != nil || list[0].refused != nil {
			t.Fatalf("a query within the length of all is refused: %v, %v", list[0].refused, err)
		}
	}
	if list, err := Read([]string{".spec"}, b); err != nil || list[0].refused == nil {
		t.Errorf("a query beyond the length of all is read: %v", err)
	}
}
