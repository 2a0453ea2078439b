package gate_test

import (
	"hash/crc32"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"taskmarket/server/gate"
)

// withChecksum returns the key with a valid checksum for its other digits.
func withChecksum(key string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	body := key[:len(key)-7]
	sum, text := crc32.ChecksumIEEE([]byte(body)), ""
	for range 6 {
		text, sum = string(digits[sum%62])+text, sum/62
	}
	return body + "_" + text
}

const (
	// usualSamples is the number of measured requests with each kind of key, unless
	// TASKMARKET_TEST_SAMPLES sets another number.
	usualSamples = 1000
	// maxDeviation is the largest permitted relative difference between the medians at 10,000 samples. The
	// error of a median decreases with the square root of the number of samples.
	maxDeviation = 0.01
)

// A key that differs from a valid one only in its last digits is refused as fast as a random key, so
// the duration does not reveal how many digits are right. A machine that also runs other tests is
// noisy, so the test compares the medians up to three times.
//
// It does not run in parallel, because it measures durations.
func TestSimilarKeysAreRefusedAsFastAsOthers(t *testing.T) {
	r := newRig(t)
	key, handler := r.agent().key, r.handler
	var similar, random []string
	for i := 0; len(similar) < 50; i++ { // differs in the last two digits of the secret
		candidate := withChecksum(key[:45] + string(rune('a'+i%25)) + string(rune('A'+i/25)) + key[47:])
		if candidate == key {
			continue
		}
		if _, ok := gate.HashAPIKey(candidate); !ok {
			t.Fatalf("%s is not a possible key", candidate)
		}
		similar, random = append(similar, candidate), append(random, gate.NewAPIKey())
	}
	samples := numberOf(t, "TASKMARKET_TEST_SAMPLES", usualSamples)
	limit := maxDeviation * math.Sqrt(math.Max(1, 10_000/float64(samples))) * 3
	if samples >= 10_000 {
		limit = maxDeviation
	}
	var deviation float64
	for range 3 {
		var took [2][]time.Duration
		for i := range 2 * samples {
			kind := (i + i/2) % 2 // the order alternates from pair to pair
			candidate := [][]string{similar, random}[kind][i/2%len(random)]
			took[kind] = append(took[kind], timed(t, handler, candidate))
		}
		one, other := median(took[0]), median(took[1])
		deviation = math.Abs(float64(one-other)) / float64(other)
		t.Logf("%d samples: median %s with a similar key, %s with a random one", samples, one, other)
		if deviation < limit {
			return
		}
	}
	t.Errorf("the medians differ by %.1f %%, want less than %.1f %%", 100*deviation, 100*limit)
}

// timed returns the duration of a request with a key that is not valid.
func timed(t *testing.T, handler http.Handler, key string) time.Duration {
	t.Helper()
	request, response := httptest.NewRequest(http.MethodGet, "/api/v1/tasks/", http.NoBody), httptest.NewRecorder()
	request.Header.Set("X-API-Key", key)
	began := time.Now()
	handler.ServeHTTP(response, request)
	took := time.Since(began)
	if response.Code != http.StatusUnauthorized {
		t.Fatalf("an invalid key = %d %s", response.Code, response.Body)
	}
	return took
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}
