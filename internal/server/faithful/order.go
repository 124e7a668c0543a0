package faithful

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Order gives the causes of a refusal one order, where a server gives them in any.
func Order(r *api.Response) error {
	conflicts := r.Code == http.StatusConflict && bytes.Contains(r.Body, []byte(metav1.CauseTypeFieldManagerConflict))
	if !conflicts && r.Code != http.StatusUnprocessableEntity {
		return nil
	}
	var status metav1.Status
	if err := json.Unmarshal(r.Body, &status); err != nil || status.Details == nil {
		return err
	}
	if conflicts {
		// By what is said of their owner; those of one owner stay as they are. Upstream goes
		// through a map of the owners (structured-merge-diff, merge/conflict.go).
		slices.SortStableFunc(
			status.Details.Causes,
			func(a, b metav1.StatusCause) int { return cmp.Compare(a.Message, b.Message) },
		)
	} else if !orderInvalid(&status) {
		return nil
	}
	text, err := json.Marshal(status)
	r.Body = append(text, '\n')
	return err
}

// orderInvalid sorts mistakes in the properties of a definition's schema by property, and
// reports whether that changes anything. Upstream goes through properties as they lie in
// memory. All others, such as those of a Secret's data, have the order in which they are
// looked for.
func orderInvalid(status *metav1.Status) bool {
	causes := status.Details.Causes
	before, ok := strings.CutSuffix(status.Message, saidOf(causes))
	ordered := byProperty(causes)
	if !ok || slices.Equal(ordered, causes) {
		return false
	}
	status.Details.Causes, status.Message = ordered, before+saidOf(ordered)
	return true
}

// saidOf is the text of causes in the message of a Status, each once (apimachinery,
// api/errors NewInvalid and util/errors Aggregate).
func saidOf(causes []metav1.StatusCause) string {
	var texts []string
	said := sets.New[string]()
	for _, c := range causes {
		if text := c.Field + ": " + c.Message; !said.Has(text) {
			said.Insert(text)
			texts = append(texts, text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// placedCause is a cause with the way to its field: names, a property, names, and so on.
type placedCause struct {
	metav1.StatusCause
	way []string
}

func byProperty(causes []metav1.StatusCause) []metav1.StatusCause {
	placed := make([]placedCause, len(causes))
	for i, c := range causes {
		placed[i] = placedCause{c, wayTo(c.Field)}
	}
	orderProperties(placed, 0)
	out := make([]metav1.StatusCause, len(causes))
	for i, c := range placed {
		out[i] = c.StatusCause
	}
	return out
}

// wayTo cuts a field path at the properties of schemas, which stand in brackets.
func wayTo(field string) []string {
	const properties = ".properties["
	var way []string
	for {
		names, rest, found := strings.Cut(field, properties)
		property, behind, closed := strings.Cut(rest, "]")
		if !found || !closed {
			return append(way, field)
		}
		way, field = append(way, names, property), behind
	}
}

// orderProperties orders causes with equal ways up to a depth. Those in the properties of
// one schema keep the positions that they have together.
func orderProperties(causes []placedCause, depth int) {
	places := map[string][]int{}
	for i, c := range causes {
		if len(c.way) > depth+1 {
			places[c.way[depth]] = append(places[c.way[depth]], i)
		}
	}
	for _, at := range places {
		below := make([]placedCause, len(at))
		for i, place := range at {
			below[i] = causes[place]
		}
		slices.SortStableFunc(below, func(a, b placedCause) int { return cmp.Compare(a.way[depth+1], b.way[depth+1]) })
		for from, to := 0, 0; from < len(below); from = to {
			for to < len(below) && below[to].way[depth+1] == below[from].way[depth+1] {
				to++
			}
			orderProperties(below[from:to], depth+2)
		}
		for i, place := range at {
			causes[place] = below[i]
		}
	}
}
