package payments

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	origin = "https://pay.example"
	refund = `{"store_id":123,"payment_provider_id":"4dd2c2ba-9a2b-4d61-a1d1-0f7b4f1f5a11","transaction_id":"02aaa5c6-080a-40e9-a61f-90ca2150d6a2","amount":{"value":"10.00","currency":"BRL"}}`
)

// keyOf returns a key of the platform; making one takes long.
var keyOf = sync.OnceValue(func() *rsa.PrivateKey { return newKey(2048) })

func newKey(bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err)
	}
	return key
}

// sign signs as the contract says: URL|timestamp|hex SHA-256 of the compact JSON payload.
func sign(t *testing.T, key crypto.Signer, address, stamp, payload string) string {
	t.Helper()
	body := sha256.Sum256([]byte(payload))
	text := sha256.Sum256([]byte(address + "|" + stamp + "|" + hex.EncodeToString(body[:])))
	signature, err := key.Sign(nil, text[:], crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(signature)
}

// signed returns a call of the platform, signed now.
func signed(t *testing.T, method, target, payload string) *http.Request {
	t.Helper()
	return signedBy(t, keyOf(), method, target, payload)
}

func signedBy(t *testing.T, key crypto.Signer, method, target, payload string) *http.Request {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(payload))
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set(TimestampHeader, stamp)
	r.Header.Set(SignatureHeader, sign(t, key, origin+target, stamp, payload))
	return r
}

// failures collects what a handler reports.
type failures struct {
	mu   sync.Mutex
	list []*Failure
}

func (f *failures) report(_ context.Context, x *Failure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, x)
}

// all returns the failures so far.
func (f *failures) all() []*Failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.list)
}

func (f *failures) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, x := range f.list {
		all = append(all, x.Error())
	}
	return strings.Join(all, "; ")
}

func configured(f *failures) Callback {
	return Callback{Keys: []*rsa.PublicKey{&keyOf().PublicKey}, Origin: origin, OnFailure: f.report, Logger: slog.New(slog.DiscardHandler)}
}

func ask(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func headers(stamp, signature string) http.Header {
	return http.Header{TimestampHeader: {stamp}, SignatureHeader: {signature}}
}
