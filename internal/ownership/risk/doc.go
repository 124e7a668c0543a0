// Package risk finds what is to be looked at in a write that the server accepts.
//
//	risk.go         Of: the risks of a result; the rules, and how bad each is
//	ownership.go    what others lose, or keep
//	value.go        values that become something else than what was meant
//	kubectl.go      what kubectl removes after the write
//	other_writer.go fields that another writer in the inputs writes
//	policy.go       what a policy forbids
//
// A risk is something that the result proves, or that the inputs say of another
// writer; nothing is guessed. What is refused has no risks: it hurts nobody.
package risk
