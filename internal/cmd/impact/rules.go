// Package impact says what a change of definitions, or of the release of Kubernetes,
// does to merging and ownership: what both sides publish of each field is compared
// (kind.go, definition.go, fields.go, validation.go), and live objects are written through
// the new side, and if that has an effect, through the old one as well (object.go,
// trial.go, owners.go). What both sides do is no impact. effects.go makes one finding of
// all objects with one effect.
package impact

import "github.com/ssactl/ssactl/internal/finding"

// ReportKind is the kind of the report document.
const ReportKind = "SchemaImpactReport"

// Rules are all of them, from the worst to the least.
func Rules() finding.Rules {
	return finding.Rules{
		definitionRejected, kindRemoved, versionRemoved, versionNamed.Rule, writeRefused.Rule,
		dataPruned.Rule, applyRefused.Rule, entryLost.Rule,

		becomesAtomic, becomesGranular, listTypeChanged, listKeysChanged, ownerWidened.Rule,
		ownerUnprotected.Rule, applyChanges.Rule, objectInvalid.Rule, fieldRemoved, typeChanged,
		unknownPruned, validationTightened, defaultChanged, defaultInAtomic, subresourceChanged,
		conversionChanged,

		defaultAdded, defaultRemoved, objectDefaulted.Rule, unknownKept, storageChanged,
		namesChanged, versionAdded, fieldAdded,
	}
}
