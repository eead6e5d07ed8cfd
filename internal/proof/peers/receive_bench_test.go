package peers

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v92/github"
	"github.com/stripe/stripe-go/v85"
	stripehook "github.com/stripe/stripe-go/v85/webhook"
	svix "github.com/svix/svix-webhooks/go"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// BenchmarkReceive serves a signed delivery of 200 bytes by the handler that each module leads to: read, verify,
// decode, answer. Ours is the one of this module as it is, with its deadlines and its guard against late handlers.
func BenchmarkReceive(b *testing.B) {
	const secret = "c2VjcmV0LW9mLXRoZS1hcHA=" // that of Svix is in Base64
	body := fmt.Sprintf(`{"store_id":123,"event":"order/paid","id":871254203,"note":"%s"}`, strings.Repeat("x", 135))

	var events webhook.Registry
	webhook.On(&events, webhook.OrderPaid, func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
	b.Run("ours", receive(&webhook.Handler{Secrets: []client.Secret{secret}, Registry: &events}, body, http.Header{
		http.CanonicalHeaderKey(webhook.SignatureHeader): {webhook.Sign(secret, []byte(body))},
	}))

	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	b.Run("go-github", receive(answering(func(r *http.Request) error {
		payload, err := github.ValidatePayload(r, []byte(secret))
		if err != nil {
			return err
		}
		_, err = github.ParseWebHook("push", payload)
		return err
	}), body, http.Header{
		github.SHA256SignatureHeader: {"sha256=" + hex.EncodeToString(mac.Sum(nil))},
	}))

	event := fmt.Sprintf(`{"id":"evt_1","object":"event","api_version":%q,"type":"charge.succeeded",`+
		`"data":{"object":{"id":"ch_1","note":"%s"}}}`, stripe.APIVersion, strings.Repeat("x", 65))
	stripeMark := stripehook.GenerateTestSignedPayload(&stripehook.UnsignedPayload{Payload: []byte(event), Secret: secret})
	b.Run("stripe-go", receive(answering(func(r *http.Request) error {
		payload, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		_, err = stripehook.ConstructEvent(payload, r.Header.Get("Stripe-Signature"), secret)
		return err
	}), event, http.Header{
		"Stripe-Signature": {stripeMark.Header},
	}))

	hook, err := svix.NewWebhook(secret)
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	mark, err := hook.Sign("msg_1", now, []byte(body))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("svix", receive(answering(func(r *http.Request) error {
		payload, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		if err := hook.Verify(payload, r.Header); err != nil {
			return err
		}
		return json.Unmarshal(payload, new(webhook.Entity))
	}), body, http.Header{
		"Svix-Id": {"msg_1"}, "Svix-Timestamp": {fmt.Sprint(now.Unix())}, "Svix-Signature": {mark},
	}))
}

// answering is a handler that answers 200 if take did.
func answering(take func(*http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := take(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
}

func receive(h http.Handler, body string, header http.Header) func(*testing.B) {
	return func(b *testing.B) {
		header.Set("Content-Type", "application/json")
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.Header = header
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatal(w.Code, w.Body)
			}
		}
	}
}
