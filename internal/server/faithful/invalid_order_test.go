package faithful

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestOrderInvalid: in whatever order upstream goes through properties, the mistakes in them
// come by property, those of one property and all others as they are.
func TestOrderInvalid(t *testing.T) {
	root := field.NewPath("spec")
	properties := func(i int) *field.Path { return root.Child("versions").Index(i).Child("schema", "properties") }
	blocks := func(order func(n int) []int) field.ErrorList {
		list := field.ErrorList{field.Required(root.Child("z"), "first")}
		for version := range 2 {
			for _, p := range order(3) {
				at := properties(version).Key(string(rune('a' + p)))
				list = append(list, field.Required(at.Child("type"), "x"))
				for _, q := range order(2) {
					list = append(list, field.Invalid(at.Child("properties").Key(string(rune('k'+q))), "v", "deep"))
				}
				list = append(list, field.Required(at.Child("items"), "x"))
			}
			list = append(list, field.Forbidden(properties(version), "behind"))
		}
		for _, key := range []string{"username", "password"} {
			list = append(list, field.Required(field.NewPath("data").Key(key), "in this order"))
		}
		return append(list, field.Required(root.Child("a"), "last"), field.Required(root.Child("a"), "last"))
	}
	inOrder := func(n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out
	}
	body := func(list field.ErrorList) []byte {
		status := errors.NewInvalid(schema.GroupKind{Group: "g", Kind: "K"}, "n", list).Status()
		text, err := json.Marshal(status)
		if err != nil {
			t.Fatal(err)
		}
		return append(text, '\n')
	}
	want := string(body(blocks(inOrder)))
	for seed := range uint64(20) {
		r := api.Response{Code: http.StatusUnprocessableEntity, Body: body(blocks(rand.New(rand.NewPCG(seed, 1)).Perm))}
		if err := Order(&r); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(r.Body)); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
	// What does not say what its causes say stays as it is.
	other, err := json.Marshal(
		metav1.Status{
			Message: "other",
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: "p[b]"}, {Field: "p[a]"}}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	r := api.Response{Code: http.StatusUnprocessableEntity, Body: other}
	if err := Order(&r); err != nil || string(r.Body) != string(other) {
		t.Errorf("%s (%v)", r.Body, err)
	}
}
