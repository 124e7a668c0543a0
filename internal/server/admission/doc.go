// Package admission runs the admission plug-ins of a server over the given objects.
//
//	chain.go        the plug-ins in the server's order; plugins.go lists them, plugins_own.go
//	                has those that complete upstream's
//	record.go       what the plug-ins of one call did and could not do
//	judges.go       the policies and webhooks in force, and what is assumed to be absent
//	policies.go     admission policies; policy_worlds.go and policy_discretion.go mask what
//	                they make of values of Secrets
//	webhooks.go     webhooks, which are not called
package admission
