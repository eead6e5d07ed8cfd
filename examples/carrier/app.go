package main

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// name is the name that merchants and customers see.
const name = "Correo del Sur"

// errDown is the error of the carrier's own systems while they are down.
var errDown = errors.New("the tariff service does not answer")

// app is a carrier in one store.
type app struct {
	client *client.Client
	token  client.Secret // makes the address of the callback a secret
	rates  *shipping.Handler
	down   atomic.Bool // the carrier's own systems
	seen   atomic.Pointer[shipping.Answer]

	carrier *carriers.Carrier
}

func newApp(c *client.Client) (*app, error) {
	a := &app{client: c, token: client.Secret(rand.Text())}
	a.rates = &shipping.Handler{
		Rates:      a.quote,
		Access:     shipping.Access{PathTokens: []client.Secret{a.token}},
		OnAnswered: func(_ context.Context, answer shipping.Answer) { a.seen.Store(&answer) },
		OnFailure:  func(context.Context, *shipping.Failure) {}, // a real app has a log
	}
	return a, a.rates.Check()
}

// quote asks the carrier's own systems.
func (a *app) quote(_ context.Context, q shipping.Quote) ([]shipping.Rate, error) {
	if a.down.Load() {
		return nil, errDown
	}
	return rates(q, time.Now())
}

func (a *app) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/rates/", a.rates)
	return mux
}

// install adds the carrier to the store with an option for each service, or updates the carrier that is there.
func (a *app) install(ctx context.Context, at string) (err error) {
	var options []carriers.OptionInput
	for _, s := range append(services, branch) {
		options = append(options, carriers.OptionInput{Code: s.code, Name: s.name})
	}
	a.carrier, err = v202503.Carriers(a.client).Ensure(ctx, carriers.CarrierInput{
		Name: name, CallbackURL: at + "/rates/" + string(a.token),
		Types: carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup},
	}, options...)
	return err
}
