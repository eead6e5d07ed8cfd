// Command paymentapp is a payment app. It describes its payment provider in a store, takes a payment by card when the
// platform asks for it, captures it, and refunds a part of it. It shows how each of these is recorded once.
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
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

const origin = "https://pay.example" // of the app

func main() {
	console := flag.String("console", "", "serve the console on this `address`, and stay until Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *console, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "paymentapp:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, console string, out io.Writer) error {
	platform, err := clienttest.Start(clienttest.Options{Console: pages.At(console)})
	if err != nil {
		return err
	}
	defer platform.Close()
	return platform.PlayWithConsole(ctx, out, func(ctx context.Context) error {
		s, err := begin(ctx, platform, out)
		if err != nil {
			return err
		}
		return s.tell(ctx)
	})
}

// begin installs the app and creates an order.
func begin(ctx context.Context, platform *clienttest.Server, out io.Writer) (*story, error) {
	key, err := platform.PaymentKey()
	if err != nil {
		return nil, err
	}
	a := &app{client: platform.Client(), out: out}
	handler, err := a.handler(payments.Callback{Keys: []*rsa.PublicKey{key}, Origin: origin, Now: platform.Clock().Now})
	if err != nil {
		return nil, err
	}
	if err := platform.Partner(origin, handler); err != nil {
		return nil, err
	}
	if err := platform.SetPaymentURLs(clienttest.PaymentURLs{Process: origin + "/process", Cancel: origin + "/cancel", Status: origin + "/status"}); err != nil {
		return nil, err
	}
	if err := a.install(ctx); err != nil {
		return nil, err
	}
	order, err := sell(ctx, a.client)
	return &story{platform, a, order, out}, err
}

// sell makes an order of 60.00.
func sell(ctx context.Context, c *client.Client) (*client.Order, error) {
	teapot, err := v202503.Products(c).Create(ctx, client.ProductInput{
		Name:     client.Text{"en": "Teapot"},
		Variants: []client.VariantInput{{Price: client.Set(client.Cents(3000)), Stock: client.Set(client.StockUnlimited)}},
	})
	if err != nil {
		return nil, err
	}
	return v202503.Orders(c).Create(ctx, client.OrderInput{
		Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"},
		Products: []client.OrderProductInput{{VariantID: teapot.Variants[0].ID, Quantity: 2}},
	})
}

// story is the actions of a customer and a merchant on an order.
type story struct {
	platform *clienttest.Server
	app      *app
	order    *client.Order
	out      io.Writer
}

// tell plays the story and checks each outcome against the platform's records.
func (s *story) tell(ctx context.Context) error {
	fmt.Fprintf(s.out, "\nThe customer pays %s %s by card\n", s.order.Total, s.order.Currency)
	if err := s.called("accepted", "")(s.platform.ProcessPayment(ctx, s.attempt())); err != nil {
		return err
	}
	if err := s.recorded(ctx, providers.StatusAuthorized, client.PaymentAuthorized); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nThe goods leave, and the app captures what was authorized")
	if err := s.app.capture(ctx, s.order.ID); err != nil {
		return err
	}
	if err := s.recorded(ctx, providers.StatusPaid, client.PaymentPaid); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "\nThe merchant pays 20.00 back, and then, too soon, 5.00")
	paid, err := s.transaction(ctx)
	if err != nil {
		return err
	}
	if err := s.called("accepted", "")(s.platform.Refund(ctx, paid, client.Cents(2000))); err != nil {
		return err
	}
	if err := s.called("rejected", "refund_already_in_process")(s.platform.Refund(ctx, paid, client.Cents(500))); err != nil {
		return err
	}
	if err := s.app.settle(ctx); err != nil {
		return err
	}
	if err := s.recorded(ctx, providers.StatusPartiallyRefunded, client.PaymentPartiallyRefunded); err != nil {
		return err
	}
	return s.forge()
}

// attempt is the customer's attempt to pay the order.
func (s *story) attempt() clienttest.PaymentAttempt {
	return clienttest.PaymentAttempt{OrderID: s.order.ID, ProviderID: s.app.provider, MethodType: "credit_card", MethodID: "visa", Amount: s.order.Total}
}

// transaction returns the transaction of the order in the app's records.
func (s *story) transaction(ctx context.Context) (uuid.UUID, error) {
	sales, err := s.app.status(ctx, s.order.ID)
	if err != nil || len(sales) != 1 {
		return uuid.Nil, fmt.Errorf("the app has %d sales of the order (%v), must have one", len(sales), err)
	}
	return sales[0].ID, nil
}

// called prints the outcome of a call, and checks it.
func (s *story) called(outcome, code string) func(clienttest.PaymentCall, error) error {
	return func(c clienttest.PaymentCall, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "%s\n", strings.TrimRight(fmt.Sprintf("   %-8s %d %s %s", c.Kind, c.Status, c.Outcome, c.ErrorCode), " "))
		if c.Outcome != outcome || c.ErrorCode != code {
			return fmt.Errorf("the call was %s (%s), must be %s", c.Outcome, c.Reason, outcome)
		}
		return nil
	}
}

// recorded compares the platform's records with the expected statuses.
func (s *story) recorded(ctx context.Context, status providers.Status, payment client.PaymentStatus) error {
	id, err := s.transaction(ctx)
	if err != nil {
		return err
	}
	tx, err := v202503.Transactions(s.app.client).Get(ctx, s.order.ID, id)
	if err != nil {
		return err
	}
	order, err := v202503.Orders(s.app.client).Get(ctx, s.order.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "   the transaction is %s, the order %s\n", tx.Status, order.PaymentStatus)
	if tx.Status != status || order.PaymentStatus != payment {
		return fmt.Errorf("the transaction must be %s and the order %s", status, payment)
	}
	return nil
}

// forge posts a refund that the platform has not signed.
func (s *story) forge() error {
	fmt.Fprintln(s.out, "\nSomebody asks for money in the platform's name")
	last := s.platform.PaymentCalls()[len(s.platform.PaymentCalls())-1]
	r, err := http.NewRequest(http.MethodPost, last.URL, strings.NewReader(strings.Replace(string(last.Request), "5.00", "40.00", 1)))
	if err != nil {
		return err
	}
	r.Header.Set(payments.TimestampHeader, last.Timestamp)
	r.Header.Set(payments.SignatureHeader, last.Signature)
	answer := httptest.NewRecorder()
	s.app.routes.ServeHTTP(answer, r)
	fmt.Fprintf(s.out, "   refund   %d\n", answer.Code)
	if answer.Code != http.StatusUnauthorized {
		return errors.New("a forged call was believed")
	}
	return nil
}
