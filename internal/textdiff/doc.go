// Package textdiff compares two texts, by line or by word.
//
// The pipeline: a text is cut into tokens (lines or words), tokens become an
// edit script, an edit script becomes hunks, and hunks become unified text.
//
// Laws: applying the hunks of a comparison to the old text gives the new one;
// equal inputs give equal answers on every machine, as nothing depends on a
// clock; the work is bounded, however long the texts are: where the shortest
// script would cost too much, a longer one that is still right is given, cut at
// lines that occur once on each side, and what is not aligned within the bound is
// one block.
package textdiff
