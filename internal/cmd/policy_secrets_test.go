package cmd

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/sampled"
)

// secretPlace is where a policy reads a Secret from.
type secretPlace struct {
	variable, resource string
	paramRef           object
	// live is another live object; nil for none.
	live object
}

var secretPlaces = map[string]secretPlace{
	"object":    {variable: "object", resource: "secrets"},
	"oldObject": {variable: "oldObject", resource: "secrets"},
	"a parameter by name": {
		variable: "params",
		resource: "configmaps",
		paramRef: object{"name": "db", "namespace": "shop", "parameterNotFoundAction": "Deny"},
	},
	"parameters by selector": {
		variable: "params",
		resource: "configmaps",
		paramRef: object{
			"selector":                object{"matchLabels": object{"tier": "db"}},
			"namespace":               "shop",
			"parameterNotFoundAction": "Deny",
		},
	},
}

// policy is a policy of a kind with its binding.
func (p secretPlace) policy(kind, name string, spec, binding object) []any {
	spec["matchConstraints"] = object{
		"resourceRules": []any{
			object{"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "operations": []any{"*"}, "resources": []any{p.resource}},
		},
	}
	binding["policyName"] = name
	if p.paramRef != nil {
		spec["paramKind"], binding["paramRef"] = object{"apiVersion": "v1", "kind": "Secret"}, p.paramRef
	}
	metadata := object{"name": name}
	return []any{
		object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec},
		object{
			"apiVersion": "admissionregistration.k8s.io/v1",
			"kind":       kind + "Binding",
			"metadata":   metadata,
			"spec":       binding,
		},
	}
}

func (p secretPlace) denies(validation object, more object) []any {
	spec := object{"validations": []any{validation}}
	for key, value := range more {
		spec[key] = value
	}
	return p.policy("ValidatingAdmissionPolicy", "judge", spec, object{"validationActions": []any{"Deny"}})
}

func (p secretPlace) sets(name string, mutation object) []any {
	spec := object{"failurePolicy": "Fail", "reinvocationPolicy": "Never", "mutations": []any{mutation}}
	return p.policy("MutatingAdmissionPolicy", name, spec, object{})
}

// annotates is a mutation that sets an annotation.
func annotates(key, value string) object {
	return object{
		"patchType": "ApplyConfiguration",
		"applyConfiguration": object{
			"expression": "Object{metadata: Object.metadata{annotations: {" + key + ": " + value + "}}}",
		},
	}
}

func patches(operation string) object {
	return object{"patchType": "JSONPatch", "jsonPatch": object{"expression": "[JSONPatch" + operation + "]"}}
}

// asked runs a command over policies, a Secret with a value, and the manifest of what the
// policies judge.
func (p secretPlace) asked(t *testing.T, policies []any, value string, args ...string) string {
	t.Helper()
	secret := object{
		"apiVersion": "v1", "kind": "Secret", "metadata": object{"name": "db", "namespace": "shop", "labels": object{"tier": "db"}},
		"data": object{"password": base64.StdEncoding.EncodeToString([]byte(value))},
	}
	live := object{"apiVersion": "v1", "kind": "Secret", "metadata": object{
		"name": "db", "namespace": "shop", "labels": object{"tier": "db"}, "uid": "00000000-0000-4000-8000-000000000001", "resourceVersion": "7",
		"managedFields": []any{
			object{
				"manager":    "vault",
				"operation":  "Apply",
				"apiVersion": "v1",
				"time":       "2026-01-01T00:00:00Z",
				"fieldsType": "FieldsV1",
				"fieldsV1":   object{"f:data": object{"f:other": object{}}},
			},
		},
	}, "data": secret["data"]}
	manifest := secret
	if p.resource == "configmaps" {
		manifest = object{
			"apiVersion": "v1",
			"kind":       "ConfigMap",
			"metadata":   object{"name": "web", "namespace": "shop"},
			"data":       object{"mode": "fast"},
		}
	}
	t.Chdir(t.TempDir())
	items := slices.Concat(policies, []any{live})
	if p.live != nil {
		items = append(items, p.live)
	}
	for name, content := range map[string]object{"live.json": {"apiVersion": "v1", "kind": "List", "items": items}, "manifest.json": manifest} {
		if err := os.WriteFile(name, []byte(asJSON(content)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	line := append(
		[]string{
			"apply", "-f", "manifest.json", "--live", "live.json", "--field-manager", "ci", "--now",
			"2026-06-01T00:00:00Z",
		},
		args...)
	Main(line, iostreams.New(strings.NewReader(""), &out, &out, nil))
	printed, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range printed {
		if name == "live.json" || name == "manifest.json" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	return out.String()
}

// twoValues differ in their length, their first letters and in what they are made of.
var twoValues = [2]string{"hunter22Secret", "Zy9"}

// sameForBoth has two values of a Secret give the same output, and gives it.
func sameForBoth(t *testing.T, p secretPlace, policies []any, args ...string) string {
	t.Helper()
	first, second := p.asked(t, policies, twoValues[0], args...), p.asked(t, policies, twoValues[1], args...)
	if first != second {
		t.Errorf("the output tells values of a Secret apart (%v):\n%s\n%s", args, first, second)
	}
	return first
}

const madeFromSecret = "*** (made from values of a Secret; --show-secrets shows it)"

// TestPolicyMessagesAndSecrets: a message says the same whatever is in the Secret that
// its expression reads, or nothing.
func TestPolicyMessagesAndSecrets(t *testing.T) {
	shown := map[string]string{
		"'rotate it'":                                "rotate it",
		"'Secret ' + IN.metadata.name":               "Secret db",
		"IN.data.map(key, key).join(', ')":           "password",
		"'with ' + string(IN.data.size()) + ' keys'": "with 1 keys",
	}
	masked := []string{
		"string(VALUE)", "VALUE.substring(0, 4)", "VALUE.substring(0, 4) + '…'", "VALUE.split('').join(' ')", "VALUE.replace('a', 'b')", "VALUE.lowerAscii()",
		"VALUE.find('[a-z]+')", "VALUE.charAt(1)", "'%s'.format([VALUE])", "'%s'.format([IN.data])", "string(size(VALUE))", "string(int(VALUE))",
		"VALUE.size() > 12 ? 'long' : 'short'", "VALUE.matches('^[a-z]') ? 'lower' : 'upper'", "VALUE.startsWith('aHVu') ? 'it' : 'other'",
		"VALUE == 'aHVudGVyMjJTZWNyZXQ=' ? 'it' : 'other'", "string('Wnk5' in [VALUE])", "string(IN.data.exists(key, IN.data[key] == 'Wnk5'))",
		"string(IN.data == {'password': 'Wnk5'})", "'is ' + variables.part",
	}
	for name, p := range secretPlaces {
		message := func(expression string) []any {
			expression = strings.NewReplacer("VALUE", p.variable+".data.password", "IN", p.variable).Replace(expression)
			return p.denies(
				object{"expression": "false", "messageExpression": expression},
				object{
					"variables": []any{
						object{"name": "part", "expression": "string(" + p.variable + ".data.password).substring(1, 3)"},
					},
				},
			)
		}
		for expression, want := range shown {
			if out := sameForBoth(t, p, message(expression)); !strings.Contains(out, "denied request: "+want+"\n") {
				t.Errorf("%s: %s is not shown:\n%s", name, expression, out)
			}
		}
		for _, expression := range sampled.Of(t, 6, masked) {
			if out := sameForBoth(t, p, message(expression)); !strings.Contains(
				strings.Join(strings.Fields(out), " "),
				madeFromSecret,
			) {
				t.Errorf("%s: %s is not masked:\n%s", name, expression, out)
			}
		}
	}
	p := secretPlaces["a parameter by name"]
	out := p.asked(
		t,
		p.denies(object{"expression": "false", "messageExpression": "params.data.password.substring(0, 4)"}, nil),
		twoValues[0],
		"--show-secrets",
	)
	if !strings.Contains(out, "denied request: aHVu") {
		t.Errorf("--show-secrets does not show the message:\n%s", out)
	}
}

// policiesOfSecrets are policies that make something else than a message from a Secret,
// and what is to be printed of it.
func policiesOfSecrets(p secretPlace) map[string]struct {
	policies []any
	want     string
} {
	type made = struct {
		policies []any
		want     string
	}
	const value = "params.data.password"
	warning := p.denies(object{"expression": "false", "messageExpression": value + ".lowerAscii()"}, nil)
	warning[1].(object)["spec"].(object)["validationActions"] = []any{"Warn", "Audit"}
	plain := secretPlace{resource: p.resource}
	return map[string]made{
		"a warning":             {warning, "Validation failed for ValidatingAdmissionPolicy"},
		"an error":              {p.denies(object{"expression": "int(" + value + ") > 3"}, nil), madeFromSecret},
		"a key that is missing": {p.denies(object{"expression": "{'a': 1}[" + value + "] > 3"}, nil), madeFromSecret},
		"a key of the Secret":   {p.denies(object{"expression": "params.data.token == ''"}, nil), "no such key: token"},
		"a match condition": {
			p.denies(
				object{"expression": "false"},
				object{"matchConditions": []any{object{"name": "c", "expression": "int(" + value + ") > 3"}}},
			),
			madeFromSecret,
		},
		"an audit annotation": {
			p.denies(
				object{"expression": "true"},
				object{"auditAnnotations": []any{object{"key": "a", "valueExpression": "string(int(" + value + "))"}}},
			),
			madeFromSecret,
		},
		"a part": {
			p.sets("set", annotates("'part'", value+".substring(0, 3)")),
			".metadata.annotations.part",
		},
		"one of two texts": {
			p.sets("set", annotates("'size'", value+".size() > 12 ? 'long' : 'short'")),
			".metadata.annotations.size",
		},
		"a length, and a text": {p.sets("set", annotates("'size'", "string(size("+value+")), 'by': 'policy'")), "policy"},
		"a key": {
			p.sets("set", annotates("'k' + "+value+".lowerAscii().replace('=', '')", "'v'")),
			"set by admission",
		},
		"a text alone": {p.sets("set", annotates("'by'", "'policy'")), "policy"},
		"an operation": {
			p.sets("set", patches("{op: 'add', path: '/data/size', value: string(size("+value+"))}")),
			".data.size",
		},
		"the path of one": {
			p.sets("set", patches("{op: 'add', path: '/data/' + "+value+".replace('=', ''), value: 'v'}")),
			"set by admission",
		},
		"an error of one": {
			p.sets("set", patches("{op: 'add', path: '/none/' + "+value+", value: 'v'}")),
			madeFromSecret,
		},
		"what is then not valid": {
			p.sets("set", patches("{op: 'add', path: '/metadata/labels', value: {'l': '-' + "+value+".substring(0, 3)}}")),
			madeFromSecret,
		},
		"what a policy then reads": {append(
			p.sets("set", annotates("'part'", value+".substring(0, 3)")),
			plain.denies(
				object{"expression": "false", "messageExpression": "object.metadata.annotations.part.lowerAscii()"},
				nil,
			)...), madeFromSecret},
		"what a policy then copies": {append(p.sets("a", annotates("'part'", value+".substring(0, 3)")),
			plain.sets("b", annotates("'copy'", "object.metadata.annotations.part.lowerAscii(), 'by': 'policy'"))...), "policy"},
	}
}

// everyFormat has one run print each format into a file.
var everyFormat = []string{
	"-o", "yaml", "-o", "json=out.json", "-o", "diff=out.diff", "-o", "report=report.json", "-o", "markdown=out.md", "-o", "html=out.html",
	"-o", "github=out.github", "-o", "sarif=out.sarif", "-o", "junit=out.xml", "-o", "json-patch=patch.json", "-o", "name=out.name",
}

// TestPoliciesAndSecrets: what else policies make of a parameter that is a Secret is
// masked in all formats, and nothing more.
func TestPoliciesAndSecrets(t *testing.T) {
	p := secretPlaces["a parameter by name"]
	contested := p
	contested.live = object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{
		"name": "web", "namespace": "shop", "uid": "00000000-0000-4000-8000-000000000002", "resourceVersion": "8",
		"managedFields": []any{
			object{
				"manager":    "tuner",
				"operation":  "Apply",
				"apiVersion": "v1",
				"time":       "2026-01-01T00:00:00Z",
				"fieldsType": "FieldsV1",
				"fieldsV1":   object{"f:data": object{"f:mode": object{}}},
			},
		},
	}, "data": object{"mode": "slow"}}
	for name, made := range policiesOfSecrets(p) {
		if out := sameForBoth(t, p, made.policies, "-v"); !strings.Contains(
			strings.Join(strings.Fields(out), " "),
			made.want,
		) {
			t.Errorf("%s: the output lacks %q:\n%s", name, made.want, out)
		}
		for _, p := range []secretPlace{p, contested} {
			sameForBoth(t, p, made.policies, slices.Concat([]string{"-v", "--show-managed-fields"}, everyFormat)...)
		}
	}
}
