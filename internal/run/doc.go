// Package run is what every command does around its question: it loads the inputs, asks
// about each subject in parallel, shows the answers and gives the verdict.
//
//	runner.go   a question, and the audience of its answers
//	inquiry.go  a question whose answers make one document
//
// Below it: app is what a run shares with others, input the flags of what is read,
// cluster the manifests and live objects with a server that knows them, output where
// answers go.
package run
