package view

import (
	"github.com/ssactl/ssactl/internal/plan/risk"
	"github.com/ssactl/ssactl/internal/render/model"
)

var (
	ruleNoAnswer = model.Rule{ID: "ssactl/no-answer", Name: "NoAnswer", Level: model.Error,
		Short: "No answer could be given for an object.",
		Help: "The simulation cannot say what the API server would do with this object: its definition is missing, " +
			"a webhook would be needed, or two manifests have the same name. The message says which. " +
			"Custom resources need their CustomResourceDefinition, given with --crds."}
	ruleInvalid = model.Rule{ID: "ssactl/refused", Name: "Refused", Level: model.Error,
		Short: "The API server would refuse the object.",
		Help: "The API server would answer this request with an error, word for word as shown, and change nothing. " +
			"Correct the manifest; the message names the fields."}
	ruleTaken = model.Rule{ID: "ssactl/taken-over", Name: "TakenOver", Level: model.Warning,
		Short: "A forced apply takes the field from another field manager.",
		Help: "With --force-conflicts the field changes its owner. A controller that owned it may write it again at once, " +
			"so that the two keep changing it in turn. Leave the field out of the manifest if the controller should decide."}
	ruleForbidden = model.Rule{ID: "ssactl/forbidden-owner", Name: "ForbiddenOwner", Level: model.Error,
		Short: "The policy does not let the field manager own the field.",
		Help: "The write takes ownership of a field that the ownership policy (--policy) leaves to others, or to nobody. " +
			"Remove the field from the manifest, or change the policy at the reported line."}
	ruleRisk = model.Rule{ID: "ssactl/risk", Name: "Risk", Level: model.Warning,
		Short: "The write is accepted, and yet somebody may be hurt.",
		Help: "A dropped field falls back to a default, a field is set that an autoscaler or an injector writes, or what others own is removed. " +
			"The message names the rule; --fail-on takes it."}
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

// ruleTakenByForce is the name of the risk that ruleTaken is about.
const ruleTakenByForce = risk.TakenByForce

// ruleForbiddenOwner is the name of the risk that ruleForbidden is about.
const ruleForbiddenOwner = risk.ForbiddenOwner

// writeRules are in the order of importance, behind inputs that cannot be read.
var writeRules = []model.Rule{ruleNoAnswer, ruleInvalid, conflictRule, ruleForbidden, ruleTaken, ruleRisk, ruleCaveat, ruleWarning, ruleInput, ruleChange}
