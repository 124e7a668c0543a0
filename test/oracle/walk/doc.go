// Package walk makes random writes out of recorded ones: several managers take
// turns at one object, by every kind of write, with bodies that are recorded
// bodies changed a little. The same seed gives the same walk as long as the
// server answers the same.
package walk
