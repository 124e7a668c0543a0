package lint

import "github.com/ssactl/ssactl/internal/plan/findings"

// The names of the rules.
const (
	DuplicateKeys      = "duplicate-keys"
	MissingKey         = "missing-key"
	UnknownField       = "unknown-field"
	WrongType          = "wrong-type"
	WrittenTwice       = "written-twice"
	UnknownKind        = "unknown-kind"
	ManagedFieldsSet   = "managed-fields-set"
	Refused            = "refused"
	GivenTwice         = "given-twice"
	ReplicasAutoscaled = "replicas-autoscaled"
	InjectedField      = "injected-field"
	OthersObject       = "generated-by-others"
	RolloutWrites      = "rollout-writes"
	StatusSet          = "status-set"
	ServerField        = "server-field"
	NotStored          = "not-stored"
	StoredDifferently  = "stored-differently"
	LastApplied        = "last-applied-in-manifest"
	StringData         = "string-data"
	DefaultInAtomic    = "default-in-atomic"
	ListUnmarked       = "crd-list-unmarked"
	SetOfObjects       = "crd-set-of-objects"
	KeyOptional        = "crd-key-optional"
	ClientRewrites     = "client-rewrites"
	Unbounded          = "crd-granular-unbounded"
	PortsByProtocol    = "ports-differ-by-protocol"
	ResourcesScaled    = "resources-autoscaled"
	MapUnmarked        = "crd-map-unmarked"
)

// Rules are all rules, in the order in which their findings are reported within a
// severity.
func Rules() findings.Rules { return rules }

// rules are in the order in which findings of one severity are reported.
var rules = findings.Rules{
	{Name: DuplicateKeys, Severity: findings.Error},
	{Name: MissingKey, Severity: findings.Error},
	{Name: UnknownField, Severity: findings.Error},
	{Name: WrongType, Severity: findings.Error},
	{Name: WrittenTwice, Severity: findings.Error},
	{Name: UnknownKind, Severity: findings.Error},
	{Name: ManagedFieldsSet, Severity: findings.Error},
	{Name: Refused, Severity: findings.Error},

	{Name: GivenTwice, Severity: findings.Warning},
	{Name: ReplicasAutoscaled, Severity: findings.Warning},
	{Name: InjectedField, Severity: findings.Warning},
	{Name: OthersObject, Severity: findings.Warning},
	{Name: RolloutWrites, Severity: findings.Warning},
	{Name: StatusSet, Severity: findings.Warning},
	{Name: ServerField, Severity: findings.Warning},
	{Name: NotStored, Severity: findings.Warning},
	{Name: StoredDifferently, Severity: findings.Warning},
	{Name: LastApplied, Severity: findings.Warning},
	{Name: StringData, Severity: findings.Warning},
	{Name: ListUnmarked, Severity: findings.Warning},
	{Name: SetOfObjects, Severity: findings.Warning},
	{Name: KeyOptional, Severity: findings.Warning},

	{Name: DefaultInAtomic, Severity: findings.Note},
	{Name: ClientRewrites, Severity: findings.Note},
	{Name: PortsByProtocol, Severity: findings.Note},
	{Name: ResourcesScaled, Severity: findings.Note},
	{Name: MapUnmarked, Severity: findings.Note},
	{Name: Unbounded, Severity: findings.Note},
}
