package spans

import (
	"math"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// YAMLValue gives what a YAML document says, as the API server reads it.
func YAMLValue(text []byte) (any, error) {
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	return JSONValue(converted)
}

// JSONValue gives what a JSON document says, as the API server reads it, with
// floating-point numbers that are whole as integers, so that 1 and 1.0 are the
// same number.
func JSONValue(text []byte) (any, error) {
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return canonical(value), nil
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
