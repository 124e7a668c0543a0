// Package rules reports what is wrong with the ownership of live objects.
//
// The pipeline: Examine asks each object the rules that need nothing but that
// object, and what applying its manifest gave; Conclude adds what only all
// objects together show (files without managedFields, managers that no longer
// write), leaves out what is suppressed, and sorts.
//
//	rules.go             the order of the rules, with their checks
//	object.go            an object with what is known of its kind
//	survey.go            what is gathered over all objects
//	report.go            the answer, of what internal/finding has
//	fix.go               fixes that several rules have
//
// and one file for each rule, or for those that one check finds: what it is, why it
// matters, its check, and what it says. A rule reports only what the object
// proves: a miss is better than a false alarm.
package rules
