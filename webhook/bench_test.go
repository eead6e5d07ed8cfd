package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// BenchmarkVerify compares with the floor, an HMAC whose state is reused.
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

// BenchmarkHandler compares with the floor, a handler that only reads the body.
func BenchmarkHandler(b *testing.B) {
	var events Registry
	On(&events, OrderPaid, func(context.Context, Delivery[Entity]) error { return nil })
	signature := Sign(testSecret, []byte(paidBody))
	for name, h := range map[string]http.Handler{
		"floor":  http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) }),
		"direct": &Handler{Secrets: secrets(1), Registry: &events},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(paidBody))
				r.Header.Set(SignatureHeader, signature)
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
