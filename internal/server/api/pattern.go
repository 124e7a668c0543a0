package api

import "strings"

// maxPattern bounds what matching a regular expression takes: for each instruction of its
// program, which has about as many as it has characters, a place for each group.
const maxPattern = 16 << 20

// HeavyPattern reports whether a regular expression, or a program that has some, may take
// hundreds of megabytes to be matched: (a|b)* 50,000 times reserves 12 GB.
func HeavyPattern(text string) bool { return strings.Count(text, "(")*len(text) > maxPattern }
