// Package risk finds what is to be looked at in a write that the server accepts.
//
//	risk.go         Of: the risks of a result; the rules, and how bad each is
//	ownership.go    what others lose, or keep; values that become something else than was meant
//	kept.go         what stays in the live object though the manifest lacks it
//	other_writer.go fields that another writer in the inputs writes
//	deletion.go     what goes with an object that is deleted
//	beyond.go       what kubectl removes after the write, and what a policy forbids
//
// A risk is something that the result proves, or that the inputs say of another
// writer; nothing is guessed. What is refused has no risks: it hurts nobody.
package risk
