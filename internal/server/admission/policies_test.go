package admission

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ssactl/ssactl/internal/server/api"
	"github.com/ssactl/ssactl/internal/server/given"
)

// writesTo matches the writes to a resource of the core group.
func writesTo(resource, more string) string {
	return `{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["` + resource + `"]}]` + more + `}`
}

// policy is a policy of a kind with its binding.
func policy(kind, name, match, spec, binding string) []string {
	group := `"apiVersion":"admissionregistration.k8s.io/v1","kind":"` + kind
	return []string{
		fmt.Sprintf(`{%s","metadata":{"name":%q},"spec":{"matchConstraints":%s,%s}}`, group, name, match, spec),
		fmt.Sprintf(`{%sBinding","metadata":{"name":"to-%s"},"spec":{"policyName":%q%s}}`, group, name, name, binding),
	}
}

func validatingOf(name, match, spec string) []string {
	return policy("ValidatingAdmissionPolicy", name, match, spec, `,"validationActions":["Deny"]`)
}

func mutatingOf(name, patch string) []string {
	return policy(
		"MutatingAdmissionPolicy",
		name,
		writesTo("configmaps", ""),
		`"reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":`+fmt.Sprintf(
			"%q",
			patch,
		)+`}}]`,
		"",
	)
}

const (
	denied   = "ValidatingAdmissionPolicy 'no' with binding 'to-no' denied request: "
	refusing = `error: configmaps "c" is forbidden: ` + denied
	deniesV  = `"validations":[{"expression":"object.data.k != 'v'","message":"k is v"}]`
)

func join(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// TestPolicies: the policies in force change and deny, in the order of their names, and
// what they judge by and was not given is noted.
func TestPolicies(t *testing.T) {
	label := `[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}]`
	check(t, []request{
		{
			name: "denies", given: join([]string{nsA}, validatingOf("no", writesTo("configmaps", ""), deniesV)),
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{"denial: " + denied + "k is v", refusing + "k is v"},
		}, {
			name: "allows", given: join([]string{nsA}, validatingOf("no", writesTo("configmaps", ""), `"validations":[{"expression":"object.data.k == 'v'"}]`)),
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "of another resource", given: join([]string{nsA}, validatingOf("no", writesTo("secrets", ""), deniesV)),
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "without a binding", given: []string{nsA, validatingOf("no", writesTo("configmaps", ""), deniesV)[0]},
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "each denial once, sorted", operation: admission.Create, resource: "configmaps", object: config,
			given: join(
				[]string{nsA},
				validatingOf("no2", writesTo("configmaps", ""), deniesV),
				validatingOf(
					"no",
					writesTo("configmaps", ""),
					`"validations":[{"expression":"false","message":"never"},{"expression":"false","message":"at all"}]`,
				),
			),
			want: []string{"denial: " + denied + "never", "denial: " + denied + "at all",
				"denial: ValidatingAdmissionPolicy 'no2' with binding 'to-no2' denied request: k is v", refusing + "never"},
		}, {
			name: "a policy that cannot be read", given: []string{nsA, `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"x"},"spec":7}`},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{"A given ValidatingAdmissionPolicy or its binding could not be read, and was not run."},
		}, {
			name: "by who asks", given: join([]string{nsA}, validatingOf("no", writesTo("configmaps", ""), `"validations":[{"expression":"request.userInfo.username != 'x'"}]`)),
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{`ValidatingAdmissionPolicy "no" depends on the user; answered as a cluster administrator.`},
		}, {
			name: "by the Namespace, given", operation: admission.Create, resource: "configmaps", object: config,
			given: join(
				[]string{nsA},
				validatingOf(
					"no",
					writesTo("configmaps", ""),
					`"validations":[{"expression":"namespaceObject.metadata.labels.team == 'x'"}]`,
				),
			),
		}, {
			name: "by the Namespace, not given", operation: admission.Create, resource: "configmaps", object: config,
			given: validatingOf(
				"no",
				writesTo("configmaps", ""),
				`"validations":[{"expression":"!has(namespaceObject.metadata.labels.team)"}]`,
			),
			want: []string{
				`ValidatingAdmissionPolicy "no" asks for the Namespace, which was not given: assumed to have only its name.`,
			},
		}, {
			name: "by the name of the Namespace, not given", operation: admission.Create, resource: "configmaps", object: config,
			given: validatingOf(
				"no",
				writesTo("configmaps", ""),
				`"validations":[{"expression":"namespaceObject.metadata.name == 'a'"}]`,
			),
		}, {
			name: "for Namespaces with a label, not given", operation: admission.Create, resource: "configmaps", object: config,
			given: validatingOf("no", writesTo("configmaps", `,"namespaceSelector":{"matchLabels":{"team":"x"}}`), deniesV),
			want: []string{
				`ValidatingAdmissionPolicy "no" selects by labels of the Namespace, which was not given: assumed to have only the label of its name.`,
			},
		}, {
			name: "for the Namespace of a name, not given", operation: admission.Create, resource: "configmaps", object: config,
			given: validatingOf(
				"no",
				writesTo("configmaps", `,"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"a"}}`),
				deniesV,
			),
			want: []string{"denial: " + denied + "k is v", refusing + "k is v"},
		}, {
			name: "with parameters that nothing defines", operation: admission.Create, resource: "configmaps", object: config,
			given: join(
				[]string{nsA},
				policy(
					"ValidatingAdmissionPolicy",
					"no",
					writesTo("configmaps", ""),
					`"paramKind":{"apiVersion":"nobody.io/v1","kind":"Limit"},`+deniesV,
					`,"validationActions":["Deny"],"paramRef":{"name":"p","parameterNotFoundAction":"Deny"}`,
				),
			),
			want: []string{
				`ValidatingAdmissionPolicy "no" takes parameters of the kind Limit.nobody.io, which nothing given defines: it was not run.`,
			},
		}, {
			name: "with parameters that were not given", operation: admission.Create, resource: "configmaps", object: config,
			given: join(
				[]string{nsA},
				policy(
					"ValidatingAdmissionPolicy",
					"no",
					writesTo("configmaps", ""),
					`"paramKind":{"apiVersion":"lab.io/v1","kind":"Limit"},`+deniesV,
					`,"validationActions":["Deny"],"paramRef":{"name":"p","parameterNotFoundAction":"Allow"}`,
				),
			),
			want: []string{
				`ValidatingAdmissionPolicy "no" takes parameters of the kind Limit.lab.io, and none that a binding refers to was given: taken as there being none.`,
			},
		}, {
			name: "with parameters", operation: admission.Create, resource: "configmaps", object: config,
			given: join([]string{nsA, `{"apiVersion":"lab.io/v1","kind":"Limit","metadata":{"name":"p"},"k":"v"}`},
				policy(
					"ValidatingAdmissionPolicy",
					"no",
					writesTo("configmaps", ""),
					`"paramKind":{"apiVersion":"lab.io/v1","kind":"Limit"},"validations":[{"expression":"object.data.k != params.k","message":"as limited"}]`,
					`,"validationActions":["Deny"],"paramRef":{"name":"p","parameterNotFoundAction":"Deny"}`,
				)),
			want: []string{"denial: " + denied + "as limited", refusing + "as limited"},
		}, {
			name: "mutates", given: join([]string{nsA}, mutatingOf("set", label)),
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{"MutatingAdmissionPolicy sets .metadata.labels .metadata.labels.a"},
		}, {
			name: "mutates nothing", given: join([]string{nsA}, mutatingOf("set", `[JSONPatch{op: "add", path: "/data/k", value: "v"}]`)),
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "policies judge no policies", given: validatingOf("no", `{"resourceRules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*"]}]}`, `"validations":[{"expression":"false"}]`),
			operation: admission.Create, resource: "validatingadmissionpolicies",
			object: validatingOf("x", writesTo("configmaps", ""), deniesV)[0],
		},
	})
}

func webhooksOf(kind, name, more string) string {
	return `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"` + kind + `","metadata":{"name":"` + name + `"},"webhooks":[{"name":"w.x.io","admissionReviewVersions":["v1"],"sideEffects":"None",` +
		`"clientConfig":{"url":"https://x.io"},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]` + more + `}]}`
}

// TestWebhooks: the webhooks that a server would call are named, in the order of their
// configurations, and on which condition.
func TestWebhooks(t *testing.T) {
	const (
		mutates   = "MutatingWebhookConfiguration"
		validates = "ValidatingWebhookConfiguration"
	)
	says := func(kind, name, condition, may string) string {
		return `The server would call the webhook "w.x.io" of ` + kind + ` "` + name + `"` + condition + `: it may ` + may + ` the object (failurePolicy Fail, sideEffects None).`
	}
	check(t, []request{
		{
			name: "both kinds, sorted", given: []string{nsA, webhooksOf(validates, "b", ""), webhooksOf(validates, "a", ""), webhooksOf(mutates, "m", "")},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{
				says(mutates, "m", "", "change or refuse"),
				says(validates, "a", "", "refuse"),
				says(validates, "b", "", "refuse"),
			},
		}, {
			name: "another operation", given: []string{nsA, webhooksOf(validates, "a", "")}, operation: admission.Update, resource: "configmaps", object: config, old: config,
		}, {
			name: "labels of the object", given: []string{nsA, webhooksOf(validates, "a", `,"objectSelector":{"matchLabels":{"a":"b"}}`)},
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "labels of the Namespace, met", given: []string{nsA, webhooksOf(validates, "a", `,"namespaceSelector":{"matchLabels":{"team":"x"}}`)},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{says(validates, "a", "", "refuse")},
		}, {
			name: "labels of the Namespace, not met", given: []string{nsA, webhooksOf(validates, "a", `,"namespaceSelector":{"matchLabels":{"team":"y"}}`)},
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "labels of a Namespace that was not given", given: []string{webhooksOf(validates, "a", `,"namespaceSelector":{"matchExpressions":[{"key":"team","operator":"Exists"}]}`)},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{says(validates, "a", ifLabels, "refuse")},
		}, {
			name: "a condition that holds", given: []string{nsA, webhooksOf(mutates, "m", `,"matchConditions":[{"name":"c","expression":"object.data.k == 'v'"}]`)},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{says(mutates, "m", "", "change or refuse")},
		}, {
			name: "a condition that does not", given: []string{nsA, webhooksOf(mutates, "m", `,"matchConditions":[{"name":"c","expression":"object.data.k == 'w'"}]`)},
			operation: admission.Create, resource: "configmaps", object: config,
		}, {
			name: "a condition on who asks", given: []string{nsA, webhooksOf(mutates, "m", `,"matchConditions":[{"name":"c","expression":"request.userInfo.username == 'x'"}]`)},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{says(mutates, "m", ifAsker, "change or refuse")},
		}, {
			name: "a condition that fails", given: []string{nsA, webhooksOf(validates, "a", `,"matchConditions":[{"name":"c","expression":"object.data.missing == 'w'"}]`)},
			operation: admission.Create, resource: "configmaps", object: config,
			want: []string{
				`error: configmaps "c" is forbidden: expression 'object.data.missing == 'w'' resulted in error: no such key: missing`,
			},
		},
	})
}

// TestMayMatch: what may be judged is known without an object.
func TestMayMatch(t *testing.T) {
	var texts [][]byte
	for _, text := range join(validatingOf("no", writesTo("configmaps/status", ""), deniesV), []string{webhooksOf("ValidatingWebhookConfiguration", "a", "")}) {
		texts = append(texts, []byte(text))
	}
	judges := newChain(t, given.New(texts)).Judges
	for _, c := range []struct {
		group, resource string
		operation       admission.Operation
		match, call     bool
	}{
		{"", "configmaps", admission.Create, true, true},
		{"", "configmaps", admission.Delete, true, false},
		{"", "secrets", admission.Create, false, false},
		{"apps", "configmaps", admission.Create, false, false},
	} {
		a := request{resource: c.resource}
		kind := core(a.resource).UnsortedList()[0]
		kind.Group = c.group
		if got := judges.MayMatch(kind, c.operation); got != c.match {
			t.Errorf("a policy may match %s %s: %t", c.operation, kind, got)
		}
		if got := judges.MayCall(kind, c.operation); got != c.call {
			t.Errorf("a webhook may be called to %s %s: %t", c.operation, kind, got)
		}
	}
}

const secret = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"a"},"data":{"password":"aHVudGVyMg=="}}`

// disguised has all values of a Secret's data replaced.
func disguised(object map[string]any, other func(string) string) (map[string]any, bool) {
	data, _ := object["data"].(map[string]any)
	if object["kind"] != "Secret" || len(data) == 0 {
		return object, false
	}
	out, replaced := map[string]any{}, map[string]any{}
	for key, value := range object {
		out[key] = value
	}
	for key, value := range data {
		replaced[key] = other(value.(string))
	}
	out["data"] = replaced
	return out, true
}

// TestSecretsInPolicies: what a policy says that depends on a value of a Secret is masked,
// whatever it makes of the value, and the fields made of one are named.
func TestSecretsInPolicies(t *testing.T) {
	denies := func(message string) []string {
		text, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		return validatingOf(
			"no",
			writesTo("secrets", ""),
			`"validations":[{"expression":"false","messageExpression":`+string(text)+`}]`,
		)
	}
	masked := denied + fromSecret
	for _, c := range []struct {
		name    string
		policy  []string
		denial  string
		derived string
	}{
		{"a constant", denies("'no Secrets here'"), denied + "no Secrets here", ""},
		{"the name", denies("'not ' + object.metadata.name"), denied + "not s", ""},
		{"the value", denies("'is ' + string(object.data.password)"), masked, ""},
		{"a part", denies("string(object.data.password).substring(0, 1)"), masked, ""},
		{"its length", denies("string(size(object.data.password))"), masked, ""},
		{"whether it is a text", denies("object.data.password == 'aHVudGVyMg==' ? 'guessed' : 'no'"), masked, ""},
		{"the names of the keys", denies("object.data.map(k, k).join(',')"), denied + "password", ""},
		{"a field made of it", policy("MutatingAdmissionPolicy", "set", writesTo("secrets", ""),
			`"reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"add\", path: \"/metadata/labels\", value: {\"l\": object.data.password.substring(0, 1)}}]"}}]`, ""),
			"", ".metadata.labels.l"},
		{"a field not made of it", policy("MutatingAdmissionPolicy", "set", writesTo("secrets", ""),
			`"reinvocationPolicy":"Never","mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":"[JSONPatch{op: \"add\", path: \"/metadata/labels\", value: {\"l\": object.metadata.name}}]"}}]`, ""),
			"", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			objects := given.New([][]byte{[]byte(nsA), []byte(c.policy[0]), []byte(c.policy[1])})
			objects.Listed, objects.Disguise = listAll(), disguised
			record, lines := ask(
				t,
				newChain(t, objects),
				request{operation: admission.Create, resource: "secrets", object: secret}.attributes(t),
			)
			if got := strings.Join(record.Denials, "\n"); got != c.denial {
				t.Errorf("denials %q, want %q", got, c.denial)
			}
			if got := strings.Join(record.DerivedFields(), " "); got != c.derived {
				t.Errorf("derived %q, want %q (%v)", got, c.derived, lines)
			}
			if text := strings.Join(lines, "\n"); strings.Contains(text, "aHVudGVyMg") {
				t.Errorf("the value is in %s", text)
			}
		})
	}
}

// TestConcealDerived: warnings and refusals of an object with fields made of Secrets say
// nothing; what policies say was masked where it was said.
func TestConcealDerived(t *testing.T) {
	const status = `{"kind":"Status","message":"hunter2 is no name","details":{"causes":[{"message":"hunter2"}]}}`
	for _, c := range []struct {
		name     string
		response api.Response
		body     string
		warning  string
	}{
		{"nothing derived", api.Response{Code: 422, Body: []byte(status), Warnings: []string{"hunter2"}}, "hunter2", "hunter2"},
		{"a refusal", api.Response{Code: 422, Body: []byte(status), Warnings: []string{"hunter2"}, Derived: []string{".x"}}, fromSecret, fromSecret},
		{"a denial", api.Response{Code: 422, Body: []byte(`"masked"`), Denials: []string{"masked"}, Derived: []string{".x"},
			Warnings: []string{"Validation failed for ValidatingAdmissionPolicy 'p'"}}, "masked", "Validation failed"},
		{"accepted", api.Response{Code: 200, Body: []byte(`{"kind":"Secret"}`), Derived: []string{".x"}, Warnings: []string{"hunter2"}}, "Secret", fromSecret},
	} {
		r := c.response
		if err := ConcealDerived(&r); err != nil {
			t.Fatal(err)
		}
		if body := strings.ReplaceAll(string(r.Body), `\u003e`, ">"); !strings.Contains(body, c.body) ||
			c.body == fromSecret && strings.Contains(body, "hunter2") {
			t.Errorf("%s: body %s", c.name, body)
		}
		if got := r.Warnings[0]; !strings.HasPrefix(got, c.warning) {
			t.Errorf("%s: warning %q", c.name, got)
		}
	}
	if err := ConcealDerived(&api.Response{Code: 500, Body: []byte("hunter2"), Derived: []string{".x"}}); err == nil ||
		strings.Contains(err.Error(), "hunter2") {
		t.Errorf("what is no Status: %v", err)
	}
}
