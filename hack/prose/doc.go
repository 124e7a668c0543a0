// Package prose holds help, output and documentation to the words of banned.txt. It has
// only a test.
package prose
