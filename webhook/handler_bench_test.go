package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// BenchmarkVerify compares with the floors: an HMAC whose state is reused, and the hash alone.
func BenchmarkVerify(b *testing.B) {
	for _, size := range []int{200, 64 << 10} {
		body := []byte(strings.Repeat("x", size))
		header := []string{Sign(testSecret, body)}
		b.Run(fmt.Sprintf("floor/%d", size), func(b *testing.B) {
			mac := hmac.New(sha256.New, []byte(testSecret))
			var sum [sha256.Size]byte
			b.ReportAllocs()
			for b.Loop() {
				mac.Reset()
				mac.Write(body)
				mac.Sum(sum[:0])
			}
		})
		b.Run(fmt.Sprintf("hash/%d", size), func(b *testing.B) {
			for b.Loop() {
				if sha256.Sum256(body) == [sha256.Size]byte{} {
					b.Fatal("no hash")
				}
			}
		})
		b.Run(fmt.Sprintf("verify/%d", size), func(b *testing.B) {
			v := newVerifier([]client.Secret{testSecret})
			b.ReportAllocs()
			for b.Loop() {
				if !v.accepts(header, body) {
					b.Fatal("not accepted")
				}
			}
		})
	}
}

// BenchmarkVerifyTiming compares signatures of which the first byte is wrong with those of which the last is: what a
// stranger would have to tell apart to guess one byte after the other. That nothing differs is for
// the static check of internal/contract to say; clocks are too rough.
func BenchmarkVerifyTiming(b *testing.B) {
	const verifications = 100_000
	body := []byte(paidBody)
	wrong := func(at int) []string {
		signature := []byte(Sign(testSecret, body))
		signature[at] = "10"[min(signature[at]-'0', 1)] // another digit, whichever it is
		return []string{string(signature)}
	}
	v := newVerifier([]client.Secret{testSecret})
	headers := [2][]string{wrong(0), wrong(2*sha256.Size - 1)}
	took := [2][]time.Duration{make([]time.Duration, verifications), make([]time.Duration, verifications)}
	var medians [2]float64
	for b.Loop() {
		for i := range verifications {
			for n, header := range headers { // in turn, so that a slow moment is slow for both
				began := time.Now()
				accepted := v.accepts(header, body)
				took[n][i] = time.Since(began)
				if accepted {
					b.Fatalf("accepted %q", header)
				}
			}
		}
		for n := range took {
			slices.Sort(took[n])
			medians[n] = float64(took[n][verifications/2])
		}
	}
	b.ReportMetric(medians[0], "first-ns")
	b.ReportMetric(medians[1], "last-ns")
	b.ReportMetric(100*(medians[1]-medians[0])/medians[0], "%-apart")
}

func BenchmarkRead(b *testing.B) {
	read := newReader("").read
	b.ReportAllocs()
	for b.Loop() {
		if m := read([]byte(paidBody), time.Time{}); m.flaw != nil {
			b.Fatal(m.flaw)
		}
	}
}
