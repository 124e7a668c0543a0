package main

import (
	"slices"
	"strconv"
)

// benchCase is one thing to measure.
type benchCase struct {
	title string
	// cluster are the generator's arguments.
	cluster []string
	objects int
	// server has kubectl and a server asked about the same.
	server bool
}

// cases are what projects apply, clusters of several sizes, and dumps with mostly
// unrelated objects.
func cases(o options) []benchCase {
	var all []benchCase
	add := func(title string, objects int, args ...string) *benchCase {
		all = append(all, benchCase{title: title, cluster: append([]string{"-objects", strconv.Itoa(objects)}, args...), objects: objects})
		return &all[len(all)-1]
	}
	same, changed := []string{"-changed", "0", "-conflicting", "0"}, []string{"-changed", "100", "-conflicting", "0"}
	charts := func(args ...[]string) []string { return append([]string{"-charts"}, slices.Concat(args...)...) }
	project := func(title string, objects, definitions int) {
		c := add(title, objects, append([]string{"-applied-crds", strconv.Itoa(definitions), "-changed", "30", "-conflicting", "0"}, seventy...)...)
		c.objects += definitions
		c.server = true
	}
	project("as argo-cd: 3 definitions of 3.9 MB and a third of the rest changed", 56, 3)
	project("as kube-prometheus: 11 definitions of 7.5 MB and a third of the rest changed", 120, 11)
	add("as a mesh: custom resources of a large definition with rules, policies, webhooks", 100, append([]string{"-operator", "-changed", "30"}, seventy...)...)
	add("Deployments of charts, nothing changed", 200, charts(same)...).server = true
	add("Deployments of charts, nothing changed", 5_000, charts(same)...)
	add("Deployments of charts, all changed", 5_000, charts(changed)...)
	add("a cluster, 8 % changed, 2 % conflicts", 10_000)
	one := append([]string{"-kinds", "ConfigMap"}, same...)
	add("one ConfigMap", 1, one...)
	add("one ConfigMap, in a dump with 70 definitions", 1, slices.Concat(one, seventy)...)
	if o.dump > 0 {
		add("a cluster, in a dump of "+size(o.dump)+" with 300 definitions", 500, "-dump-bytes", strconv.FormatInt(o.dump, 10), "-crds", "300", "-crds-bytes", "50000000")
	}
	return slices.DeleteFunc(all, func(c benchCase) bool { return c.objects > o.most })
}

// seventy are the definitions of a cluster with some operators.
var seventy = []string{"-crds", "70", "-crds-bytes", "12000000"}

func size(bytes int64) string {
	if bytes >= 1<<30 {
		return strconv.FormatInt(bytes>>30, 10) + " GB"
	}
	return strconv.FormatInt(bytes>>20, 10) + " MB"
}
