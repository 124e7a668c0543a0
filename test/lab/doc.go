// Package lab has an API server of one made-up kind, the Gadget, for tests that stand
// beside the logic: it answers in microseconds.
//
// Applies and patches go through upstream's field manager (test/merging), so that
// ownership and conflicts are real. Nothing is validated or admitted, what is defaulted a test says, and
// versions differ in their names only, unless a test says what the object is at one.
package lab
