package managedfields

import "testing"

func TestFieldOfSecret(t *testing.T) {
	for field, want := range map[string]string{
		".":                                   ".",
		".data.tls.crt":                       ".data.tls.crt",
		`.data[="hunter2"]`:                   ".data[=***]",
		`.data.a[name="hunter2"].b`:           ".data.a[***]",
		`.Data[0]`:                            ".Data[***]",
		`[="hunter2"]`:                        "[=***]",
		`.metadata.finalizers[="protection"]`: `.metadata.finalizers[="protection"]`,
	} {
		if got := FieldOfSecret(field); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
	for field, want := range map[string]bool{".type": true, ".metadata": true, ".metadata.labels.a": true, ".data": false, ".token": false, ".": false} {
		if got := ShownOfSecret(field); got != want {
			t.Errorf("%s: %v, want %v", field, got, want)
		}
	}
}
