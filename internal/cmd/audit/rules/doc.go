// Package rules reports what is wrong with the ownership of live objects.
//
// Examine asks each object the rules that need nothing but that object, and what applying
// its manifest gave; Conclude adds what only all objects together show (files without
// managedFields, managers that no longer write).
//
// There is one file for each rule, or for those of one idea: what they are, why they
// matter, their checks, and what they say; rules.go has their order. object.go is an object
// with what is known of its kind, says.go the words and fixes that several rules have. A
// rule reports only what the object proves: a miss is better than a false alarm.
package rules
