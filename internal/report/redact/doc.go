// Package redact masks what was in Secrets before a report is shown.
//
// The pipeline: collect every secret value that a result holds, number the
// values in order of first appearance in the run, write masks in their places,
// and last search all texts of the result for values that are quoted there.
//
// Laws: equal values have equal masks and different values different ones;
// a mask tells neither length nor content; keys stay visible; results that
// hold no Secret are the same as before, and are not copied.
package redact
