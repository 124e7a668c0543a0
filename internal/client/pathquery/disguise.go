package pathquery

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
)

// disguises are an object with other values in place of those of Secrets, in several ways:
// equal ones stay equal, and those of the literals are what an expression may compare with.
// Nil where it has none.
func disguises(object map[string]any, disguise api.Disguise, literals []string) []map[string]any {
	var ways []func(number int) string
	for _, length := range [...]int{1, 3, 5, 8, 12, 16, 24, 33, 40, 200} {
		ways = append(ways, func(number int) string {
			sum := sha256.Sum256(fmt.Append(nil, length, number))
			text := strings.Repeat(base64.StdEncoding.EncodeToString(sum[:]), 1+length/40)[:length]
			return text + strconv.Itoa(number)
		})
	}
	for _, text := range literals {
		ways = append(ways, func(int) string { return text })
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
			ways = append(ways, func(int) string { return string(plain) })
		}
	}
	var out []map[string]any
	for _, way := range ways {
		numbers := map[string]int{}
		disguised, has := disguise(object, func(plain string) string {
			if _, known := numbers[plain]; !known {
				numbers[plain] = len(numbers)
			}
			return way(numbers[plain])
		})
		if !has {
			return nil
		}
		out = append(out, disguised)
	}
	return out
}
