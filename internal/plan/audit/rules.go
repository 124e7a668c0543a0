package audit

import (
	"github.com/ssactl/ssactl/internal/plan/findings"
	"github.com/ssactl/ssactl/internal/report"
)

// The names of the rules.
const (
	ApplyConflicts        = "apply-conflicts"
	ApplyRefused          = "apply-refused"
	ManagedFieldsBroken   = "managed-fields-unreadable"
	ForbiddenOwner        = report.RuleForbiddenOwner
	ApplyKeepsDropped     = "apply-keeps-dropped"
	ApplyRemoves          = "apply-removes"
	StaysWhenDropped      = "stays-when-dropped"
	LeftOverField         = "left-over-field"
	AppliesAndUpdates     = "applies-and-updates"
	BeforeFirstApply      = "before-first-apply"
	ManagedFieldsMissing  = "managed-fields-missing"
	EntryVersionRemoved   = "entry-version-removed"
	ObjectVersionRemoved  = "object-version-removed"
	LastAppliedLeaks      = "last-applied-leaks-secret"
	LastAppliedUnreadable = "last-applied-unreadable"
	LastAppliedOther      = "last-applied-of-other-object"
	LastAppliedRemoved    = "last-applied-version-removed"
	LastAppliedStale      = "last-applied-stale"
	ReplicasAutoscaled    = "replicas-autoscaled"
	ClaimProtectsNothing  = "claim-protects-nothing"
	AtomicShared          = "atomic-shared"
	DuplicateKeys         = "duplicate-keys"
	StringDataOwned       = "string-data-owned"
	ChangedByHand         = "changed-by-hand"
	LastAppliedDrift      = "last-applied-drift"
	PortsByProtocol       = "ports-differ-by-protocol"
	OwnedFieldMissing     = "owned-field-missing"
	StaleManager          = "stale-manager"
	AncientChanges        = "ancient-changes"
	ManyUpdateEntries     = "many-update-entries"
)

// rules are in the order in which findings of one severity are reported.
var rules = findings.Rules{
	{Name: ApplyConflicts, Severity: Error},
	{Name: ApplyRefused, Severity: Error},
	{Name: ManagedFieldsBroken, Severity: Error},
	{Name: ForbiddenOwner, Severity: Error},

	{Name: ApplyKeepsDropped, Severity: Warning},
	{Name: ApplyRemoves, Severity: Warning},
	{Name: StaysWhenDropped, Severity: Warning},
	{Name: LeftOverField, Severity: Warning},
	{Name: AppliesAndUpdates, Severity: Warning},
	{Name: BeforeFirstApply, Severity: Warning},
	{Name: ManagedFieldsMissing, Severity: Warning},
	{Name: EntryVersionRemoved, Severity: Warning},
	{Name: ObjectVersionRemoved, Severity: Warning},
	{Name: LastAppliedLeaks, Severity: Warning},
	{Name: LastAppliedUnreadable, Severity: Warning},
	{Name: LastAppliedOther, Severity: Warning},
	{Name: LastAppliedRemoved, Severity: Warning},
	{Name: LastAppliedStale, Severity: Warning},
	{Name: ReplicasAutoscaled, Severity: Warning},
	{Name: ClaimProtectsNothing, Severity: Warning},
	{Name: AtomicShared, Severity: Warning},
	{Name: DuplicateKeys, Severity: Warning},
	{Name: StringDataOwned, Severity: Warning},

	{Name: ChangedByHand, Severity: Note},
	{Name: LastAppliedDrift, Severity: Note},
	{Name: PortsByProtocol, Severity: Note},
	{Name: OwnedFieldMissing, Severity: Note},
	{Name: StaleManager, Severity: Note},
	{Name: AncientChanges, Severity: Note},
	{Name: ManyUpdateEntries, Severity: Note},
}
