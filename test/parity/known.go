package parity

import (
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// known is what a step brought in: a value that is not among it was made by the
// server while it answered.
type known struct {
	// live reports whether there was an object before.
	live bool
	// named reports whether the request named the object.
	named bool
	// generateName is what the request asks the server to make a name of.
	generateName string
	// values are the scalars of the live object and of the body.
	values map[string]bool
	// text is the live object and the body as they were written.
	text string

	from, to time.Time
}

// stampSlack is how far from the request a stamp of the server may lie: it has
// whole seconds.
const stampSlack = 2 * time.Second

func newKnown(step Step) known {
	k := known{
		live:   !IsNull(step.LiveBefore),
		values: map[string]bool{},
		text:   string(step.LiveBefore) + "\n" + string(step.Request.Bytes()),
		from:   step.StartedAt.Add(-stampSlack),
		to:     step.FinishedAt.Add(stampSlack),
	}
	// A body that cannot be parsed brings no values in.
	live, _ := decode(step.LiveBefore)
	k.collect(live)
	if asJSON, err := yaml.YAMLToJSON(step.Request.Bytes()); err == nil {
		body, _ := decode(asJSON)
		k.collect(body)
		k.named = objectName(asJSON) != ""
		fields, _ := body.(map[string]any)
		k.generateName, _ = at(fields, "metadata")["generateName"].(string)
	}
	return k
}

func (k known) collect(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, item := range value {
			k.collect(item)
		}
	case []any:
		for _, item := range value {
			k.collect(item)
		}
	default:
		k.values[compact(value)] = true
	}
}

// asked reports whether a value was in the live object or in the body; "None" and
// the empty string are no allocation.
func (k known) asked(value any) bool {
	return value == "None" || value == "" || k.values[compact(value)]
}

// sameStamp reports whether the recorded server stamped a time while it answered,
// and the other answer has a time in its place.
func (k known) sameStamp(want, got string) bool {
	recorded, err := time.Parse(time.RFC3339Nano, want)
	if err != nil || recorded.Before(k.from) || recorded.After(k.to) {
		return false
	}
	_, err = time.Parse(time.RFC3339Nano, got)
	return err == nil
}

var (
	addressPattern = regexp.MustCompile(`ipaddresses\.networking\.k8s\.io \\?"[^"\\]+`)
	uuidPattern    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	timePattern    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// withoutMade replaces what the server made while it answered, in a text of its
// own: uids, times, and the addresses of Services.
func (k known) withoutMade(text string) string {
	text = uuidPattern.ReplaceAllStringFunc(text, func(uid string) string {
		return k.unlessKnown(uid, "<uid>")
	})
	text = addressPattern.ReplaceAllStringFunc(text, func(found string) string {
		start := strings.LastIndexByte(found, '"') + 1
		return found[:start] + k.unlessKnown(found[start:], "<address>")
	})
	return timePattern.ReplaceAllStringFunc(text, func(stamp string) string {
		return k.unlessKnown(stamp, "<time>")
	})
}

func (k known) unlessKnown(found, placeholder string) string {
	if strings.Contains(k.text, found) {
		return found
	}
	return placeholder
}
