// Command paymentapp is a payment app. It describes its payment provider in a store, takes a payment by card when the
// platform calls it, captures it, and refunds a part of it. It shows how payments.Cashier moves and records each amount
// once.
//
//	go run ./examples/paymentapp
//
// It requires only Go, and simulates a customer and a merchant on the reference server, in this process. It prints each
// call with its answer. It exits with 0 only if the platform's records equal the app's reports, and a forged call was
// rejected. With -console 127.0.0.1:8082 a browser shows the platform until Ctrl-C.
//
// The app is in app.go, and its payment provider in provider.go.
package main

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

const origin = "https://pay.example" // of the app

func main() { pages.Main(run) }

func run(ctx context.Context, console string, out io.Writer) error {
	return pages.Play(ctx, console, out, clienttest.Options{}, func(ctx context.Context, platform *clienttest.Server) error {
		s, err := begin(ctx, platform, out)
		if err != nil {
			return err
		}
		return s.play(ctx)
	})
}

// begin installs the app and creates an order of 60.00.
func begin(ctx context.Context, platform *clienttest.Server, out io.Writer) (*story, error) {
	key, err := platform.PaymentKey()
	if err != nil {
		return nil, err
	}
	common := payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: origin, Now: platform.Clock().Now}
	a, err := newApp(platform.Client(), common)
	if err != nil {
		return nil, err
	}
	urls := clienttest.PaymentURLs{Process: origin + "/process", Cancel: origin + "/cancel", Status: origin + "/status"}
	if err := errors.Join(platform.Partner(origin, a.routes), platform.SetPaymentURLs(urls), a.install(ctx)); err != nil {
		return nil, err
	}
	teapot, err := v202503.Products(a.client).Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Teapot"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(3000)), Stock: client.Set(client.StockUnlimited)}},
	})
	if err != nil {
		return nil, err
	}
	order, err := v202503.Orders(a.client).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: teapot.Variants[0].ID, Quantity: 2}},
	})
	return &story{platform, a, order, out}, err
}

// story is the actions of a customer and a merchant on an order.
type story struct {
	platform *clienttest.Server
	app      *app
	order    *client.Order
	out      io.Writer
}

// play checks each outcome against the platform's records.
func (s *story) play(ctx context.Context) error {
	fmt.Fprintf(s.out, "The customer pays %s %s by card\n", s.order.Total, s.order.Currency)
	if err := s.accepted(s.platform.ProcessPayment(ctx, s.attempt())); err != nil {
		return err
	}
	tx, err := s.recorded(ctx, providers.StatusAuthorized, client.PaymentAuthorized)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The goods leave, and the app captures the reserved amount")
	if err := s.app.capture(ctx, s.order.ID, tx); err != nil {
		return err
	}
	if _, err = s.recorded(ctx, providers.StatusPaid, client.PaymentPaid); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The merchant refunds 20.00, and the platform repeats its call")
	for range 2 {
		if err := s.accepted(s.platform.Refund(ctx, tx.ID, client.Cents(2000))); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.out, "   the bank moved money %d times: the payment and one refund\n", len(s.app.bank.moved))
	if _, err = s.recorded(ctx, providers.StatusPartiallyRefunded, client.PaymentPartiallyRefunded); err != nil {
		return err
	}
	return s.forge()
}

// attempt is the customer's attempt to pay the order.
func (s *story) attempt() clienttest.PaymentAttempt {
	return clienttest.PaymentAttempt{
		OrderID: s.order.ID, ProviderID: s.app.provider, MethodType: "credit_card", MethodID: "visa", Amount: s.order.Total,
	}
}

// accepted prints the outcome of a call, and checks it.
func (s *story) accepted(c clienttest.PaymentCall, err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "   %s: %d %s\n", c.Kind, c.Status, c.Outcome)
	if c.Outcome != "accepted" {
		return fmt.Errorf("the call was %s (%s), must be accepted", c.Outcome, c.Reason)
	}
	return nil
}

// recorded returns the transaction of the order, and compares the platform's records with the expected statuses.
func (s *story) recorded(
	ctx context.Context, status providers.Status, payment client.PaymentStatus,
) (tx providers.Transaction, err error) {
	all, err := s.app.status(ctx, s.order.ID)
	if err != nil {
		return tx, err
	}
	order, err := v202503.Orders(s.app.client).Get(ctx, s.order.ID)
	if err != nil {
		return tx, err
	}
	if len(all) != 1 || all[0].Status != status || order.PaymentStatus != payment {
		return tx, fmt.Errorf("%d transactions; the one must be %s and the order %s", len(all), status, payment)
	}
	fmt.Fprintf(s.out, "   the transaction is %s, the order %s\n", status, payment)
	return all[0], nil
}

// forge posts a refund that the platform has not signed.
func (s *story) forge() error {
	fmt.Fprintln(s.out, "Somebody asks for money in the platform's name")
	last := s.platform.PaymentCalls()[len(s.platform.PaymentCalls())-1]
	body := strings.NewReader(strings.Replace(string(last.Request), "20.00", "40.00", 1))
	r, err := http.NewRequest(http.MethodPost, last.URL, body)
	if err != nil {
		return err
	}
	r.Header.Set(payments.TimestampHeader, last.Timestamp)
	r.Header.Set(payments.SignatureHeader, last.Signature)
	answer := httptest.NewRecorder()
	s.app.routes.ServeHTTP(answer, r)
	fmt.Fprintf(s.out, "   refund: %d\n", answer.Code)
	if answer.Code != http.StatusUnauthorized {
		return errors.New("a forged call was accepted")
	}
	return nil
}
