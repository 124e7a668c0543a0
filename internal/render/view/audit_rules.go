package view

import "github.com/ssactl/ssactl/internal/plan/audit"

// auditRules are the rules of audit in words.
var auditRules = map[string]RuleText{
	audit.ApplyConflicts: {
		Title: "Applying the manifest conflicts with another field manager.",
		Why:   "The API server refuses the whole apply with 409: nothing in the manifest takes effect until the conflict is solved."},
	audit.ApplyRefused: {
		Title: "Applying the manifest is refused.",
		Why:   "The API server answers with an error and changes nothing."},
	audit.ManagedFieldsBroken: {
		Title: "managedFields cannot be read.",
		Why:   "The API server refuses every apply to the object, and the next other write makes it forget all entries, the readable ones too."},
	audit.ForbiddenOwner: {
		Title: "A field manager owns what the policy does not let it own.",
		Why:   "The policy that is given with --policy leaves these fields to other managers, or to none: with its next write the manager changes fields that it may not own."},

	audit.ApplyKeepsDropped: {
		Title: "The manifest dropped fields that stay in the object.",
		Why:   "The field manager stops managing the fields with its next apply, but another entry owns them too: they stay in the object, and no later apply of this manifest removes them."},
	audit.ApplyRemoves: {
		Title: "The next apply removes fields.",
		Why:   "The field manager owns the fields alone, and the manifest no longer has them."},
	audit.StaysWhenDropped: {
		Title: "An entry whose manager no longer writes co-owns applied fields.",
		Why:   "A field that you remove from the manifest stays in the object as long as the other entry owns it. This is what a move from client-side to server-side apply leaves behind."},
	audit.LeftOverField: {
		Title: "Fields are left over: no apply removes them.",
		Why:   "Only an entry whose manager no longer writes owns them, while an apply took over the rest of the list or map. They were removed from the manifest before the move, or added by hand, and are in no manifest."},
	audit.AppliesAndUpdates: {
		Title: "A field manager owns fields both by Apply and by Update.",
		Why:   "The two entries are two owners: the manager's next apply that changes such a field conflicts with the manager itself, and one that drops it leaves it in place."},
	audit.BeforeFirstApply: {
		Title: "Fields are owned by before-first-apply.",
		Why:   "The API server synthesized this owner because the object had no managedFields: applying another value to one of its fields conflicts, and dropped fields stay. No client writes under this name."},
	audit.ManagedFieldsMissing: {
		Title: "There are no managedFields.",
		Why:   "Ownership cannot be known. If the live object has none either, its first apply makes before-first-apply own every field."},
	audit.EntryVersionRemoved: {
		Title: "An entry is at an API version that is not served.",
		Why:   "Of a built-in kind, the API server drops the entry with the next write: its fields lose this owner without anybody saying so, and a field without owner stays when manifests drop it. Of a custom resource, it refuses every apply until the entry is gone."},
	audit.ObjectVersionRemoved: {
		Title: "The object is at an API version that is not served.",
		Why:   "Manifests and clients that use this version are answered 404."},
	audit.LastAppliedLeaks: {
		Title: "The last-applied annotation holds the data of a Secret.",
		Why:   "Annotations are shown, logged and compared by tools that take care to mask only .data, and the copy stays when the data is changed by anything but kubectl apply."},
	audit.LastAppliedUnreadable: {
		Title: "The last-applied annotation cannot be read.",
		Why:   "A client-side kubectl apply fails on it, and a migration to server-side apply has nothing to go by."},
	audit.LastAppliedOther: {
		Title: "The last-applied annotation is of another object.",
		Why:   "A client-side kubectl apply compares with it, and removes what the other object had; a migration would claim fields that were never applied here."},
	audit.LastAppliedRemoved: {
		Title: "The last-applied annotation is at an API version that is not served.",
		Why:   "The API server cannot read it, and so does not know which fields kubectl applied: the first kubectl apply --server-side that changes one is refused with a conflict with the client-side apply, whose fields it would own otherwise."},
	audit.LastAppliedStale: {
		Title: "The last-applied annotation is out of date.",
		Why:   "The object is applied server-side now, and the annotation is of earlier times. A client-side kubectl apply would start from it, and undo or remove what was changed since."},
	audit.ReplicasAutoscaled: {
		Title: "An autoscaler scales what a manifest gives replicas to.",
		Why:   "As soon as the autoscaler changes the number, the next apply of the manifest conflicts with it, or sets the number back where it forces; and dropping replicas from the manifest without a hand-over makes the server set 1."},
	audit.ClaimProtectsNothing: {
		Title: "A claim on a whole list or map no longer covers what is in it.",
		Why:   "It dates from a time when the list or map was atomic; its items and keys are fields of their own now, and have no owner. Any other manager takes one without a conflict, and dropping one from the manifest leaves it in place."},
	audit.AtomicShared: {
		Title: "Several field managers apply one atomic list or map.",
		Why:   "It is one field: none of them can change an item without conflicting with the others, and one that forces replaces the items of all."},
	audit.DuplicateKeys: {
		Title: "A keyed list has several items with one key.",
		Why:   "The items count as one field with one owner. A manifest with such a list is refused by the API server when it is applied, and applying a single item of that key replaces all of them."},
	audit.StringDataOwned: {
		Title: "stringData of a Secret is owned.",
		Why:   "The API server moves stringData into data when it stores a Secret, but the ownership stays behind: a key that is dropped from stringData stays in data, and other managers conflict with a field that is not visible."},

	audit.ChangedByHand: {
		Title: "A person changed fields of what a tool manages.",
		Why:   "An apply with another value conflicts with a person who does not write again, or, with force, undoes the change. Fields that are in no manifest stay."},
	audit.LastAppliedDrift: {
		Title: "Live values differ from the last-applied annotation.",
		Why:   "The next client-side kubectl apply of an unchanged manifest sets them back."},
	audit.PortsByProtocol: {
		Title: "Ports differ by their protocol only.",
		Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one."},
	audit.OwnedFieldMissing: {
		Title: "Fields are owned that the object does not have.",
		Why:   "What was applied is a value that the API server does not store (false, 0, an empty map or list), or is gone since. Another manager that sets the field conflicts with something that cannot be seen."},
	audit.StaleManager: {
		Title: "A field manager no longer writes.",
		Why:   "Tools that were taken out of service stay owners: their fields conflict with others, and stay when manifests drop them."},
	audit.AncientChanges: {
		Title: "Old Update entries were folded into ancient-changes.",
		Why:   "More than ten managers updated the object. The owners of these fields are lost, and no client writes under this name."},
	audit.ManyUpdateEntries: {
		Title: "There are nearly as many Update entries as are kept.",
		Why:   "The API server keeps ten Update entries, and folds the oldest into ancient-changes: who owned their fields is lost then. Many names usually mean a client that takes a new one with every version or every run."},
}
