// Package manifest reads Kubernetes objects as people have them (files,
// directories, standard input; YAML and JSON; streams, Lists, gzip) into
// documents that know where they came from.
//
// The pipeline, each stage in one file:
//
//	paths (inputs.go) -> text (open.go) -> what is held of it (document/scan)
//	  -> YAML documents (yaml.go), items of Lists by their dashes (yamllist.go)
//	  -> JSON values, items of Lists (json.go)
//	  -> pieces, converted within bounds (convert.go) unless their lines say
//	     enough (quick.go), checked (mistakes.go) and given (give.go)
//	  -> Document (document.go) with places of its fields (locate.go)
//
// The bytes of a document are cut, never re-written: how the API server reads
// YAML is part of what it answers. Only the items of a List that cannot be cut
// as bytes (flow style, anchors shared between items), and those of typed Lists
// that leave out their kind, are encoded anew; their fields are located in the
// file anyway.
//
// Memory is bounded by Options.MaxDocumentBytes, not by the size of a file: Lists are cut
// item by item while they are read. What Options.Want does not want is skipped by its lines
// or tokens, without being decoded. What is doubtful may be looked up again in a file
// (reader.again), where it counts only if it is the same; of a stream, the rest of a YAML
// List behind a doubtful item is held, up to the limit.
//
// A malformed document costs itself, as does an item of a YAML List: the next one is found
// by its separator, its line or its dash. A mistake within a JSON List ends the file.
package manifest
