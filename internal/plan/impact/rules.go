package impact

import "github.com/ssactl/ssactl/internal/plan/findings"

// ReportKind is the kind of the report document.
const ReportKind = "SchemaImpactReport"

// The names of the rules.
const (
	DefinitionRejected = "definition-rejected"
	KindRemoved        = "kind-removed"
	VersionRemoved     = "version-removed"
	VersionNamed       = "version-named"
	WriteRefused       = "write-refused"
	ApplyRefused       = "apply-refused"
	EntryLost          = "entry-lost"
	DataPruned         = "data-pruned"
	BecomesAtomic      = "becomes-atomic"
	BecomesGranular    = "becomes-granular"
	ListTypeChanged    = "list-type-changed"
	ListKeysChanged    = "list-keys-changed"
	OwnerWidened       = "owner-widened"
	OwnerUnprotected   = "owner-unprotected"
	ApplyChanges       = "apply-changes"
	ObjectInvalid      = "object-invalid"
	FieldRemoved       = "field-removed"
	TypeChanged        = "type-changed"
	UnknownPruned      = "unknown-fields-pruned"
	ValidationTight    = "validation-tightened"
	DefaultChanged     = "default-changed"
	DefaultInAtomic    = "default-in-atomic"
	SubresourceChanged = "subresource-changed"
	ConversionChanged  = "conversion-changed"
	DefaultAdded       = "default-added"
	DefaultRemoved     = "default-removed"
	ObjectDefaulted    = "object-defaulted"
	UnknownKept        = "unknown-fields-kept"
	StorageChanged     = "storage-version-changed"
	NamesChanged       = "names-changed"
	VersionAdded       = "version-added"
	FieldAdded         = "field-added"
)

// Rules are all of them, from the worst to the least.
func Rules() findings.Rules { return rules }

var rules = findings.Rules{
	{Name: DefinitionRejected, Severity: findings.Error},
	{Name: KindRemoved, Severity: findings.Error},
	{Name: VersionRemoved, Severity: findings.Error},
	{Name: VersionNamed, Severity: findings.Error},
	{Name: WriteRefused, Severity: findings.Error},
	{Name: ApplyRefused, Severity: findings.Error},
	{Name: EntryLost, Severity: findings.Error},
	{Name: DataPruned, Severity: findings.Error},
	{Name: BecomesAtomic, Severity: findings.Warning},
	{Name: BecomesGranular, Severity: findings.Warning},
	{Name: ListTypeChanged, Severity: findings.Warning},
	{Name: ListKeysChanged, Severity: findings.Warning},
	{Name: OwnerWidened, Severity: findings.Warning},
	{Name: OwnerUnprotected, Severity: findings.Warning},
	{Name: ApplyChanges, Severity: findings.Warning},
	{Name: ObjectInvalid, Severity: findings.Warning},
	{Name: FieldRemoved, Severity: findings.Warning},
	{Name: TypeChanged, Severity: findings.Warning},
	{Name: UnknownPruned, Severity: findings.Warning},
	{Name: ValidationTight, Severity: findings.Warning},
	{Name: DefaultChanged, Severity: findings.Warning},
	{Name: DefaultInAtomic, Severity: findings.Warning},
	{Name: SubresourceChanged, Severity: findings.Warning},
	{Name: ConversionChanged, Severity: findings.Warning},
	{Name: DefaultAdded, Severity: findings.Note},
	{Name: DefaultRemoved, Severity: findings.Note},
	{Name: ObjectDefaulted, Severity: findings.Note},
	{Name: UnknownKept, Severity: findings.Note},
	{Name: StorageChanged, Severity: findings.Note},
	{Name: NamesChanged, Severity: findings.Note},
	{Name: VersionAdded, Severity: findings.Note},
	{Name: FieldAdded, Severity: findings.Note},
}
