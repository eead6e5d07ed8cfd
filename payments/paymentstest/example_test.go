package paymentstest_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
)

// refunds begins refunds up to an amount.
func refunds(key *rsa.PrivateKey, most string) http.Handler {
	return &payments.RefundHandler{
		Callback: payments.Callback{Keys: []*rsa.PublicKey{&key.PublicKey}, Origin: "https://pay.example"},
		Refund: func(_ context.Context, r payments.RefundRequest) error {
			if r.Amount.Value.Cmp(client.MustMoney(most)) > 0 {
				return payments.RefundRefusalRejected
			}
			return nil
		},
	}
}

// call is one for a refund, signed as the platform signs it.
func call(key *rsa.PrivateKey, transaction int, amount string) *http.Request {
	body := fmt.Sprintf(`{"store_id":1,"payment_provider_id":"0b0e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10",`+
		`"transaction_id":"1c1e2c52-5f0e-4d3a-9a55-3c1d6c1f7a1%d","amount":{"value":%q,"currency":"ARS"},"note":"Ana asked"}`, transaction, amount)
	r := httptest.NewRequest(http.MethodPost, "https://pay.example/refund", strings.NewReader(body))
	if err := paymentstest.Sign(r.Header, key, "https://pay.example/refund", []byte(body), time.Now()); err != nil {
		panic(err)
	}
	return r
}

func ExampleReplay() {
	platform, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	recorder := &paymentstest.Recorder{Handler: refunds(platform, "100.00"), Out: &file}
	recorder.ServeHTTP(httptest.NewRecorder(), call(platform, 1, "20.00"))
	recorder.ServeHTTP(httptest.NewRecorder(), call(platform, 2, "80.00"))
	fmt.Println(strings.Contains(file.String(), "Ana"), recorder.Err())

	desk, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	to := paymentstest.Sender{Handler: refunds(desk, "50.00"), Key: desk}
	err = paymentstest.Replay(context.Background(), &file, to, func(r paymentstest.Result) error {
		fmt.Println(r.Record.Operation, r.Status, r.Changes)
		return nil
	})
	fmt.Println(err)
	// Output:
	// false <nil>
	// refund 202 []
	// refund 422 [status: 422, was 202 error_code: refund_rejected, was nothing]
	// <nil>
}
