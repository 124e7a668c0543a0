package render

// rule is a kind of finding, with what helps whoever meets it.
type rule struct {
	id    string
	name  string
	level level
	// short is a sentence, help a paragraph or two.
	short, help string
}

var (
	ruleUnreadable = rule{"ssactl/unreadable-input", "UnreadableInput", levelError,
		"An input file has no object that could be read.",
		"A manifest or a file with live objects cannot be read, or is not YAML or JSON of a Kubernetes object. " +
			"The other inputs were still answered. Correct the file at the line that is told."}
	ruleNoAnswer = rule{"ssactl/no-answer", "NoAnswer", levelError,
		"No answer could be given for an object.",
		"The simulation cannot tell what the API server would do with this object: its definition is missing, " +
			"a webhook would be needed, or two manifests have the same name. The message says which. " +
			"Custom resources need their CustomResourceDefinition, given with --crds."}
	ruleInvalid = rule{"ssactl/refused", "Refused", levelError,
		"The API server would refuse the object.",
		"The API server would answer this request with an error, word for word as told, and change nothing. " +
			"Correct the manifest; the message names the fields."}
	ruleConflict = rule{"ssactl/conflict", "Conflict", levelError,
		"Another field manager owns the field with another value.",
		"Server-Side Apply refuses to change a field that another field manager owns with another value. There are three ways out: " +
			"remove the field from the manifest, and leave it to its owner; write the live value into the manifest, and share the field; " +
			"or apply with --force-conflicts, and take it over. Who held it may set it back then. 'ssactl explain' simulates all three."}
	ruleTaken = rule{"ssactl/taken-over", "TakenOver", levelWarning,
		"A forced apply takes the field from another field manager.",
		"With --force-conflicts the field changes its owner. A controller that held it may write it again at once, " +
			"so that the two keep changing it in turn. Leave the field out of the manifest if the controller should decide."}
	ruleWarning = rule{"ssactl/server-warning", "ServerWarning", levelWarning,
		"The API server would answer with a warning.",
		"The API server accepts the object, and sends a Warning header: a deprecated version, an unknown or a duplicate field."}
	ruleCaveat = rule{"ssactl/caveat", "Caveat", levelWarning,
		"The answer may not be the cluster's.",
		"What was given of the cluster may be incomplete, or something else than what is meant: a definition that is missing, " +
			"a live object without managed fields, a name that no live object has. The message says what to give."}
	ruleInput = rule{"ssactl/input-notice", "InputNotice", levelNotice,
		"Something is odd about the input.",
		"An entry of the live object's managed fields cannot be read, for one, or is at a version that is not served."}
	ruleChange = rule{"ssactl/change", "Change", levelNotice,
		"The write would create or change the object.",
		"Nothing stands in the way: the API server would accept the object. The diff is in the report."}
)

// rules is in the order of importance.
var rules = []rule{ruleUnreadable, ruleNoAnswer, ruleInvalid, ruleConflict, ruleTaken, ruleCaveat, ruleWarning, ruleInput, ruleChange}
