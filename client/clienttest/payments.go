package clienttest

import (
	"context"
	"crypto/rsa"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// PaymentURLs are the addresses at which the platform calls the app about payments. They are configured per app. The
// platform does not call an empty address. It rejects an address that a webhook may not have at the time of the call.
// The address for refunds is the refund_url in the info of each transaction.
type PaymentURLs struct {
	// Process takes a payment, Cancel cancels one, and Status returns the transactions of an order.
	Process, Cancel, Status string
}

// SetPaymentURLs configures the app. Put a handler at their origin with Partner.
func (s *Server) SetPaymentURLs(urls PaymentURLs) error {
	app, _ := reference(s).World().App(s.app.ID)
	app.Payments = world.PaymentURLs(urls)
	_, err := s.platform.AddApp(app)
	return err
}

// PaymentKey returns the public key that verifies the calls about payments. The signature is in the header X-Signature:
// RSA-SHA256 (PKCS #1 v1.5, in Base64) over URL|timestamp|hexadecimal SHA-256 of the body. The timestamp is that of
// X-Timestamp. Each server generates a key of its own.
func (s *Server) PaymentKey() (*rsa.PublicKey, error) { return reference(s).Payments().PublicKey() }

// PaymentAttempt is an attempt of a customer to pay an order.
type PaymentAttempt struct {
	OrderID client.ID // the order to be paid
	// ProviderID is a provider of the app. It must offer the method and the currency of the order, and be enabled.
	ProviderID uuid.UUID
	// MethodType is for example credit_card, MethodID for example visa or empty.
	MethodType, MethodID string
	// Amount is above 0, with at most two decimals, in the currency of the order.
	Amount client.Money
}

// ProcessPayment asks the app to take a payment, by a POST to PaymentURLs.Process. The platform generates the id of the
// attempt, which is in the record of the call, and requires an answer of 201. The app creates the transaction, with
// that id in payment_attempt_id.
//
// As with the other payment calls, an error means that no request could be sent, for example because the order does not
// exist, or that ctx has ended. The record holds the app's answer or failure. Answers do not change transactions or
// orders; only events that the app reports over the API do.
func (s *Server) ProcessPayment(ctx context.Context, a PaymentAttempt) (PaymentCall, error) {
	return called(reference(s).Payments().Process(ctx, s.store, payment.Attempt{
		Order: int64(a.OrderID), Provider: a.ProviderID.String(), MethodType: a.MethodType, MethodID: a.MethodID, Amount: a.Amount.Decimal(),
	}))
}

// CancelPayment asks the app to cancel a payment attempt, by a POST to PaymentURLs.Cancel with ?payment_attempt_id=. It
// returns the first call. The call is retried by the server's clock until an answer is 200: after 1 second, and then
// after twice the previous time. The record's Next is the time of the next call, and PaymentCalls lists all calls.
func (s *Server) CancelPayment(ctx context.Context, provider uuid.UUID, attempt string) (PaymentCall, error) {
	return called(reference(s).Payments().Cancel(ctx, s.store, provider.String(), attempt))
}

// PaymentStatus asks the app for its transactions of an order, by a GET of
// PaymentURLs.Status with ?order_id=. They are in the Answer.
func (s *Server) PaymentStatus(ctx context.Context, provider uuid.UUID, order client.ID) (PaymentCall, error) {
	return called(reference(s).Payments().Status(ctx, s.store, provider.String(), int64(order)))
}

// Refund asks the app to refund an amount of a transaction, by a POST to the refund_url of the transaction. The app
// answers 202 and later reports an event of type refund, or answers 422 with an error code. The transaction must be
// paid, and the amount must not exceed the part that is not yet refunded. A smaller amount requires
// supports_partial_refund.
func (s *Server) Refund(ctx context.Context, transaction uuid.UUID, amount client.Money) (PaymentCall, error) {
	return called(reference(s).Payments().Refund(ctx, s.store, transaction.String(), amount.Decimal()))
}

// ReviewPayment accepts or cancels a transaction that needs review, as the merchant does. It sends a POST to the
// accept_url or the cancel_url in the info of the last event of type needs_merchant_review, which must not have
// expired. The call is not signed. Any 2xx accepts it; the app reports the event that follows.
func (s *Server) ReviewPayment(ctx context.Context, transaction uuid.UUID, accept bool) (PaymentCall, error) {
	return called(reference(s).Payments().Review(ctx, s.store, transaction.String(), accept))
}

// RefreshPaymentToken gets new credentials of a provider, by a POST to the refresh_token_url of its authentication.
// Other calls do so automatically if the credentials have expired.
func (s *Server) RefreshPaymentToken(ctx context.Context, provider uuid.UUID) (PaymentCall, error) {
	return called(reference(s).Payments().Refresh(ctx, s.store, provider.String()))
}

// PaymentCall is one call to the app about payments.
type PaymentCall struct {
	At time.Time // time of the call, by the server's clock
	// Kind is refund, process, cancel, status, refresh, accept_review or cancel_review.
	Kind       string
	ProviderID uuid.UUID // the provider
	// Attempt is the payment attempt, empty if there is none.
	Attempt string
	// Try counts the calls of one cancellation from 1; other calls have 1.
	Try         int
	Method, URL string // of the request
	// Timestamp and Signature are the headers. A refresh and a review are not signed.
	Timestamp, Signature string
	// Request and Answer are the bodies. They are empty for a refresh, whose bodies are secrets.
	Request, Answer []byte
	// Status is 0 if there was no answer.
	Status int
	// Late is set if there was no answer within 20 seconds of the server's clock. A handler can let them pass with
	// Spend.
	Late     bool
	Duration time.Duration // time until the answer, by the server's clock
	// Outcome is accepted, rejected or failed. A refund is rejected if the answer has one of the four error codes.
	// Every other answer, and none, is failed.
	Outcome string
	// ErrorCode is the code of a rejected refund, for example refund_already_in_process.
	ErrorCode string
	// Unread names the members of an answer that the platform does not read. The transactions of a status, and answers
	// to a payment or a cancellation, may have any members.
	Unread []string
	// Reason describes why the call was not accepted; empty if it was.
	Reason string
	// Next is when a cancellation is retried; zero if it is not.
	Next time.Time
}

// PaymentCalls returns the last 10,000 calls to payment apps, the oldest first.
func (s *Server) PaymentCalls() []PaymentCall {
	var all []PaymentCall
	for _, c := range reference(s).Payments().Calls() {
		if c.Store == s.store {
			all = append(all, paymentCall(c))
		}
	}
	return all
}

func called(c payment.Call, err error) (PaymentCall, error) {
	if err != nil {
		return PaymentCall{}, fmt.Errorf("clienttest: %w", err)
	}
	return paymentCall(c), nil
}

func paymentCall(c payment.Call) PaymentCall {
	provider, _ := uuid.Parse(c.Provider) // made by the platform
	return PaymentCall{
		At: c.At, Kind: string(c.Kind), ProviderID: provider, Attempt: c.Attempt, Try: c.Try, Method: c.Method, URL: c.URL,
		Timestamp: c.Timestamp, Signature: c.Signature, Request: slices.Clone(c.Request), Answer: slices.Clone(c.Answer), Status: c.HTTPStatus,
		Late: c.Late, Duration: c.Duration, Outcome: string(c.Outcome), ErrorCode: c.ErrorCode,
		Unread: slices.Clone(c.Unread), Reason: c.Reason, Next: c.Next,
	}
}
