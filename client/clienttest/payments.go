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

// PaymentURLs are where the platform calls the app about payments. They are configured
// per app. An empty one is not called, and one that a webhook may not have is refused when
// its turn comes. That of refunds is the refund_url in the info of each transaction.
type PaymentURLs struct {
	// Process takes a payment, Cancel gives one up, Status tells of those of an order.
	Process, Cancel, Status string
}

// SetPaymentURLs configures the app. Put a handler at their origin with Partner.
func (s *Server) SetPaymentURLs(urls PaymentURLs) error {
	app, _ := reference(s).World().App(s.app.ID)
	app.Payments = world.PaymentURLs(urls)
	_, err := s.platform.AddApp(app)
	return err
}

// PaymentKey verifies the signature of every call about payments, in the header
// X-Signature: RSA-SHA256 (PKCS #1 v1.5, in Base64) over URL|timestamp|hexadecimal
// SHA-256 of the body, with the timestamp of X-Timestamp. Each server draws a key of its
// own.
func (s *Server) PaymentKey() (*rsa.PublicKey, error) { return reference(s).Payments().PublicKey() }

// PaymentAttempt is a customer trying to pay an order.
type PaymentAttempt struct {
	OrderID client.ID // the order to be paid
	// ProviderID is a provider of the app, which offers the method and the currency of
	// the order, and is enabled.
	ProviderID uuid.UUID
	// MethodType is for example credit_card, MethodID for example visa or empty.
	MethodType, MethodID string
	// Amount is above 0, with at most two decimals, in the currency of the order.
	Amount client.Money
}

// ProcessPayment has the app take a payment, by a POST to PaymentURLs.Process. The
// platform draws the attempt, which is in the record of the call, and wants 201; the
// transaction is created by the app, with that attempt in payment_attempt_id.
//
// Here, as with the other calls, an error means that nothing could be asked, for
// example since the order does not exist, or that ctx has ended. What the app answered,
// or failed to, is in the record. No answer changes transactions or orders: only the
// events do that the app reports over the API.
func (s *Server) ProcessPayment(ctx context.Context, a PaymentAttempt) (PaymentCall, error) {
	return called(reference(s).Payments().Process(ctx, s.store, payment.Attempt{
		Order: int64(a.OrderID), Provider: a.ProviderID.String(), MethodType: a.MethodType, MethodID: a.MethodID, Amount: a.Amount.Decimal(),
	}))
}

// CancelPayment has the app give up a payment attempt, by a POST to PaymentURLs.Cancel
// with ?payment_attempt_id=. It returns the first call. Until one is answered 200 it is
// repeated by the server's clock, after 1 second and then twice as long each time; the
// record says when, in Next, and PaymentCalls has them all.
func (s *Server) CancelPayment(ctx context.Context, provider uuid.UUID, attempt string) (PaymentCall, error) {
	return called(reference(s).Payments().Cancel(ctx, s.store, provider.String(), attempt))
}

// PaymentStatus asks the app for its transactions of an order, by a GET of
// PaymentURLs.Status with ?order_id=. They are in the Answer.
func (s *Server) PaymentStatus(ctx context.Context, provider uuid.UUID, order client.ID) (PaymentCall, error) {
	return called(reference(s).Payments().Status(ctx, s.store, provider.String(), int64(order)))
}

// Refund asks the app to pay back an amount of a transaction, by a POST to the
// refund_url of the transaction. The app answers 202, and later reports an event of type
// refund, or 422 with an error code. The transaction must be paid, and have as much left
// that was not refunded; less than that needs supports_partial_refund.
func (s *Server) Refund(ctx context.Context, transaction uuid.UUID, amount client.Money) (PaymentCall, error) {
	return called(reference(s).Payments().Refund(ctx, s.store, transaction.String(), amount.Decimal()))
}

// ReviewPayment has the merchant accept or cancel a transaction that needs review, by a POST to the accept_url or the
// cancel_url in the info of the last event of type needs_merchant_review, which must not have expired. The call is not
// signed. Any 2xx accepts it; the app reports the event that follows.
func (s *Server) ReviewPayment(ctx context.Context, transaction uuid.UUID, accept bool) (PaymentCall, error) {
	return called(reference(s).Payments().Review(ctx, s.store, transaction.String(), accept))
}

// RefreshPaymentToken gets new credentials of a provider, by a POST to the
// refresh_token_url of its authentication. Other calls do so by themselves if the
// credentials have expired.
func (s *Server) RefreshPaymentToken(ctx context.Context, provider uuid.UUID) (PaymentCall, error) {
	return called(reference(s).Payments().Refresh(ctx, s.store, provider.String()))
}

// PaymentCall is one call to the app about payments.
type PaymentCall struct {
	At time.Time // when it was made, by the server's clock
	// Kind is refund, process, cancel, status, refresh, accept_review or cancel_review.
	Kind       string
	ProviderID uuid.UUID // the provider that it is about
	// Attempt is the payment attempt, empty if there is none.
	Attempt string
	// Try counts the calls of one cancellation from 1; it is 1 for others.
	Try         int
	Method, URL string // how and where it was sent
	// Timestamp and Signature are the headers. A refresh and a review are not signed.
	Timestamp, Signature string
	// Request and Answer are the bodies. A refresh keeps none, since they are secrets.
	Request, Answer []byte
	// Status is 0 if there was no answer.
	Status int
	// Late is set if there was no answer within 20 seconds of the server's clock; a
	// handler lets them pass with Spend.
	Late     bool
	Duration time.Duration // how long the answer took, by the server's clock
	// Outcome is accepted; rejected for a refund that was answered with one of the four
	// error codes; failed for every other answer, and for none.
	Outcome string
	// ErrorCode is that of a rejected refund, for example refund_already_in_process.
	ErrorCode string
	// Unread names the members of an answer that nothing reads. The transactions of a status, and answers to a payment
	// or a cancellation, may have any.
	Unread []string
	// Reason says why the call was not accepted, empty if it was.
	Reason string
	// Next is when a cancellation is repeated, zero if it is not.
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
	provider, _ := uuid.Parse(c.Provider) // the platform gave it
	return PaymentCall{
		At: c.At, Kind: string(c.Kind), ProviderID: provider, Attempt: c.Attempt, Try: c.Try, Method: c.Method, URL: c.URL,
		Timestamp: c.Timestamp, Signature: c.Signature, Request: slices.Clone(c.Request), Answer: slices.Clone(c.Answer), Status: c.HTTPStatus,
		Late: c.Late, Duration: c.Duration, Outcome: string(c.Outcome), ErrorCode: c.ErrorCode,
		Unread: slices.Clone(c.Unread), Reason: c.Reason, Next: c.Next,
	}
}
