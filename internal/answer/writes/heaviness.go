package writes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/internal/report"
)

// heaviness is how much a change matters to who reviews it, the heaviest first.
type heaviness int

const (
	isRemoval heaviness = iota
	// ofRights is who may do what.
	ofRights
	// ofSelectors is which objects another one is about.
	ofSelectors
	// ofPolicies is what is admitted, and what may talk to whom.
	ofPolicies
	ofReplicas
	ofImages
	// ofSpec is all that is no other.
	ofSpec
	// ofBulk are texts and schemas, which are many: data of ConfigMaps and Secrets, schemas of
	// definitions.
	ofBulk
	ofLabels
)

var (
	// rights are the kinds of RBAC.
	rights = []string{"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"}
	// policies are kinds that admit, bound or connect others; other kinds do by their names.
	policies = []string{
		"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
		"ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding", "PodDisruptionBudget",
		"ResourceQuota", "LimitRange", "APIService", "ConstraintTemplate",
	}

	selectors = regexp.MustCompile(`(?i)\.[a-z]*selectors?(\.|\[|$)`)
	replicas  = regexp.MustCompile(
		`\.(replicas|minReplicas|maxReplicas|minReplicaCount|maxReplicaCount|suspend|paused|parallelism)$`,
	)
	images = regexp.MustCompile(`\.(image|version|tag|baseImage|imageName)$`)
	bulky  = regexp.MustCompile(`^\.(data|binaryData|stringData)|^.*?\.schema|^.*?\.(labels|annotations)`)
)

// heavinessOf is that of a change of an object of a kind.
func heavinessOf(kind string, c report.Change) heaviness {
	switch {
	case labels.MatchString(c.Field):
		return ofLabels
	case bulky.MatchString(c.Field):
		return ofBulk
	case c.Kind == report.Removed:
		return isRemoval
	case slices.Contains(rights, kind):
		return ofRights
	case selectors.MatchString(c.Field):
		return ofSelectors
	case slices.Contains(policies, kind), strings.HasSuffix(kind, "Policy"):
		return ofPolicies
	case replicas.MatchString(c.Field):
		return ofReplicas
	case images.MatchString(c.Field):
		return ofImages
	}
	return ofSpec
}

// bulkOf is the map or the schema that a field is in, where its keys are many and say
// little; else the field.
func bulkOf(pattern string) string {
	if in := bulky.FindString(pattern); in != "" {
		return in
	}
	return pattern
}
