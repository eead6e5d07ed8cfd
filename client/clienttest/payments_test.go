package clienttest_test

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// A payment app that accepts refunds, after it has seen that the platform asks.
func ExampleServer_Refund() {
	ctx := context.Background()
	srv, err := clienttest.Start(clienttest.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	key, err := srv.PaymentKey()
	if err != nil {
		fmt.Println(err)
		return
	}
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !signedBy(key, "https://pay.example/refunds", r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	if err := srv.Partner("https://pay.example", app); err != nil {
		fmt.Println(err)
		return
	}
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		fmt.Println(err)
		return
	}
	call, err := srv.Refund(ctx, charge.TransactionID, client.Cents(1000))
	fmt.Println(call.Status, call.Outcome, err)
	_, err = srv.Refund(ctx, charge.TransactionID, client.Cents(2551))
	fmt.Println(err != nil, len(srv.PaymentCalls()))
	// Output:
	// 202 accepted <nil>
	// true 1
}

// signedBy verifies the signature of a call.
func signedBy(key *rsa.PublicKey, address string, h http.Header, body []byte) bool {
	payload := sha256.Sum256(body)
	digest := sha256.Sum256([]byte(address + "|" + h.Get("X-Timestamp") + "|" + hex.EncodeToString(payload[:])))
	signature, err := base64.StdEncoding.DecodeString(h.Get("X-Signature"))
	return err == nil && rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) == nil
}

// TestPaymentsOfAnApp follows a payment that a customer tries, gives up and gets back.
func TestPaymentsOfAnApp(t *testing.T) {
	ctx := t.Context()
	srv := clienttest.New(t)
	charge, err := srv.Charge(client.Cents(2550))
	if err != nil {
		t.Fatal(err)
	}
	var paid struct {
		ProviderID uuid.UUID `json:"payment_provider_id"`
	}
	path := client.Request{Method: http.MethodGet, Version: client.VersionV1, Path: "/orders/{order_id}/transactions/{id}", Args: []any{charge.OrderID, charge.TransactionID}}
	if err := srv.Client().Do(ctx, path, &paid); err != nil {
		t.Fatal(err)
	}
	provider := paid.ProviderID
	if _, err := srv.CancelPayment(ctx, provider, "try-1"); err == nil {
		t.Error("a cancellation without an address")
	}
	if err := srv.SetPaymentURLs(clienttest.PaymentURLs{Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status"}); err != nil {
		t.Fatal(err)
	}
	asked := 0
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.URL.Path {
		case "/process":
			w.WriteHeader(http.StatusCreated)
		case "/cancel":
			if asked < 4 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		case "/status":
			_, _ = io.WriteString(w, `{"transactions":[]}`)
		case "/refunds":
			_ = clienttest.Spend(r.Context(), 20*time.Second) // its error is the lateness
		}
	})
	if err := srv.Partner("https://pay.example", app); err != nil {
		t.Fatal(err)
	}
	tried, err := srv.ProcessPayment(ctx, clienttest.PaymentAttempt{OrderID: charge.OrderID, ProviderID: provider, MethodType: "credit_card", MethodID: "visa", Amount: client.Cents(100)})
	if err != nil || tried.Outcome != "accepted" || tried.Attempt == "" {
		t.Fatalf("the payment: got %+v, %v", tried, err)
	}
	if c, err := srv.CancelPayment(ctx, provider, tried.Attempt); err != nil || c.Outcome != "failed" || c.Next.IsZero() {
		t.Errorf("the cancellation: got %+v, %v", c, err)
	}
	srv.Clock().Advance(time.Hour)
	if c, err := srv.PaymentStatus(ctx, provider, charge.OrderID); err != nil || c.Outcome != "accepted" || string(c.Answer) != `{"transactions":[]}` {
		t.Errorf("the status: got %+v, %v", c, err)
	}
	if c, err := srv.Refund(ctx, charge.TransactionID, client.Cents(2550)); err != nil || !c.Late || c.Outcome != "failed" {
		t.Errorf("the refund: got %+v, %v", c, err)
	}
	if _, err := srv.RefreshPaymentToken(ctx, provider); err == nil {
		t.Error("a refresh without credentials")
	}
	var kinds []string
	for _, c := range srv.PaymentCalls() {
		kinds = append(kinds, fmt.Sprint(c.Kind, c.Try, c.Status, c.ProviderID == provider))
	}
	if got, want := strings.Join(kinds, " "), "process1 201 true cancel1 503 true cancel2 503 true cancel3 200 true status1 200 true refund1 0 true"; got != want {
		t.Errorf("the calls: got %s, want %s", got, want)
	}
}
