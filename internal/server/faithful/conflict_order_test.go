package faithful

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestOrderConflicts: conflicts come by owner, and nothing else of an answer changes.
func TestOrderConflicts(t *testing.T) {
	cause := func(manager, field string) metav1.StatusCause {
		return metav1.StatusCause{
			Type:    metav1.CauseTypeFieldManagerConflict,
			Message: `conflict with "` + manager + `"`,
			Field:   field,
		}
	}
	body := func(causes ...metav1.StatusCause) []byte {
		text, err := json.Marshal(errors.NewApplyConflict(causes, "Apply failed with <conflicts>").Status())
		if err != nil {
			t.Fatal(err)
		}
		return append(text, '\n')
	}
	other, err := json.Marshal(
		errors.NewConflict(schema.GroupResource{Resource: "pods"}, "a", errors.NewBadRequest("stale")).Status(),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code       int
		body, want []byte
	}{
		"by owner":            {http.StatusConflict, body(cause("b", ".z"), cause("b", ".y"), cause("a", ".x")), body(cause("a", ".x"), cause("b", ".z"), cause("b", ".y"))},
		"in order":            {http.StatusConflict, body(cause("a", ".x"), cause("b", ".y")), body(cause("a", ".x"), cause("b", ".y"))},
		"of another conflict": {http.StatusConflict, other, other},
		"accepted":            {http.StatusOK, []byte(`{"data": {"a": "FieldManagerConflict"}}`), []byte(`{"data": {"a": "FieldManagerConflict"}}`)},
	} {
		r := api.Response{Code: c.code, Body: c.body}
		if err := Order(&r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(c.want), string(r.Body)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	if err := Order(&api.Response{Code: http.StatusConflict, Body: []byte("FieldManagerConflict")}); err == nil ||
		!strings.Contains(err.Error(), "invalid character") {
		t.Errorf("what is no Status: %v", err)
	}
}
