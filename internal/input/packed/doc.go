// Package packed holds texts in little memory until they are needed: the
// objects of a large dump, where most bytes are indentation and repeated names. It compresses them, and puts them into a file that
// nobody else sees.
package packed
