package migrate

import (
	"errors"
	"strings"

	"github.com/ssactl/ssactl/internal/shell"
)

// evidenceValue is the value of --from that looks for entries by evidence.
const evidenceValue = "auto"

// ParseFrom reads the values of --from: auto looks for entries by evidence, and
// any other names a manager. A leading equals sign is not part of the name, so
// that every manager can be named: =auto is the manager auto.
func ParseFrom(values []string) (names []string, search Search, err error) {
	for _, v := range values {
		switch name, marked := strings.CutPrefix(v, "="); {
		case v == evidenceValue:
			search = ByEvidence
		case v == "":
			err = errors.New("--from names no field manager")
		case marked:
			names = append(names, name)
		default:
			names = append(names, v)
		}
	}
	return names, search, err
}

// FromValue is the value of --from that names a manager.
func FromValue(manager string) string {
	if manager == evidenceValue || manager == "" || strings.HasPrefix(manager, "=") {
		return "=" + manager
	}
	return manager
}

// naming are the flags that name a manager, for a shell, beside those that
// look for the others.
func (s *subject) naming(manager string) string {
	flag := "--from " + shell.Quote(FromValue(manager))
	if s.opts.Auto == ByEvidence {
		return "--from " + evidenceValue + " " + flag
	}
	return flag
}
