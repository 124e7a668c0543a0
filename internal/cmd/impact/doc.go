// Package impact says what a change of definitions, or of the release of Kubernetes,
// does to merging and ownership: what both sides publish of each field is compared,
// and live objects are written through the new side, and if that
// has an effect, through the old one as well. What both sides do is no impact.
//
//	rules.go       the order of the rules
//	kind.go        one kind on both sides, and what is found on it
//	definition.go  a CustomResourceDefinition as a whole: versions, names, subresources
//	fields.go      how fields merge, and their defaults
//	validation.go  what values are accepted
//	place.go       where the new definition has a field
//	object.go      the effect on one live object
//	trial.go       what each side answers about it
//	owners.go      the effect on the owners of its fields
//	applies.go     what their next applies meet
//	effects.go     from objects to findings: one for all objects with one effect
package impact
