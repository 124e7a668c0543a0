// Package ssatest gives tests of controllers and clients a real API server: that of 'ssactl
// serve', over objects in memory, ready in about a second. It is started once for all tests of
// a package that ask for the same, and reset between them.
//
//	func TestTakesNoFieldOfHelm(t *testing.T) {
//		c := ssatest.Start(t, ssatest.Files("testdata/helm.yaml"))
//		reconcile(t, c.Config)
//		c.AssertTakesNothingFrom("helm")
//	}
//
// The program is the one that the variable SSACTL names, or ssactl in PATH; without either it is
// built once, and kept in the user's cache. Tests of one package that share a server must not
// run in parallel.
//
//	start.go    a server for a test; options.go what it has; program.go its program
//	cluster.go  requests of the assertions
//	assert.go   who owns, takes and would conflict; golden.go managed fields in files
//	fields.go   managed fields as paths
package ssatest
