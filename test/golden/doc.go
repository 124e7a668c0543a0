// Package golden compares what is shown with files, and has what hand-written results have
// in common. It knows no format, so that the tests of formats may use it.
package golden
