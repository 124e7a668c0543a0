package view

import "github.com/ssactl/ssactl/internal/plan/lint"

// lintRules are the rules of lint in words.
var lintRules = map[string]RuleText{
	lint.DuplicateKeys: {
		Title: "A list has two items that cannot be told apart.",
		Why:   "The items of the list are known by their keys, or by their value. The API server rejects every apply of the manifest; a client-side apply loses one of the items."},
	lint.MissingKey: {
		Title: "An item of a keyed list lacks a key.",
		Why:   "Without its keys the API server cannot know which item is meant, and rejects the apply."},
	lint.UnknownField: {
		Title: "The kind has no such field.",
		Why:   "The API server rejects an apply with a field that its schema does not have. Client-side tools often drop such a field without a word, so that it may have been without effect for long."},
	lint.WrongType: {
		Title: "A value is of another type than its field.",
		Why:   "The API server rejects the apply. YAML reads yes, 1.0 and 0123 as other types than text: quote what is text."},
	lint.WrittenTwice: {
		Title: "A key stands twice in one map.",
		Why:   "Only one of the values can be meant. The API server rejects the manifest, and tools that do not take the last."},
	lint.UnknownKind: {
		Title: "The API server does not serve the kind at this version.",
		Why:   "Every request for it is answered 404."},
	lint.ManagedFieldsSet: {
		Title: "The manifest has managedFields.",
		Why:   "The API server rejects every apply with metadata.managedFields. They come from a live object whose YAML was copied."},
	lint.Refused: {
		Title: "The API server rejects the manifest.",
		Why:   "It answers an apply of the manifest, as a new object, with an error, and stores nothing."},

	lint.GivenTwice: {
		Title: "An object is given twice in the inputs.",
		Why:   "Who applies both as one field manager removes with the second what only the first has, at every run."},
	lint.ReplicasAutoscaled: {
		Title: "A manifest sets replicas that an autoscaler in the same inputs writes.",
		Why:   "As soon as the autoscaler changes the number, the next apply conflicts with it, or sets the number back where it forces."},
	lint.InjectedField: {
		Title: "A manifest sets a field that an injector writes.",
		Why:   "An annotation asks another component to write the field: the two overwrite each other, or conflict."},
	lint.OthersObject: {
		Title: "A manifest has an object that another one in the inputs generates.",
		Why:   "The generator owns the fields of the object: the two overwrite each other's keys, or conflict."},
	lint.RolloutWrites: {
		Title: "A manifest sets a field that Argo Rollouts writes during a rollout.",
		Why:   "The controller writes the hash of a ReplicaSet into the selectors of Services, and weights into routes. A selector is one field: the next apply conflicts over all of it, or ends the rollout early where it forces."},
	lint.StatusSet: {
		Title: "The manifest has a status.",
		Why:   "An apply to the object leaves the status as it is, and owns nothing of it: what the manifest says has no effect."},
	lint.ServerField: {
		Title: "The manifest sets metadata that only the API server sets.",
		Why:   "The values are of one live object at one time. They are ignored at best; a uid or resourceVersion makes the API server reject the apply to any other object, and to this one after its next change."},
	lint.NotStored: {
		Title: "The API server does not store a value of the manifest.",
		Why:   "The server drops false, 0, and empty strings, lists and maps of some fields. The field manager still owns the field: others that set it conflict with a field that is not visible, and tools that compare report a difference each time."},
	lint.StoredDifferently: {
		Title: "The API server stores another spelling of a value.",
		Why:   "Another manager that applies the manifest's spelling conflicts with the stored one, a typed client that updates the object owns the field, and tools that compare report a difference each time."},
	lint.LastApplied: {
		Title: "The manifest has the last-applied annotation.",
		Why:   "It is of a live object whose YAML was copied. Client-side kubectl apply compares with it, and removes what the other object had."},
	lint.StringData: {
		Title: "A Secret is written with stringData.",
		Why:   "The API server moves stringData into data, but the ownership stays behind: a key that is dropped from the manifest stays in the Secret, and others conflict with a field that they cannot see."},
	lint.ListUnmarked: {
		Title: "A definition has a list of objects without list type.",
		Why:   "Without x-kubernetes-list-type the list is atomic: two field managers cannot each own items, and one that forces replaces the items of all."},
	lint.SetOfObjects: {
		Title: "A definition has a set of objects.",
		Why:   "An item of a set is known by all of its value: a change of one field makes it another item, which is added to the old one. The API server accepts only atomic objects."},
	lint.KeyOptional: {
		Title: "A key of a keyed list is neither required nor has a default.",
		Why:   "An item without the key cannot be told apart. The API server rejects such a definition."},

	lint.DefaultInAtomic: {
		Title: "The API server fills defaults into an atomic list or map.",
		Why:   "An atomic list or map is one value, and the stored one differs from that of the manifest: another field manager that applies the same manifest conflicts over all of it. Writing the defaults into the manifest avoids that."},
	lint.ClientRewrites: {
		Title: "A typed client writes another spelling of a value of a custom resource.",
		Why:   "The API server stores values of custom resources as they are written. A controller in Go that updates the whole object writes durations, quantities and times in its own spelling, and owns the field from then on: the next apply of the manifest conflicts, or sets it back where it forces."},
	lint.PortsByProtocol: {
		Title: "Ports differ by their protocol only.",
		Why:   "Server-side apply tells them apart by port and protocol, but client-side apply and strategic merge patches by the port alone: they merge the two into one, or lose one."},
	lint.ResourcesScaled: {
		Title: "A manifest sets resources that a VerticalPodAutoscaler changes in the pods.",
		Why:   "The autoscaler changes the pods and not the object: what runs is not what the manifest says, without any conflict."},
	lint.MapUnmarked: {
		Title: "A definition has an object without map type where its siblings have one.",
		Why:   "Without x-kubernetes-map-type the object is granular. Next to atomic ones that is easily overlooked."},
	lint.Unbounded: {
		Title: "A definition has granular lists or maps of objects without bound.",
		Why:   "Each item has owners of its own, so that managed fields grow with the items, once for each manager: objects become large, and slow to apply. A bound (maxItems, maxProperties) also lets rules of CEL be accepted that look at all items."},
}
