package settings

import "strings"

// FromEnvironment gives the settings of variables that are set, each value on a
// line of its own. A variable that is empty sets nothing.
func FromEnvironment(getenv func(string) string) []Setting {
	var out []Setting
	for _, k := range keys {
		if k.inline {
			continue
		}
		var values []string
		for line := range strings.Lines(getenv(k.variable())) {
			if line = strings.TrimSpace(line); line != "" {
				values = append(values, line)
			}
		}
		if len(values) > 0 {
			out = append(out, Setting{Flag: k.flag, Values: values, Origin: k.variable()})
		}
	}
	return out
}
