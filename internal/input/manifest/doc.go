// Package manifest reads Kubernetes objects as people have them (files,
// directories, standard input; YAML and JSON; streams, Lists, gzip) into
// documents that know where they came from.
//
// The pipeline, each stage in one file:
//
//	paths (inputs.go) -> text (open.go) -> what is held of it (document/scan)
//	  -> YAML documents (yamlstream.go), items of Lists by their dashes
//	     (yamllist.go, yamlitems.go)
//	  -> JSON values (jsonstream.go), items of Lists (jsonlist.go)
//	  -> Document (document.go), checked (check.go, mistakes.go, bounds.go), or
//	     unread for now (deferred.go)
//
// Of a file no more is held than the document or item at hand: what is doubtful may be
// looked up in it again (again.go), and behind a doubtful item of a YAML List the rest of
// that is held, as a stream is, up to the limit. What is read again counts only where it
// is the same.
//
// The bytes of a document are cut, never re-written: how the API server reads
// YAML is part of what it answers. Only the items of a List that cannot be cut
// as bytes (flow style, anchors shared between items), and those of typed Lists
// that leave out their kind, are encoded anew; their fields are located in the
// file anyway.
//
// Memory is bounded by Options.MaxDocumentBytes, not by the size of a file:
// Lists are cut item by item while they are read. What Options.Want does not
// want is skipped by its lines or tokens, without being decoded. A malformed
// document costs itself, as does an item of a YAML List: the next one is found by
// its separator, its line or its dash. A mistake within a JSON List ends the file.
//
// For speed alone there is the identity of a YAML object by its lines (quick.go): 4.8
// times as fast as its conversion (BenchmarkIdentity), which most objects of a dump are
// spared. FuzzQuickIdentity has it agree with the conversion.
package manifest
