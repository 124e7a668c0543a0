package answers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/ownership/risk"
	"github.com/ssactl/ssactl/internal/render/model"
	"github.com/ssactl/ssactl/internal/render/page"
)

var (
	// RuleNoAnswer is that of objects without an answer.
	RuleNoAnswer = model.Rule{ID: "ssactl/no-answer", Name: "NoAnswer", Level: model.Error,
		Short: "No answer could be given for an object.",
		Help: "The simulation cannot say what the API server would do with this object: its definition is missing, " +
			"a webhook would be needed, or two manifests have the same name. The message says which. " +
			"Custom resources need their CustomResourceDefinition, given with --crds."}
	ruleInvalid = model.Rule{ID: "ssactl/refused", Name: "Refused", Level: model.Error,
		Short: "The API server would refuse the object.",
		Help: "The API server would answer this request with an error, word for word as shown, and change nothing. " +
			"Correct the manifest; the message names the fields."}
	ruleWarning = model.Rule{ID: "ssactl/server-warning", Name: "ServerWarning", Level: model.Warning,
		Short: "The API server would answer with a warning.",
		Help:  "The API server accepts the object, and sends a Warning header: a deprecated version, an unknown or a duplicate field."}
	ruleCaveat = model.Rule{ID: "ssactl/caveat", Name: "Caveat", Level: model.Warning,
		Short: "The answer may not be the cluster's.",
		Help: "What was given of the cluster may be incomplete, or something else than what is meant: a definition that is missing, " +
			"a live object without managed fields, a name that no live object has. The message says what to give."}
	ruleInput = model.Rule{ID: "ssactl/input-notice", Name: "InputNotice", Level: model.Note,
		Short: "Something is odd about the input.",
		Help:  "An entry of the live object's managed fields cannot be read, for one, or is at a version that is not served."}
	ruleChange = model.Rule{ID: "ssactl/change", Name: "Change", Level: model.Note,
		Short: "The write would create or change the object.",
		Help:  "The API server would accept the object. The diff is in the report."}
)

// WriteRules are in the order of importance, behind inputs that cannot be read.
var WriteRules = AnswerRules(append([]model.Rule{ConflictRule}, page.RuleModels("", risk.Rules())...)...)

// AnswerRules are those of answers, with those of what else there is to say.
func AnswerRules(of ...model.Rule) []model.Rule {
	return slices.Concat([]model.Rule{RuleNoAnswer, ruleInvalid}, of, []model.Rule{ruleCaveat, ruleWarning, ruleInput, ruleChange})
}

// ruleID is that of the rule of a risk.
func ruleID(rule string) string { return "ssactl/" + rule }

// ConflictRule is that of conflicts, for systems of CI.
var ConflictRule = model.Rule{
	ID: "ssactl/conflict", Name: "Conflict", Level: model.Error,
	Short: "Another field manager owns the field with another value.",
	Help: "Server-Side Apply refuses to change a field that another field manager owns with another value. The options to resolve it: " +
		"stop managing the field (remove it from the manifest); use the live value, and share ownership; " +
		"or force, and take ownership. The message says which is recommended.",
}
