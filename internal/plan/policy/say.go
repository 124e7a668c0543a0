package policy

import (
	"fmt"
	"strings"
)

// maxNamed is how many owners a sentence names.
const maxNamed = 3

// Say is what a rule allows, with its place and why.
//
//	own.yaml:6 allows kube-controller-manager (scale) only: the autoscaler decides
func Say(r Rule) string {
	text := fmt.Sprintf("%s:%d allows ", r.Source.File, r.Source.Line)
	switch n := len(r.Owners); n {
	case 0:
		text += "nobody"
	default:
		var names []string
		for _, o := range r.Owners[:min(n, maxNamed)] {
			names = append(names, o.String())
		}
		text += strings.Join(names, ", ")
		if n > maxNamed {
			text += fmt.Sprintf(" and %d more", n-maxNamed)
		}
		text += " only"
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}
