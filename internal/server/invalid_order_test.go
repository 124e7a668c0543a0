package server

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
)

// TestInvalidDefinition: a definition with several mistakes is refused with one text.
func TestInvalidDefinition(t *testing.T) {
	s := newServer(t, Options{})
	var wrong []string
	for _, name := range strings.Split("abcdef", "") {
		wrong = append(wrong, name+": {type: array}")
	}
	text := strings.Replace(strictKind, "spec: {type: integer}", strings.Join(wrong, ", "), 1)
	call := api.Request{
		Verb: api.Create,
		Kind: schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
		Name: "xs.e.io",
		Body: yamlAsJSON(t, text),
	}
	first := ""
	for i := range 8 {
		answer, err := s.Do(context.Background(), call)
		if err != nil || answer.Code != http.StatusUnprocessableEntity ||
			strings.Count(string(answer.Body), "items") < len(wrong) {
			t.Fatalf("%d %s (%v)", answer.Code, answer.Body, err)
		}
		if i == 0 {
			first = string(answer.Body)
		}
		if string(answer.Body) != first {
			t.Fatalf("it is refused in two ways\n%s\n%s", first, answer.Body)
		}
	}
}
