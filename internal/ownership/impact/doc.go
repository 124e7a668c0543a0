// Package impact says what a change of definitions, or of the release of Kubernetes,
// does to merging and ownership: what both sides publish of each field is compared
// (kind.go, definition.go, fields.go, validation.go), and live objects are written through
// the new side, and if that has an effect, through the old one as well (object.go,
// trial.go, owners.go). What both sides do is no impact. rules.go makes one finding of
// all objects with one effect.
package impact
