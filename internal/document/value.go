package document

import (
	"encoding/json"
	"math"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/ssactl/ssactl/internal/document/plainyaml"
)

// Value gives what a document says, as the API server reads it, with
// floating-point numbers that are whole as integers, so that 1 and 1.0 are the
// same number.
func Value(text []byte, isJSON bool) (any, error) {
	if !isJSON {
		converted, plain := plainyaml.ToJSON(text)
		if !plain {
			var err error
			if converted, err = yaml.YAMLToJSON(text); err != nil {
				return nil, err
			}
		}
		text = converted
	}
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return canonical(value), nil
}

// Normal gives any value the types that Value gives.
func Normal(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return Value(text, true)
}

func canonical(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = canonical(item)
		}
	case []any:
		for i, item := range v {
			v[i] = canonical(item)
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return value
}

// Spaced puts a blank behind every colon and comma of compact JSON, outside of strings.
func Spaced(compact []byte) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/8)
	inString := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		out = append(out, c)
		switch {
		case inString && c == '\\':
			i++
			out = append(out, compact[i])
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}
