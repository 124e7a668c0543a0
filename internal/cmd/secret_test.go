package cmd

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ssactl/ssactl/internal/run/iostreams"
	"github.com/ssactl/ssactl/test/sampled"
)

// marker is in every secret value of these tests; its length lets base64 of it
// be found in that of a longer text that begins with it.
const marker = "Zq7Hunter7qZ"

func marked(suffix string) string {
	return base64.StdEncoding.EncodeToString([]byte(marker + suffix))
}

// liveSecret is a live object with parts of its metadata, and its body.
func liveSecret(metadata, body string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\n  uid: u\n  resourceVersion: \"1\"\n" + metadata + body
}

func lastAppliedNote(applied string) string {
	return "  annotations: {kubectl.kubernetes.io/last-applied-configuration: " + strconv.Quote(applied) + "}\n"
}

func claimed(fields string) string {
	return `  managedFields:
  - {manager: vault, operation: Apply, apiVersion: v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: ` + fields + `}
  - {manager: kubectl-client-side-apply, operation: Update, apiVersion: v1, time: "2026-01-01T00:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:data":{"f:password":{}},"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}
`
}

const claims = `{"f:data":{"f:password":{}}}`

func plainBody() string { return "data: {password: " + marked("") + "}\ntype: Opaque\n" }

func manifestOf(body string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\n" + body
}

// TestNoSecretIsPrinted asks every command in every format about Secrets that
// are right and wrong in all ways, and looks for their values in what is
// printed.
func TestNoSecretIsPrinted(t *testing.T) {
	live := liveSecret(
		lastAppliedNote(
			`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"password":"`+marked(
				"-old",
			)+`"},"stringData":{"x":"`+marker+`"}}`,
		)+claimed(
			claims,
		),
		plainBody(),
	)
	manifest := manifestOf("data: {password: " + marked("-new") + "}\nstringData: {other: " + marker + "-other}\n")
	cases := map[string]struct{ live, manifest string }{
		"a Secret": {live, manifest},
		"an annotation with fields that no Secret has": {
			liveSecret(
				lastAppliedNote(
					`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","labels":{"l":"`+marker+`"},"managedFields":["`+marker+`"]},"token":"`+marker+`","Data":{"a":["`+marker+`"]}}`,
				)+claimed(
					claims,
				),
				plainBody(),
			),
			manifest,
		},
		"an annotation that is no JSON": {
			liveSecret(lastAppliedNote(`{"data":{"password":"`+marker)+claimed(claims), plainBody()),
			manifest,
		},
		"a manifest with such an annotation": {
			live,
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: shop\n" + lastAppliedNote(
				`{"token":"`+marker+`"}`,
			) + plainBody(),
		},
		"fields that no Secret has": {
			liveSecret(claimed(claims), "token: "+marker+"\nData: {password: "+marked("")+"}\nextra: {a: ["+marker+"]}\n"),
			manifestOf("token: " + marker + "\nextra: {a: " + marker + "}\n"),
		},
		"values of a wrong type": {
			liveSecret(
				claimed(claims),
				"data: {password: {"+marker+": "+marker+"}}\nstringData: ["+marker+"]\nimmutable: "+marker+"\n",
			),
			manifestOf("data: [" + marker + "]\n"),
		},
		"text for data": {
			liveSecret(claimed(claims), "data: "+marker+"\n"),
			manifestOf("stringData: {password: {" + marker + ": " + marker + "}}\n"),
		},
		"what is no base64": {
			liveSecret(claimed(claims), "data: {password: '"+marker+"!'}\n"),
			manifestOf("data: {password: '" + marker + "!'}\n"),
		},
		"binary values": {
			liveSecret(
				claimed(claims),
				"data: {password: "+base64.StdEncoding.EncodeToString([]byte("\xff\xfe\x00"+marker))+"}\n",
			),
			manifestOf("data: {password: !!binary " + marked("") + "}\n"),
		},
		"a key twice": {
			live,
			manifestOf("data: {password: " + marker + ", password: " + marker + "2}\n"),
		},
		"values in the entries": {
			liveSecret(
				claimed(`{"v:\"`+marker+`\"":{},"f:data":{"v:\"`+marker+`\"":{},"k:{\"a\":\"`+marker+`\"}":{".":{}}}}`),
				plainBody(),
			),
			manifest,
		},
		"a broken v: element": {
			liveSecret(claimed(`{"f:data":{"v:`+marker+`":{}}}`), plainBody()),
			manifest,
		},
		"a broken k: element": {
			liveSecret(claimed(`{"f:data":{"k:{`+marker+`}":{}}}`), plainBody()),
			manifest,
		},
		"an element without a kind": {
			liveSecret(claimed(`{"f:data":{"`+marker+`":{},"f:password":"`+marker+`"}}`), plainBody()),
			manifest,
		},
		"entries that are text": {liveSecret("  managedFields: "+marker+"\n", plainBody()), manifest},
		"an alias for a value":  {live, manifestOf("data:\n  password: *" + marker + "\n")},
		"a wrong tag": {
			liveSecret(claimed(claims), "data: {password: !!int "+marker+"}\n"),
			manifestOf("data: {password: !!float " + marker + "}\n"),
		},
		"a map for a key": {live, manifestOf("data:\n  {" + marker + ": a}: b\n")},
		"an open quote":   {live, manifestOf("data:\n  password: \"" + marker + "\n")},
		"JSON that ends early": {
			live,
			`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop"},"data":{"password":"` + marker,
		},
		"JSON with a bare word": {
			live,
			`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"shop"},"data":{"password":` + marker + `}}`,
		},
		"a SecretList": {
			"apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: s, namespace: shop, uid: u}\n  data: {password: " + marked(
				"",
			) + "}\n  token: " + marker + "\n",
			manifest,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"LIVE": c.live, "MANIFEST": c.manifest}
			for arg, text := range files {
				path := filepath.Join(dir, strings.ToLower(arg)+".yaml")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				files[arg] = path
			}
			for _, line := range sampled.Of(t, 6, secretLines()) {
				args := strings.Fields(line)
				for i, arg := range args {
					if path, ok := files[arg]; ok {
						args[i] = path
					}
				}
				var out bytes.Buffer
				Main(args, iostreams.New(strings.NewReader(""), &out, &out, nil))
				if printed, ok := leak(out.String()); ok {
					t.Errorf("ssactl %s\nprints %s", line, printed)
				}
			}
		})
	}
}

// secretLines are command lines that show all that each command can show: the
// formats of writes all render one masked report, and so differ little.
func secretLines() []string {
	lines := []string{
		"apply -f MANIFEST --live LIVE --field-manager x -v -o html",
		"apply -f MANIFEST --live LIVE -v -o text",
		"apply -f MANIFEST --live LIVE --validate warn --force-conflicts -o diff --show-managed-fields",
		"diff -f MANIFEST --live LIVE --field-manager x -o structured --owners --show-managed-fields",
		"create -f MANIFEST -o report --show-managed-fields",
		"update -f MANIFEST --live LIVE -o report --show-managed-fields",
		"delete --all --live LIVE -o yaml --show-managed-fields",
		"scale --all --live LIVE --replicas 2",
		`patch --all --live LIVE --type merge -o report -p {"data":{"password":"` + marker + `"}}`,
		`patch --all --live LIVE --type json -o text -p [{"op":"test","path":"/data/password","value":"` + marker + `"}]`,
		"resolve -f MANIFEST --live LIVE --field-manager x --all-use-live-value",
		"owners -f LIVE --as blame -v",
		"owners -f LIVE --as tree -v",
		"clear -f LIVE -o yaml",
		"clear -f LIVE --with MANIFEST --field-manager x -o report",
		"transfer -f LIVE data.password --from vault --to argo --to-manifest MANIFEST -v",
		"transfer -f LIVE data.password --from vault --to-controller=operator --from-manifest MANIFEST -o json",
		"migrate -f LIVE -v",
		"migrate -f LIVE --reverse -o report",
		"migrate --live LIVE -f MANIFEST --to argo --keep-annotation -o report",
		"audit --live LIVE -f MANIFEST --field-manager x -v -o json",
		"audit -f LIVE -v",
	}
	for _, format := range []string{"text", "json"} {
		lines = append(lines, "explain -f MANIFEST --live LIVE --field-manager x -v -o "+format)
		for _, field := range []string{"data.password", "data", "metadata", "stringData", "token"} {
			lines = append(lines, "why -f LIVE "+field+" -o "+format)
		}
	}
	return lines
}

// leak finds a line with the marker, or with its base64 wherever it stands in
// three bytes.
func leak(printed string) (string, bool) {
	needles := []string{marker[:6], marker[len(marker)-6:]}
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + marker))
		needles = append(needles, encoded[4:12])
	}
	for line := range strings.Lines(printed) {
		for _, needle := range needles {
			if strings.Contains(line, needle) {
				return line, true
			}
		}
	}
	return "", false
}
