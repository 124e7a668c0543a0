// Package gotree goes between JSON trees and Go values without text: Read makes a value
// of a tree as the API machinery's converter does, and Writes compares a tree with what
// encoding/json would write of a value. Append writes it as encoding/json does, without
// going again through what is written already. All are true only where they are sure.
package gotree
