// Package markdown shows the presentation model as a comment for a pull request
// or an issue, and knows no command: the headline first, then what needs a
// decision, open, then the rest, folded.
//
// A comment keeps to a limit of characters. What has no room is shortened from
// the end: long lists and differences first, then all but the titles; at last
// only the names stand in a sentence. Values cannot act as markup, see Code.
package markdown
