// Package fieldtree edits JSON trees by field path: an object, a manifest, an
// applied configuration. How lists are cut into items is the shape's to say.
package fieldtree
