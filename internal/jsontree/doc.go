// Package jsontree reads JSON into the trees that the API machinery works on
// (maps, lists, strings, booleans, null, int64 and float64), compares a text with
// a tree without reading it into one, and finds and replaces parts of a text by
// their path.
//
// The law: Decode gives what k8s.io/apimachinery/pkg/util/json.Unmarshal gives,
// errors included; Equal is true only where the tree of the text would be
// deeply equal to the other one.
package jsontree
