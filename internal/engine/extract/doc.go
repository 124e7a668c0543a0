// Package extract puts together what an Apply manager applied last, as far as
// the live object tells: the values of the fields that its managed fields entry
// owns, as client-go's Extract functions do (apimachinery,
// util/managedfields/extract.go).
//
// Values are in the server's spelling, and of now: what others changed since
// with force, the entry does not own any more. What was applied and never
// stored is missing.
package extract
