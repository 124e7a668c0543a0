package view

import (
	"slices"

	"github.com/ssactl/ssactl/internal/plan/clear"
	"github.com/ssactl/ssactl/internal/program"
	"github.com/ssactl/ssactl/internal/shell"
)

// ClearDocument writes the commands that clear, which plans name word by word.
func ClearDocument(d clear.Document) clear.Document {
	d.Objects = slices.Clone(d.Objects)
	for i, c := range d.Objects {
		d.Objects[i].Command = commandLine(c.Args...)
	}
	return d
}

// commandLine is a command as its user types it: ssactl by the name that it was
// called by.
func commandLine(args ...string) string { return shell.Command(program.Args(args...)...) }
