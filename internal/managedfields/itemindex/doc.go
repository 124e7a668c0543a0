// Package itemindex finds the items of a long list by a value without comparing
// all of them: a list of a hundred thousand items, each looked for in turn,
// would take minutes.
package itemindex
