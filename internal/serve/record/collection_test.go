package record_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ssactl/ssactl/internal/serve/record"
	"github.com/ssactl/ssactl/internal/serve/wire"
)

const collection = "/api/v1/namespaces/shop/configmaps"

// TestCollection: the deletion of a collection is that of each object that it selects and deletes,
// and a refused one is said as it was sent.
func TestCollection(t *testing.T) {
	for name, test := range map[string]struct {
		code int
		want []string
	}{
		"deleted": {http.StatusOK, []string{"a gone", "held v1 ConfigMap 3"}},
		"refused": {http.StatusForbidden, []string{" gone"}},
	} {
		deleted := false
		get := func(path string) (int, []byte) {
			switch path, query, _ := strings.Cut(path, "?"); {
			case path == collection && query == "labelSelector=app%3Dweb":
				return http.StatusOK, []byte(`{"apiVersion":"v1","kind":"ConfigMapList","items":[
					{"metadata":{"namespace":"shop","name":"a","resourceVersion":"1"}},
					{"metadata":{"namespace":"shop","name":"held","resourceVersion":"2"}},
					{"metadata":{"namespace":"shop","name":"kept","resourceVersion":"2"}}]}`)
			case path == collection+"/kept" || !deleted:
				return http.StatusOK, []byte(
					`{"metadata":{"resourceVersion":"` + map[bool]string{true: "1", false: "2"}[path == collection+"/a"] + `"}}`,
				)
			case path == collection+"/held":
				return http.StatusOK, []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"resourceVersion":"3"}}`)
			}
			return http.StatusNotFound, nil
		}
		var got []string
		recorder := record.New(func(w wire.Write) {
			text := w.Name + " gone"
			if w.After != nil {
				text = strings.NewReplacer(
					`{"apiVersion":"`, w.Name+" ", `","kind":"`, " ", `","metadata":{"resourceVersion":"`, " ", `"}}`, "",
				).Replace(string(w.After))
			}
			got = append(got, text)
		})
		request := httptest.NewRequestWithContext(
			t.Context(), http.MethodDelete, collection+"?labelSelector=app%3Dweb&limit=5", nil,
		)
		recorder.Record(httptest.NewRecorder(), request, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			deleted = test.code == http.StatusOK
			w.WriteHeader(test.code)
		}), get)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
