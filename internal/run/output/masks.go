package output

import "fmt"

// objectFormats are those of objects, which people give to other programs.
var objectFormats = []string{"yaml", "json"}

// maskedNote says that what is printed has masks; nil where it has none.
func maskedNote(masks map[string]bool) []string {
	switch len(masks) {
	case 0:
		return nil
	case 1:
		return []string{"1 value of a Secret is masked; --show-secrets prints it"}
	}
	return []string{fmt.Sprintf("%d values of Secrets are masked; --show-secrets prints them", len(masks))}
}
