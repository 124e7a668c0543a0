// Package kustomize builds kustomizations as 'kubectl kustomize' of the same
// release does, through kustomize's own library, and gives the objects as
// documents that stand where they come from.
//
// What kustomize could do besides is taken from it: it opens no connection and
// runs no program (offline.go), it reads regular files only, within bounds, and
// writes none (files.go). What asks for more is refused at its line (check.go).
//
// A kustomization is built twice: the objects are those of the first build, as
// kubectl has them; the second build records origins, and only these
// are taken from it (origin.go).
package kustomize
