package view

import (
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/shell"
)

// commandLine is a command as its user types it: ssactl by the name that it was
// called by.
func commandLine(args ...string) string { return shell.Command(program.Args(args...)...) }
