// Package guard runs code that may panic, above all the API server's, and turns
// a panic into an error that names the function. It is the only place of the
// project that recovers: one hostile object has no answer, and all others have
// theirs.
package guard
