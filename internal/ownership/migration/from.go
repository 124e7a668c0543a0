package migration

import (
	"errors"
	"strings"

	"github.com/ssactl/ssactl/internal/shell"
	"github.com/ssactl/ssactl/internal/text"
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

// fromFlag names a manager in addition to those that are looked for.
func (s *subject) fromFlag(manager string) text.Arg {
	flag := shell.Value("--from", FromValue(manager)).String()
	if s.opts.Auto == ByEvidence {
		flag = "--from=auto " + flag
	}
	return text.Name(flag)
}
