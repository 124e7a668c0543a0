package shell

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

func TestLine(t *testing.T) {
	for want, line := range map[string]Line{
		"": {},
		"kubectl get --namespace=shop --output=yaml -- deployments.apps web":   Command("kubectl", "get").With(Value("--namespace", "shop"), Value("--output", "yaml")).On("deployments.apps", "web"),
		"ssactl why -f ./-x --manager='my owner' -R -- pod/a .spec":            Command("ssactl", "why").With(File("-f", "-x"), Value("--manager", "my owner"), Switch("-R")).On("pod/a", ".spec"),
		"ssactl apply -f - -n=-A --manager=-x --subresource= > out.yaml":       Command("ssactl", "apply").With(File("-f", "-"), Value("-n", "-A"), Value("--manager", "-x"), Value("--subresource", "")).To("out.yaml"),
		"kubectl get -- pods --kubeconfig=evil":                                Command("kubectl", "get").On("pods", "--kubeconfig=evil"),
		`kubectl patch --patch='[{"op":"test"}]' -- ` + `'pods/##'"["'group]'`: Command("kubectl", "patch").With(Value("--patch", `[{"op":"test"}]`)).On("pods/##[group]"),
	} {
		if diff := cmp.Diff(want, line.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	base := Command("kubectl").With(Switch("-a"))
	one, two := base.With(Switch("-b")), base.With(Switch("-c"))
	if one.String() != "kubectl -a -b" || two.String() != "kubectl -a -c" {
		t.Errorf("lines share their flags: %s, %s", one, two)
	}
}

// TestNoLine: what no command line carries makes none.
func TestNoLine(t *testing.T) {
	for _, text := range []string{"a\nb", "a\r", "\x00"} {
		for _, line := range []Line{
			Command("kubectl").With(Value("--name", text), Switch("-a")), Command("kubectl").On("a", text), Command("kubectl").To(text), Refused(errBroken),
		} {
			if line.String() != "" || line.Args() != nil || line.Err() == nil {
				t.Errorf("%q makes the line %q of %q", text, line, line.Args())
			}
		}
	}
}

// hostile are texts that bend a command line that takes them as they are.
var hostile = []string{
	"-", "--", "-A", "-n", "--raw=/x", "--kubeconfig=evil", "--all", "=", "-o=json", "", "a b", "it's",
	"$(id)", "`id`", "##[group]", "~", "\x1b[2J", "\u202e", "web",
}

// TestNothingBends: whatever the values and operands are, a program that reads its flags
// as kubectl and ssactl do is given each as what it is, by itself and by a shell.
func TestNothingBends(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	pick := func() string { return hostile[rng.IntN(len(hostile))] }
	for range 2000 {
		name, namespace, file := pick(), pick(), pick()
		operands := []string{pick(), pick()}
		line := Command(
			"tool",
			"get",
		).With(Switch("--force"), Value("--name", name), Value("-n", namespace), File("-f", file)).
			On(operands...)
		flags := pflag.NewFlagSet("tool", pflag.ContinueOnError)
		force := flags.Bool("force", false, "")
		gotName, gotNamespace := flags.String("name", "", ""), flags.StringP("namespace", "n", "", "")
		gotFile := flags.StringP("filename", "f", "", "")
		if err := flags.Parse(line.Args()[2:]); err != nil {
			t.Fatalf("%q: %v", line.Args(), err)
		}
		if strings.HasPrefix(file, "-") && file != "-" {
			file = "./" + file
		}
		want := append([]string{"true", name, namespace, file}, operands...)
		got := append([]string{map[bool]string{true: "true"}[*force], *gotName, *gotNamespace, *gotFile}, flags.Args()...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: (-want +got)\n%s", line.Args(), diff)
		}
		if rng.IntN(20) > 0 {
			continue
		}
		out, err := exec.Command("sh", "-c", "tool() { printf '%s\\0' tool \"$@\"; }\n"+line.String()).Output()
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err != nil ||
			!slices.Equal(got, line.Args()) {
			t.Fatalf("a shell reads %s as %q, %v", line, got, err)
		}
	}
}

// TestNoLineIsRead: a document can be read whose lines are texts, and makes none of them.
func TestNoLineIsRead(t *testing.T) {
	line := Command("ssactl", "apply")
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &line); err != nil || !line.None() {
		t.Errorf("%s is read as %s, %v", text, line, err)
	}
}
