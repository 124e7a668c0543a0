// Package packed holds texts in little memory until they are needed: the
// objects of a large dump, of which most of the bytes are indentation and names
// that come again and again. It compresses them, and puts them into a file that
// nobody else sees.
package packed
