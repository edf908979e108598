package main

import (
	cryptorand "crypto/rand"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"math/big"
	mathrand "math/rand"
	mathrandv2 "math/rand/v2"
	"strings"

	"github.com/wasmtools/wasmtools/sdk-guest/raw"
)

// These are made once, while the module initialises.
var (
	earlyReader    = cryptorand.Reader
	earlyGenerator = mathrand.New(mathrand.NewSource(mathrand.Int63()))
	earlySeed      = maphash.MakeSeed()
	earlyMap       = tenElements()
)

// random returns a few random numbers, or what depends on them. The input says where they come from.
func random(_ raw.Context, input []byte) raw.Result {
	var b [16]byte
	switch string(input) {
	case "crypto/rand":
		_, err := cryptorand.Read(b[:])
		return text(hex.EncodeToString(b[:]), err)
	case "crypto/rand.Int":
		n, err := cryptorand.Int(cryptorand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
		return text(n, err)
	case "crypto/rand.Reader, kept":
		_, err := earlyReader.Read(b[:])
		return text(hex.EncodeToString(b[:]), err)
	case "math/rand":
		return text(mathrand.Int63(), nil)
	case "math/rand/v2":
		return text(mathrandv2.Uint64(), nil)
	case "maphash.MakeSeed":
		return text(maphash.String(maphash.MakeSeed(), "text"), nil)
	case "map":
		return text(order(tenElements()), nil)
	case "map, kept":
		return text(order(earlyMap), nil)
	case "rand.Rand, kept":
		return text(earlyGenerator.Int63(), nil)
	case "maphash.Seed, kept":
		return text(maphash.String(earlySeed, "text"), nil)
	}
	return raw.BadArguments(0, "unknown source")
}

func text(v any, err error) raw.Result {
	if err != nil {
		return raw.Failed(0, err.Error())
	}
	return raw.Text(fmt.Sprint(v))
}

func tenElements() map[int]bool {
	m := map[int]bool{}
	for i := range 10 {
		m[i] = true
	}
	return m
}

func order(m map[int]bool) string {
	var keys strings.Builder
	for key := range m {
		fmt.Fprint(&keys, key)
	}
	return keys.String()
}
