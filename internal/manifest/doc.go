// Package manifest reads Kubernetes objects as people have them (files,
// directories, standard input; YAML and JSON; streams, Lists, gzip) into
// documents that know where they came from.
//
// The pipeline, each stage in one file:
//
//	paths (inputs.go) -> text (open.go) -> window (window.go)
//	  -> YAML documents (yamlstream.go) or JSON values (jsonstream.go)
//	  -> items of Lists (yamllist.go, jsonstream.go, list.go)
//	  -> Document (document.go), checked (check.go)
//
// The bytes of a document are cut, never re-written: how the API server reads
// YAML is part of what it answers. Only the items of a List that cannot be cut
// as bytes (flow style, anchors shared between items) are encoded anew.
//
// Memory is bounded by Options.MaxDocumentBytes, not by the size of a file:
// Lists are cut item by item while they are read.
package manifest
