// Package yamlline finds what a line of YAML in block style begins with, by its bytes
// alone: the dashes of list items, separators, comments. It is where items are
// found that are cut out of a text without parsing it, and those that are put back
// into one; callers that cut by it prove the cut by reading it.
package yamlline
