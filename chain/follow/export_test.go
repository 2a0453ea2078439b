package follow

import (
	"github.com/ethereum/go-ethereum/core/types"
)

// FullBloom and BitsOf let tests check that the bloom filters of their blocks are full.
const FullBloom = fullBloom

// BitsOf counts the set bits.
func BitsOf(bloom types.Bloom) int { return bitCount(bloom) }
