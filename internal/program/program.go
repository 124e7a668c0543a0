// Package program knows how its user calls ssactl: by its own name, or as a plug-in
// of kubectl, Helm, Argo CD or Flux. Whatever names a command that can be typed asks here.
package program

import (
	"os"
	"path"
	"runtime/debug"
	"strings"
	"sync"
)

// Name is that of the program.
const Name = "ssactl"

// kubectl is the host whose plug-ins have words in their names.
const kubectl = "kubectl"

// hosts run programs whose names begin with theirs and a dash as their own commands.
var hosts = []string{kubectl, "helm", "argocd", "flux"}

// Called gives the words by which the program is called: "ssactl", or "kubectl ssa" and
// "flux ssa" where its file is named kubectl-ssa and flux-ssa.
var Called = sync.OnceValue(func() string { return calledAs(os.Args[0]) })

// calledAs follows the hosts' rules for the names of plug-ins: for kubectl, dashes part words,
// and underscores in the file's name are dashes in a word; for others, the name is one word. Any
// other file name is an alias.
func calledAs(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if name := strings.TrimSuffix(base, path.Ext(base)); strings.EqualFold(path.Ext(base), ".exe") {
		base = name
	}
	for _, host := range hosts {
		rest, found := strings.CutPrefix(base, host+"-")
		switch {
		case !found || rest == "":
			continue
		case host == kubectl:
			rest = strings.ReplaceAll(strings.ReplaceAll(rest, "-", " "), "_", "-")
		}
		return host + " " + rest
	}
	return Name
}

// OfKubectl reports whether kubectl runs the program.
func OfKubectl() bool { return strings.HasPrefix(Called(), kubectl+" ") }

// File is the name of the program's file, without an extension.
func File() string { return fileOf(Called()) }

func fileOf(called string) string {
	host, rest, found := strings.Cut(called, " ")
	switch {
	case !found:
		return called
	case host == kubectl:
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "-", "_"), " ", "-")
	}
	return host + "-" + rest
}

// Args gives the arguments of a command; where its first is ssactl, as its user
// calls it.
func Args(args ...string) []string {
	if len(args) == 0 || args[0] != Name {
		return args
	}
	return append(strings.Fields(Called()), args[1:]...)
}

// In gives a text of ours with the commands in it as its user types them. Texts with
// values of others must not come here.
func In(text string) string { return in(text, Called()) }

func in(text, called string) string {
	return strings.ReplaceAll(text, Name+" ", called+" ")
}

// usual is the collector's setting, that of GOGC. By itself it would run four times while
// the API server's packages initialize, which takes 38 ms of processor time then, and 29
// without; this package comes before them.
var usual = debug.SetGCPercent(400)

// Started has the collector run as usual from now on.
func Started() { debug.SetGCPercent(usual) }
