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
