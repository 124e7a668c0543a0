// Package ci shows the findings of the presentation model to systems of
// continuous integration, and knows no command: annotations of GitHub, SARIF for
// code scanning, JUnit for reports of tests. Each gives the most important
// findings first, at their lines.
package ci
