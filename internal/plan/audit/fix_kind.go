package audit

// The kinds of fix.
const (
	// GiveFields gives an entry's fields to Manager, GiveServed at a version that
	// is served.
	GiveFields FixKind = "GiveFields"
	GiveServed FixKind = "GiveServed"
	// MigrateEntry moves the object to server-side apply, with what Manager owns.
	MigrateEntry FixKind = "MigrateEntry"
	// MigrateServed and MigratePorts move the object to server-side apply.
	MigrateServed FixKind = "MigrateServed"
	MigratePorts  FixKind = "MigratePorts"
	// MigrateRead does so where the annotation is read as one of Version.
	MigrateRead FixKind = "MigrateRead"
	// ClearEntry removes an entry, ClearUnserved those at versions that are not
	// served, ClearAll all of them.
	ClearEntry    FixKind = "ClearEntry"
	ClearUnserved FixKind = "ClearUnserved"
	ClearAll      FixKind = "ClearAll"
	// ClearMissing takes paths out of an entry, ClearMissingApplied of one that
	// claims them again with the next apply.
	ClearMissing        FixKind = "ClearMissing"
	ClearMissingApplied FixKind = "ClearMissingApplied"
	// DropAnnotation removes the last-applied annotation.
	DropAnnotation FixKind = "DropAnnotation"
	// ListEntries, ListOwned and ListPorts show owners.
	ListEntries FixKind = "ListEntries"
	ListOwned   FixKind = "ListOwned"
	ListPorts   FixKind = "ListPorts"
	// ShowField explains a field, ShowConflict a conflict, ShowAnswer a refusal,
	// ShowChanges what an apply changes.
	ShowField    FixKind = "ShowField"
	ShowConflict FixKind = "ShowConflict"
	ShowAnswer   FixKind = "ShowAnswer"
	ShowChanges  FixKind = "ShowChanges"
	// RemoveField and WriteLive resolve a conflict in the manifest.
	RemoveField FixKind = "RemoveField"
	WriteLive   FixKind = "WriteLive"
	// TakeObject hands an object over to Manager.
	TakeObject FixKind = "TakeObject"
	// HandOver plans the way of a field to the autoscaler.
	HandOver FixKind = "HandOver"
	// HandOverTo plans the way of a field to Manager.
	HandOverTo FixKind = "HandOverTo"
	// FetchServed fetches the object at Version, FetchTracked with its managed
	// fields, FetchFile all objects of File.
	FetchServed  FixKind = "FetchServed"
	FetchTracked FixKind = "FetchTracked"
	FetchFile    FixKind = "FetchFile"
)
