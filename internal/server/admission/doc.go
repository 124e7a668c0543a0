// Package admission runs the admission plug-ins of a server over the given objects.
//
//	chain.go        the plug-ins in the server's order; plugins.go those on by default,
//	                plugins_optional.go those that run only when told to, distributions.go
//	                those of a distribution
//	record.go       what the plug-ins of one call did and could not do
//	assumable.go    what is assumed not to be in the cluster
//	judges.go       the policies and webhooks in force
//	policies.go     admission policies; policy_worlds.go and policy_discretion.go mask what
//	                they make of values of Secrets
//	webhooks.go     webhooks, which are not called
package admission
