// Package completions knows where a shell loads completions from, and what its user
// has to do for it to load them.
//
// Nothing here runs a shell: what only a running one knows, such as its fpath, is
// taken from the files that it reads when it starts.
package completions
