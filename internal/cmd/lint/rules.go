package lint

import "github.com/ssactl/ssactl/internal/finding"

// Rules are all rules, in the order in which their findings are reported within a
// severity.
func Rules() finding.Rules {
	return finding.Rules{
		duplicateKeys, missingKey, unknownField, wrongType, writtenTwice,
		unknownKind, managedFieldsSet, refusedManifest,

		givenTwice, replicasAutoscaled, injectedField, generatedByOthers, rolloutWrites,
		statusSet, serverField, notStored, storedDifferently, lastAppliedInManifest,
		stringData, listUnmarked, setOfObjects, keyOptional,

		defaultInAtomic, clientRewrites, portsByProtocol, resourcesAutoscaled, mapUnmarked,
		granularUnbounded,
	}
}
