package conflict

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/ssactl/ssactl/test/widget"
)

func TestFind(t *testing.T) {
	names := NewNames(widget.Type(t), widget.Tree(t, widget.Text))
	const udp = `.spec.ports[port=53,protocol="UDP"]`
	cases := []struct{ typed, want string }{
		{".spec.replicas", ".spec.replicas"},
		{"spec.replicas", ".spec.replicas"},
		{" replicas ", ".spec.replicas"},
		{"/spec/replicas", ".spec.replicas"},
		{"{.spec.replicas}", ".spec.replicas"},
		{"$.spec.replicas", ".spec.replicas"},
		{udp + ".name", udp + ".name"},
		{"ports[1].name", udp + ".name"},
		{"/spec/ports/1/name", udp + ".name"},
		{"ports[UDP].name", udp + ".name"},
		{"ports[port=53,protocol=UDP].name", udp + ".name"},
		{`{.spec.ports[?(@.protocol=="UDP")].name}`, udp + ".name"},
		{"spec.ports.1", udp},
		{"finalizers[one]", `.spec.finalizers[="one"]`},
		{`finalizers[="two"]`, `.spec.finalizers[="two"]`},
		{"metadata.labels.app.kubernetes.io/name", ".metadata.labels.app.kubernetes.io/name"},
		{"metadata.labels['app.kubernetes.io/name']", ".metadata.labels.app.kubernetes.io/name"},
		{"/metadata/labels/app.kubernetes.io~1name", ".metadata.labels.app.kubernetes.io/name"},
		{`labels.app\.kubernetes\.io/name`, ".metadata.labels.app.kubernetes.io/name"},
		{"labels.app", ".metadata.labels.app"},
		{"spec.paused", ".spec.paused"},
		{"args[1].b", ".spec.args inside"},
		{"spec.args[0]", ".spec.args inside"},
		{
			"name",
			`field "name" may be any of .spec.ports[port=53,protocol="TCP"].name, .spec.ports[port=53,protocol="UDP"].name`,
		},
		{
			"ports.name",
			`field "ports.name" may be any of .spec.ports[port=53,protocol="TCP"].name, .spec.ports[port=53,protocol="UDP"].name`,
		},
		{"spec.replica", `the object has no field "spec.replica"; did you mean .spec.replicas?`},
		{"Spec.Replicas", `the object has no field "Spec.Replicas"; did you mean .spec.replicas?`},
		{
			"port[1].name",
			`the object has no field "port[1].name"; did you mean .spec.ports[port=53,protocol="TCP"].name or .spec.ports[port=53,protocol="UDP"].name?`,
		},
		{
			"ports[7].name",
			`the object has no field "ports[7].name"; did you mean .spec.ports[port=53,protocol="TCP"].name or .spec.ports[port=53,protocol="UDP"].name?`,
		},
		{"zzzzzzzz", `the object has no field "zzzzzzzz"`},
		{"", `the object has no field ""`},
	}
	for _, c := range cases {
		got := ""
		if found, err := names.Find(c.typed); err != nil {
			got = err.Error()
		} else if got = found.Path.String(); found.Inside {
			got += " inside"
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.typed, diff)
		}
	}
}

func TestFindWhatIsOnlyOwned(t *testing.T) {
	live := widget.Tree(
		t,
		`{"metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:gone":{}}}}]}}`,
	)
	found, err := NewNames(typed.ParseableType{}, live).Find("spec.gone")
	if err != nil || found.Path.String() != ".spec.gone" {
		t.Errorf("got %v, %v", found, err)
	}
}

// FuzzFind: nothing that is typed makes it panic, every field is found by its
// own name, and what is offered exists.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{"spec.ports[0].name", "[[[", "]", "a[b=c,d=\"e,]\"]", "{$.}", `\`, "/a//~", "[?(", "labels.", "'", "[=]"} {
		f.Add(seed)
	}
	names := NewNames(widget.Type(f), widget.Tree(f, widget.Text))
	for i, field := range names.Fields() {
		if found, err := names.Find(field); err != nil || !found.Path.Equals(names.paths[i]) {
			f.Errorf("%s is found as %v, %v", field, found.Path, err)
		}
	}
	f.Fuzz(func(t *testing.T, typed string) {
		found, err := names.Find(typed)
		var missing *NameError
		if err != nil && !errors.As(err, &missing) {
			t.Fatalf("%q: %v is no NameError", typed, err)
		}
		if err == nil && len(found.Path) == 0 {
			t.Errorf("%q finds the empty path", typed)
		}
	})
}
