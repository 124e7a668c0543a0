package view

import "github.com/ssactl/ssactl/internal/plan/impact"

// impactRules are the rules of schema impact in words.
var impactRules = map[string]RuleText{
	impact.DefinitionRejected: {
		Title: "The API server rejects the new definition.",
		Why:   "The definition in the cluster stays as it is, and with it everything below."},
	impact.KindRemoved: {
		Title: "A kind is no longer there.",
		Why:   "With a CustomResourceDefinition all objects of its kind are deleted. Objects of a built-in kind stay in the storage, where no client can reach them."},
	impact.VersionRemoved: {
		Title: "An API version is no longer served.",
		Why:   "Every request for it is answered 404: manifests, clients and controllers have to use another version first."},
	impact.VersionNamed: {
		Title: "Managed fields name a version that is gone.",
		Why:   "The API server cannot convert the object to that version, and answers every write to it with 500 (kubernetes/kubernetes#111937)."},
	impact.WriteRefused: {
		Title: "Every write to a live object is rejected.",
		Why:   "Values that a write leaves alone are not validated again (ratcheting), but these are, or the object as a whole is. All writes fail, to the status too, until the object is repaired."},
	impact.ApplyRefused: {
		Title: "The next apply of a field manager is rejected.",
		Why:   "It was accepted before the change, with the same manifest."},
	impact.EntryLost: {
		Title: "A managed fields entry is dropped at the next write.",
		Why:   "Its manager then owns nothing: fields that it leaves out stay for ever, and others overwrite its fields without a conflict."},
	impact.DataPruned: {
		Title: "Data of live objects is dropped.",
		Why:   "The API server leaves out fields that the schema does not have when it reads an object, and deletes them at the next write."},
	impact.BecomesAtomic: {
		Title: "A field becomes atomic.",
		Why:   "From the next write on, a manager that owns a part of it owns all of it. Two field managers can then only apply the same value, and one that forces replaces the other's."},
	impact.BecomesGranular: {
		Title: "A field becomes granular.",
		Why:   "Who owns the whole keeps it, which protects nothing that is in it: until that manager's next apply, others overwrite its parts without a conflict, and what it leaves out is not removed."},
	impact.ListTypeChanged: {
		Title: "The items of a list are identified in another way.",
		Why:   "Managed fields name the items as they were identified before. The server does not rewrite that: what is owned so protects nothing any more."},
	impact.ListKeysChanged: {
		Title: "The keys of a keyed list are others.",
		Why:   "Managed fields name items by their old keys. The server does not rewrite that: what is owned so protects nothing any more. Items that share the new keys, or lack them, make every apply fail."},
	impact.OwnerWidened: {
		Title: "Field managers own more than they applied.",
		Why:   "A field became atomic, so that each of them owns all of it, the others' parts included. The next apply of each conflicts with the others, or removes their parts where it forces."},
	impact.OwnerUnprotected: {
		Title: "Fields lose the owner that protects them.",
		Why:   "Until its next apply, another manager overwrites the fields without a conflict, and what the owner leaves out of that apply stays."},
	impact.ApplyChanges: {
		Title: "The next apply of an unchanged manifest changes the object.",
		Why:   "It changed nothing before."},
	impact.ObjectInvalid: {
		Title: "Live objects do not pass the new validation.",
		Why:   "Writes that leave the values alone are accepted (ratcheting); the same object in a new cluster, restored, or created again is rejected."},
	impact.FieldRemoved: {
		Title: "A field is removed.",
		Why:   "An apply of a manifest that has it is rejected; other writes lose it without a word."},
	impact.TypeChanged: {
		Title: "A field is of another type.",
		Why:   "Manifests and live objects with a value of the old type are rejected."},
	impact.UnknownPruned: {
		Title: "Unknown fields are no longer kept.",
		Why:   "What the schema does not name is dropped from live objects, and an apply with it is rejected."},
	impact.ValidationTight: {
		Title: "The validation is tightened.",
		Why:   "Manifests that were accepted may be rejected. Live objects that do not pass stay as they are, and may be written as long as the values in question do not change (ratcheting)."},
	impact.DefaultChanged: {
		Title: "A default is another value.",
		Why:   "Objects that have the old default stored keep it, unowned; new ones get the new default. Of one manifest there are then two results."},
	impact.DefaultInAtomic: {
		Title: "A default is added inside an atomic field.",
		Why:   "The stored value of the whole field then differs from that of manifests without the default: another field manager that applies the same manifest conflicts over all of it."},
	impact.SubresourceChanged: {
		Title: "A subresource comes or goes.",
		Why:   "With the status subresource, writes to the object leave the status alone and own nothing of it; without, they set it. The scale subresource is how autoscalers write replicas."},
	impact.ConversionChanged: {
		Title: "Versions are converted in another way.",
		Why:   "Managed fields at other versions go through the conversion. Where a webhook converts and does not answer, writes fail, or entries are lost."},
	impact.DefaultAdded: {
		Title: "A default is added.",
		Why:   "The API server adds it to every object that it reads, without an owner."},
	impact.DefaultRemoved: {
		Title: "A default is removed.",
		Why:   "Objects that have it stored keep it, unowned; new ones lack it."},
	impact.ObjectDefaulted: {
		Title: "Live objects get defaults.",
		Why:   "The value is there from the next read on, without an owner."},
	impact.UnknownKept: {
		Title: "Unknown fields are kept.",
		Why:   "Misspelled fields are then stored without a word."},
	impact.StorageChanged: {
		Title: "Objects are stored at another version.",
		Why:   "Each is rewritten at its next write. The old version may be removed once none is left and it is out of status.storedVersions."},
	impact.NamesChanged: {
		Title: "The kind goes by fewer names.",
		Why:   "Scripts that use a short, singular or category name that is gone no longer find it."},
	impact.VersionAdded: {
		Title: "An API version is new.",
		Why:   "Entries of managed fields stay at the version that their manager writes."},
	impact.FieldAdded: {
		Title: "Fields are new.",
		Why:   "They have no owner yet."},
}
