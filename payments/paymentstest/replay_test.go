package paymentstest_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// The address that is signed is the recorded one, or that of Origin, with the query; without a key nothing is sent.
func TestSignedAddress(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	accepts := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	var file strings.Builder
	recorder := &paymentstest.Recorder{Handler: accepts, Out: &file}
	r := httptest.NewRequest(http.MethodPost, "https://pay.example/cancel?payment_attempt_id=1c1e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10", nil)
	recorder.ServeHTTP(httptest.NewRecorder(), r)
	refresh := `{"grant_type":"refresh_token","client_id":"1","client_secret":"hunter2","refresh_token":"hunter2"}`
	recorder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/token", strings.NewReader(refresh)))
	if got := file.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"host":"pay.example"`) {
		t.Fatalf("recorded %s", got)
	}
	var signed []string
	sees := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for _, origin := range []string{"https://pay.example", "https://desk.example"} {
			nothing := sha256.Sum256(nil)
			text := origin + r.URL.RequestURI() + "|" + r.Header.Get("X-Timestamp") + "|" + hex.EncodeToString(nothing[:])
			digest := sha256.Sum256([]byte(text))
			signature, _ := base64.StdEncoding.DecodeString(r.Header.Get("X-Signature"))
			if rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest[:], signature) == nil {
				signed = append(signed, origin)
			}
		}
	})
	each := func(r paymentstest.Result) error {
		if r.Record.Operation != "cancel" || len(r.Changes) > 0 {
			t.Errorf("got %+v", r)
		}
		return nil
	}
	for _, to := range []paymentstest.Sender{{Handler: sees, Key: key}, {Handler: sees, Key: key, Origin: "https://desk.example"}} {
		if err := paymentstest.Replay(t.Context(), strings.NewReader(file.String()), to, each); err != nil {
			t.Error(err)
		}
	}
	err = paymentstest.Replay(t.Context(), strings.NewReader(file.String()), paymentstest.Sender{Handler: sees}, each)
	if err == nil || !strings.Contains(err.Error(), "line 1: Sender.Key must be set") || !slices.Equal(signed, []string{"https://pay.example", "https://desk.example"}) {
		t.Errorf("got %v, signed %v", err, signed)
	}
}
