// Package custom serves custom resources.
//
//	custom.go       the kinds that definitions define, and those that nobody defines
//	definitions.go  what defines them, read when it is first asked for; definition.go one
//	serving.go      the handler of a version; types.go its merge type
//	nameable.go     which names a definition can have
//	unknown.go      kinds that nobody defines
package custom
