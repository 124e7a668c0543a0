package view

import (
	"fmt"

	"github.com/ssactl/ssactl/internal/render/words"
	"github.com/ssactl/ssactl/internal/report"
)

// maxOwners is how many owners a sentence names.
const maxOwners = 3

// policyText is what the rule of a policy allows, with its place and why.
//
//	own.yaml:6 allows kube-controller-manager (scale) only: the autoscaler decides
func policyText(rule *report.Source, f report.Fact) string {
	if rule == nil {
		return ""
	}
	text := fmt.Sprintf("%s:%d allows ", rule.File, rule.Line)
	if f.Others == nil {
		text += "nobody"
	} else {
		text += words.Some(f.Others, maxOwners, len(f.Others)) + " only"
	}
	if f.Text != "" {
		text += ": " + f.Text
	}
	return text
}
