package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// benchCase is one thing to measure.
type benchCase struct {
	title string
	// cluster are the generator's arguments.
	cluster []string
	objects int
	// server has kubectl and a server asked about the same.
	server bool
	// dir has the files; empty for those of the generator. live is the dump among them.
	dir, live string
	// manager applies; flags are those of kubectl too, and more those of ssactl alone.
	manager     string
	flags, more []string
}

// cases are what projects apply, clusters of several sizes, and dumps with mostly
// unrelated objects.
func cases(o options) []benchCase {
	var all []benchCase
	add := func(title string, objects int, args ...string) *benchCase {
		args = append([]string{"-objects", strconv.Itoa(objects)}, args...)
		all = append(all, benchCase{title: title, cluster: args, objects: objects, live: "live.yaml", manager: manager})
		return &all[len(all)-1]
	}
	same, changed := []string{"-changed", "0", "-conflicting", "0"}, []string{"-changed", "100", "-conflicting", "0"}
	charts := func(args ...[]string) []string { return append([]string{"-charts"}, slices.Concat(args...)...) }
	project := func(title string, objects, definitions int) {
		c := add(
			title,
			objects,
			append([]string{"-applied-crds", strconv.Itoa(definitions), "-changed", "30", "-conflicting", "0"}, seventy...)...)
		c.objects += definitions
		c.server = true
	}
	project("as argo-cd: 3 definitions of 3.9 MB and a third of the rest changed", 56, 3)
	project("as kube-prometheus: 11 definitions of 7.5 MB and a third of the rest changed", 120, 11)
	add(
		"as a mesh: custom resources of a large definition with rules, policies, webhooks",
		100,
		append([]string{"-operator", "-changed", "30"}, seventy...)...)
	add("Deployments of charts, nothing changed", 200, charts(same)...).server = true
	add("Deployments of charts, nothing changed", 5_000, charts(same)...)
	add("Deployments of charts, all changed", 5_000, charts(changed)...)
	add("a cluster, 8 % changed, 2 % conflicts", 10_000)
	one := append([]string{"-kinds", "ConfigMap"}, same...)
	add("one ConfigMap", 1, one...)
	add("one ConfigMap, in a dump with 70 definitions", 1, slices.Concat(one, seventy)...)
	if o.dump > 0 {
		add(
			"a cluster, in a dump of "+size(o.dump)+" with 300 definitions",
			500, "-dump-bytes", strconv.FormatInt(o.dump, 10), "-crds", "300", "-crds-bytes", "50000000",
		)
	}
	return slices.DeleteFunc(all, func(c benchCase) bool { return c.objects > o.most })
}

// upgrades are those of charts, in a cluster of several projects: each is asked about with
// the live objects of the chart alone, and with the dump of the whole cluster, which has the
// releases of Helm and the definitions of others.
func upgrades() []benchCase {
	var all []benchCase
	add := func(c benchCase, args ...string) {
		c.cluster = append([]string{"-own", "-releases", "20"}, args...)
		c.server, c.manager = len(c.more) == 0, cmp.Or(c.manager, manager)
		for live, title := range map[string]string{"live.yaml": ", in the dump of the cluster", "own.yaml": ""} {
			whole := c
			whole.live, whole.title = live, c.title+title
			all = append(all, whole)
		}
	}
	forced := func(title string, more ...string) benchCase {
		return benchCase{
			title:   title,
			objects: 22,
			manager: "platform-operator",
			flags:   []string{"--force-conflicts"},
			more:    more,
		}
	}
	small := []string{"-objects", "20", "-dashboards", "2", "-changed", "40", "-conflicting", "20"}
	changed := []string{"-changed", "40", "-conflicting", "0"}
	add(forced("22 objects, all fields taken by force"), small...)
	add(forced("22 objects, all fields taken by force, -o name", "-o", "name"), small...)
	add(benchCase{title: "45 objects as Argo CD", objects: 45, more: []string{"--client", "argocd"}},
		append([]string{"-objects", "40", "-dashboards", "5"}, changed...)...)
	add(benchCase{title: "125 objects: 10 definitions, 25 dashboards", objects: 125}, append([]string{"-objects", "90",
		"-dashboards", "25", "-crds", "40", "-crds-bytes", "7000000", "-applied-crds", "10"}, changed...)...)
	add(
		benchCase{title: "141 objects", objects: 141},
		append([]string{"-objects", "136", "-dashboards", "5"}, changed...)...)
	slices.SortStableFunc(all, func(a, b benchCase) int {
		return cmp.Or(cmp.Compare(a.objects, b.objects), cmp.Compare(a.title, b.title))
	})
	return all
}

// realUpgrades are those in the folders of a directory: manifests.yaml, the dump live.yaml,
// own.yaml and crds.yaml where there are, and flags for ssactl in a file flags. With
// former.yaml, what was applied before, kubectl is asked too: with the field manager among the
// flags, and by force where they say so.
func realUpgrades(dir string) ([]benchCase, error) {
	if dir == "" {
		return nil, nil
	}
	folders, err := filepath.Glob(filepath.Join(dir, "*", "manifests.yaml"))
	var all []benchCase
	for _, manifests := range folders {
		c := benchCase{dir: filepath.Dir(manifests), manager: manager}
		text, err := os.ReadFile(manifests)
		if err != nil {
			return nil, err
		}
		c.objects = len(regexp.MustCompile(`(?m)^kind:`).FindAll(text, -1))
		// Without the file there are no flags.
		flags, _ := os.ReadFile(filepath.Join(c.dir, "flags"))
		c.take(strings.Fields(string(flags)))
		c.server = exists(filepath.Join(c.dir, "former.yaml"))
		for _, live := range []string{"own.yaml", "live.yaml"} {
			if c.live = live; exists(filepath.Join(c.dir, live)) {
				c.title = filepath.Base(c.dir) + ", " + live
				all = append(all, c)
			}
		}
	}
	return all, err
}

// take takes flags of ssactl, and those of them that kubectl has too.
func (c *benchCase) take(flags []string) {
	for len(flags) > 0 {
		flag, rest := flags[0], flags[1:]
		switch {
		case flag == "--field-manager" && len(rest) > 0:
			c.manager, rest = rest[0], rest[1:]
		case flag == "--force-conflicts":
			c.flags = append(c.flags, flag)
		default:
			c.more = append(c.more, flag)
		}
		flags = rest
	}
}

// seventy are the definitions of a cluster with some operators.
var seventy = []string{"-crds", "70", "-crds-bytes", "12000000"}

func size(bytes int64) string {
	if bytes >= 1<<30 {
		return strconv.FormatInt(bytes>>30, 10) + " GB"
	}
	return strconv.FormatInt(bytes>>20, 10) + " MB"
}
