// Package jsontree reads JSON into the trees that the API machinery works on
// (maps, lists, strings, booleans, null, int64 and float64), compares a text with
// a tree without reading it into one, finds and replaces parts of a text by
// their path, and drops the white space of a text. It stands in for libraries where
// most of a large run is spent, and for nothing but speed.
//
// The laws, each of them fuzzed: Decode gives what
// k8s.io/apimachinery/pkg/util/json.Unmarshal gives, errors included (what is seldom,
// or wrong, is handed on to it); Equal is true only where the tree of the text would
// be deeply equal to the other one; Texts and AppendCompact do to a valid text what
// encoding/json does.
//
// What it gains (BenchmarkLibrary, a live Deployment, best of three in one sitting,
// and whole runs of 5,000 small Deployments that change nothing, in pairs):
//
//	Decode         3 times as fast as json.Unmarshal of util/json; without it a
//	               run takes 1.2 times the processor time
//	Equal          10 times as fast as reading the text and comparing two trees;
//	               without both a run takes 1.3 times as long
//	Texts          2.5 times as fast as encoding/json into raw messages
//	AppendCompact  8.7 times as fast as json.Compact; a run on a JSON dump takes
//	               0.87 of the time that it takes with the indentation left in
//
//	decode.go   trees, by the tokens of document/scan; texts that come over and over
//	equal.go    comparing, and having trees share their memory
//	texts.go    parts of a text, and a text without its white space
package jsontree
