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
	{Name: DefinitionRejected, Severity: findings.Error, Title: "The API server rejects the new definition.",
		Why: "The definition in the cluster stays as it is, and with it everything below."},
	{Name: KindRemoved, Severity: findings.Error, Title: "A kind is no longer there.",
		Why: "With a CustomResourceDefinition all objects of its kind are deleted. Of a built-in kind they stay in the storage, where nobody reaches them."},
	{Name: VersionRemoved, Severity: findings.Error, Title: "An API version is no longer served.",
		Why: "Every request for it is answered 404: manifests, clients and controllers have to use another version first."},
	{Name: VersionNamed, Severity: findings.Error, Title: "Managed fields name a version that is gone.",
		Why: "The API server cannot convert the object to that version, and answers every write to it with 500, whoever writes (kubernetes/kubernetes#111937)."},
	{Name: WriteRefused, Severity: findings.Error, Title: "Every write to a live object is rejected.",
		Why: "Values that a write leaves alone are not validated again (ratcheting), but these are, or the object as a whole is. Whoever writes to it, the status included, fails until it is repaired."},
	{Name: ApplyRefused, Severity: findings.Error, Title: "The next apply of a field manager is rejected.",
		Why: "It was accepted before the change, with the same manifest."},
	{Name: EntryLost, Severity: findings.Error, Title: "A managed fields entry is dropped at the next write.",
		Why: "Its manager then owns nothing: fields that it leaves out stay for ever, and others overwrite its fields without a conflict."},
	{Name: DataPruned, Severity: findings.Error, Title: "Data of live objects is dropped.",
		Why: "The API server leaves out fields that the schema does not have when it reads an object, and deletes them at the next write."},
	{Name: BecomesAtomic, Severity: findings.Warning, Title: "A field becomes atomic.",
		Why: "Whoever owns anything of it owns all of it from the next write on. Two field managers can then only apply it alike, and one that forces replaces what the other has."},
	{Name: BecomesGranular, Severity: findings.Warning, Title: "A field becomes granular.",
		Why: "Who owns the whole keeps it, which protects nothing that is in it: until that manager's next apply, others overwrite its parts without a conflict, and what it leaves out is not removed."},
	{Name: ListTypeChanged, Severity: findings.Warning, Title: "The items of a list are identified in another way.",
		Why: "Managed fields name the items as they were identified before. The server does not rewrite that: what is owned so protects nothing any more."},
	{Name: ListKeysChanged, Severity: findings.Warning, Title: "The keys of a keyed list are others.",
		Why: "Managed fields name items by their old keys. The server does not rewrite that: what is owned so protects nothing any more. Items that share the new keys, or lack them, make every apply fail."},
	{Name: OwnerWidened, Severity: findings.Warning, Title: "Field managers own more than they applied.",
		Why: "A field became atomic, so that each of them owns all of it, the others' parts included. The next apply of each conflicts with the others, or removes their parts where it forces."},
	{Name: OwnerUnprotected, Severity: findings.Warning, Title: "Fields lose the owner that protects them.",
		Why: "Until its next apply, another manager overwrites the fields without a conflict, and what the owner leaves out of that apply stays."},
	{Name: ApplyChanges, Severity: findings.Warning, Title: "The next apply of an unchanged manifest changes the object.",
		Why: "It changed nothing before."},
	{Name: ObjectInvalid, Severity: findings.Warning, Title: "Live objects do not pass the new validation.",
		Why: "Writes that leave the values alone are accepted (ratcheting); the same object in a new cluster, restored, or created again is rejected."},
	{Name: FieldRemoved, Severity: findings.Warning, Title: "A field is removed.",
		Why: "An apply of a manifest that has it is rejected; other writes lose it without a word."},
	{Name: TypeChanged, Severity: findings.Warning, Title: "A field is of another type.",
		Why: "Manifests and live objects with a value of the old type are rejected."},
	{Name: UnknownPruned, Severity: findings.Warning, Title: "Unknown fields are no longer kept.",
		Why: "What the schema does not name is dropped from live objects, and an apply with it is rejected."},
	{Name: ValidationTight, Severity: findings.Warning, Title: "The validation is tightened.",
		Why: "Manifests that were accepted may be rejected. Live objects that do not pass stay as they are, and may be written as long as the values in question do not change (ratcheting)."},
	{Name: DefaultChanged, Severity: findings.Warning, Title: "A default is another value.",
		Why: "Objects that have the old default stored keep it, unowned; new ones get the new default. Of one manifest there are then two results."},
	{Name: DefaultInAtomic, Severity: findings.Warning, Title: "A default is added inside an atomic field.",
		Why: "The stored value of the whole field then differs from that of manifests without the default: another field manager that applies the same manifest conflicts over all of it."},
	{Name: SubresourceChanged, Severity: findings.Warning, Title: "A subresource comes or goes.",
		Why: "With the status subresource, writes to the object leave the status alone and own nothing of it; without, they set it. The scale subresource is how autoscalers write replicas."},
	{Name: ConversionChanged, Severity: findings.Warning, Title: "Versions are converted in another way.",
		Why: "Managed fields at other versions go through the conversion. Where a webhook converts and does not answer, writes fail, or entries are lost."},
	{Name: DefaultAdded, Severity: findings.Note, Title: "A default is added.",
		Why: "The API server fills it into every object that it reads. Nobody owns it."},
	{Name: DefaultRemoved, Severity: findings.Note, Title: "A default is removed.",
		Why: "Objects that have it stored keep it, unowned; new ones lack it."},
	{Name: ObjectDefaulted, Severity: findings.Note, Title: "Live objects get defaults.",
		Why: "The value is there from the next read on. Nobody owns it."},
	{Name: UnknownKept, Severity: findings.Note, Title: "Unknown fields are kept.",
		Why: "Misspelled fields are then stored without a word."},
	{Name: StorageChanged, Severity: findings.Note, Title: "Objects are stored at another version.",
		Why: "Each is rewritten at its next write. The old version may be removed once none is left and it is out of status.storedVersions."},
	{Name: NamesChanged, Severity: findings.Note, Title: "The kind goes by fewer names.",
		Why: "Scripts that use a short, singular or category name that is gone no longer find it."},
	{Name: VersionAdded, Severity: findings.Note, Title: "An API version is new.",
		Why: "Entries of managed fields stay at the version that their manager writes."},
	{Name: FieldAdded, Severity: findings.Note, Title: "Fields are new.",
		Why: "Nobody owns them yet."},
}
