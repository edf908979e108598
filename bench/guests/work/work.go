// Package work is what the guests written in Go do, so that the same can be done without a guest.
package work

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

type arguments struct {
	Query string         `json:"query"`
	Limit int            `json:"limit"`
	Opts  map[string]any `json:"opts"`
	Items []item         `json:"items"`
}

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Score float64  `json:"score"`
	Tags  []string `json:"tags,omitempty"`
}

// JSON does what a tool does with its arguments: it decodes them into structures, changes something, sorts, and encodes.
func JSON(input []byte) ([]byte, error) {
	var a arguments
	if err := json.Unmarshal(input, &a); err != nil {
		return nil, err
	}
	a.Limit = len(strings.Fields(a.Query))
	a.Query = strings.ToUpper(a.Query)
	slices.SortStableFunc(a.Items, func(x, y item) int { return int(y.Score - x.Score) })
	return json.Marshal(a)
}

// SHA256 hashes 64 KB and returns the sum as a JSON string.
func SHA256() []byte {
	h := sha256.New()
	block := make([]byte, 4<<10)
	for i := range 16 {
		block[0] = byte(i)
		h.Write(block)
	}
	return []byte(`"` + hex.EncodeToString(h.Sum(nil)) + `"`)
}
