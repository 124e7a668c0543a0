// Package edit changes single fields of a manifest in its bytes, so that
// comments, order, indentation, anchors and quoting of everything else stay.
//
//	text -> nodes with byte spans (internal/document)
//	     -> the place of a field path (find.go)
//	     -> a splice of the bytes (remove.go, set.go)
//	     -> proof: the new text is read again and must say exactly what the
//	        former said, with the one field changed (proof.go)
//
// What cannot be proved is refused, with the reason and the line. The proof
// reads the text as the API server does, not through the nodes, so that a
// mistake in one does not hide in the other.
package edit
