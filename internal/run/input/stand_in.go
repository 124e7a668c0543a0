package input

// standIn says what stands for live values that cannot be compared.
type standIn int

const (
	// TheManifest is what is to be written.
	TheManifest standIn = iota
	// ThePatch is what is written where manifests only name the objects.
	ThePatch
	// Nothing is where nothing is written, or it is compared in another way.
	Nothing
)
