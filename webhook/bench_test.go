package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
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
				if !v.verify(header, body) {
					b.Fatal("not accepted")
				}
			}
		})
	}
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
