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

		defaultInAtomic, clientRewrites, finding.PortsByProtocol, resourcesAutoscaled, mapUnmarked,
		granularUnbounded,
	}
}

// checks look for what the rules find. Where two tell of one field, the first does.
var checks = []func(*subject){
	findListFaults, findRefused, findServerFields, findWritten, findInjected, findStored, findRespelled, findTwice, findDefinitionFaults,
}
