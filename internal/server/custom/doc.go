// Package custom serves custom resources.
//
//	custom.go       the kinds that definitions define
//	definitions.go  what defines them, read when it is first asked for; definition.go one
//	serving.go      the handler of a version, and its merge type
//	unknown.go      kinds that no definition is given of
package custom
