// Command site makes a static site of the documentation: README.md, and each page of
// docs/, with navigation. It needs no script and nothing from elsewhere.
//
//	go run ./hack/site [-C REPOSITORY] DIRECTORY
//
// Pages are read (page.go), their links pointed at where things are in the site, or in
// the repository (links.go), and written in one layout (layout.go). A link that leads
// nowhere, or a page that is not in the navigation (nav.go), is an error.
package main
