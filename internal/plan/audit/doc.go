// Package audit reports what is wrong with the ownership of live objects.
//
// The pipeline: Examine asks each object the rules that need nothing but that
// object, and what applying its manifest gave; Conclude adds what only all
// objects together show (files without managedFields, managers that no longer
// write), leaves out what is suppressed, and sorts.
//
//	rules.go             the rules, and what each is about
//	object.go            an object with what is known of its kind
//	survey.go            what is gathered over all objects
//	report.go            the answer, of what internal/plan/findings has
//	fix.go               commands that fix
//
// and one file for each family of rules. A rule tells only what the object
// proves: a miss is better than a false alarm.
package audit
