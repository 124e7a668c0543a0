// Package owners says, field by field, who owns a live object: the data behind
// every view of its ownership.
//
// The pipeline: New walks the object and its managed fields entries together
// (walk.go; items.go finds the item that a path element means), and gives a
// tree of fields with the entries that claim each, and the claims that no
// value stands for (stale.go). Select prunes it by a filter, Summaries counts
// it by entry, DocumentOf makes the JSON document of it.
//
// The law: every path of every readable entry is a claim of exactly the fields
// that it names, or a stale claim; and a field has no other claims. Owning a
// map or an item is not owning what is in it, as in the server.
package owners
