// Package blame shows who owns which field next to the fields: as YAML with owners in the
// margin, as a tree, or as a table.
package blame
