// Package crds generates CustomResourceDefinitions of the size and shape that
// controller-gen gives those of large operators: schemas ten levels deep, two thirds of
// them descriptions. Equal seeds give equal definitions.
//
//	definition.go  the definition around its schemas
//	schema.go      structural schemas of a given size
//	prose.go       descriptions
package crds
