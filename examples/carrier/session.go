package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// session are customers at the checkout of the store.
type session struct {
	out      io.Writer
	platform *clienttest.Server
	app      *app
}

// act is a step of one customer: a title, the action before it, and the expected source of the options.
type act struct {
	title  string
	before func(context.Context) error // nil: nothing
	to     clienttest.ShippingAddress
	grams  int
	from   string
}

// play runs the steps of the customers, one after another.
func (s *session) play(ctx context.Context) error {
	rosario := clienttest.ShippingAddress{Name: "Ana", Address: "Mitre", Number: "1200", City: "Rosario", Province: "Santa Fe", Country: "AR", PostalCode: "2000"}
	cordoba := clienttest.ShippingAddress{Name: "Bruno", Address: "Caseros", Number: "45", City: "Córdoba", Province: "Córdoba", Country: "AR", PostalCode: "5000"}
	montevideo := clienttest.ShippingAddress{Name: "Carla", Address: "Sarandí", Number: "9", City: "Montevideo", Country: "UY", PostalCode: "11000"}
	wait := func(context.Context) error { // until the platform's cache expires; the handler uses the machine's clock
		s.platform.Clock().Advance(20 * time.Minute)
		return nil
	}
	toggle := func(context.Context) error { // the outage; the platform does not cache answers of 503
		s.app.down.Store(!s.app.down.Load())
		return nil
	}
	for i, a := range []act{
		{"Ana in Rosario asks for 800 g", nil, rosario, 800, "carrier"},
		{"Ana looks again: the platform remembers, and does not ask the carrier", nil, rosario, 800, "cache"},
		{"The merchant adds 100.00 and a day to the standard service", s.surcharge, rosario, 800, "cache"},
		{"Ana comes back after 20 minutes: the platform asks, and the handler remembers", wait, rosario, 800, "carrier"},
		{"Carla in Montevideo asks: the carrier does not go there (422)", nil, montevideo, 800, "fallback"},
		{"Ana orders 30 kg, which is too heavy (422)", nil, rosario, 30_000, "fallback"},
		{"The carrier's systems go down. Bruno in Córdoba asks (503)", toggle, cordoba, 800, "fallback"},
		{"Ana comes back after 20 minutes: the handler remembers, outage or not", wait, rosario, 800, "carrier"},
		{"The carrier's systems are up again, and Bruno looks again", toggle, cordoba, 800, "carrier"},
	} {
		fmt.Fprintf(s.out, "\n%d. %s\n", i+1, a.title)
		if a.before != nil {
			if err := a.before(ctx); err != nil {
				return err
			}
		}
		if err := s.ask(ctx, a); err != nil {
			return fmt.Errorf("%s: %w", a.title, err)
		}
	}
	return s.verdict()
}

// ask shows the options to the customer of an act.
func (s *session) ask(ctx context.Context, a act) error {
	s.app.seen.Store(nil)
	q, err := s.platform.Quote(ctx, clienttest.Parcel{To: a.to, Items: []clienttest.ParcelItem{{
		ID: 1, ProductID: 1, Name: "Mate", Quantity: 1, Grams: a.grams, Price: client.MustMoney("40.00"), Width: "12", Height: "10", Depth: "10",
	}}})
	if err != nil {
		return err
	}
	if answer := s.app.seen.Load(); answer == nil {
		fmt.Fprintln(s.out, "   the carrier was not asked")
	} else {
		fmt.Fprintf(s.out, "   the carrier answered %d (%s)\n", answer.Status, answer.Source)
	}
	if len(q.Options) == 0 {
		return errors.New("the customer sees no options")
	}
	for _, o := range q.Options {
		fmt.Fprintf(s.out, "   %-8s  %-7s %-26s %8s %s\n", o.Source, o.Type, o.Name, o.Price, o.Currency)
		if o.Source != a.from {
			return fmt.Errorf("an option is from %s, must be from %s", o.Source, a.from)
		}
	}
	return nil
}

// surcharge sets the merchant's surcharge for the standard service.
func (s *session) surcharge(ctx context.Context) error {
	service := v202503.Carriers(s.app.client)
	for o, err := range service.Options(s.app.carrier.ID).All(ctx) {
		if err != nil {
			return err
		}
		if o.Code != "standard" {
			continue
		}
		_, err = service.UpdateOption(ctx, s.app.carrier.ID, o.ID, carriers.OptionInput{
			AdditionalCost: client.Set(client.MoneyNumber{Money: client.MustMoney("100.00")}), AdditionalDays: client.Set(1),
		})
		return err
	}
	return fmt.Errorf("the carrier has no option %q", "standard")
}

// verdict compares the counts of the platform and the handler. By the platform's clock, which wait advances, the first
// requests are older than the 30 minutes that it counts. By the machine's clock, which the handler uses, they are not.
func (s *session) verdict() error {
	theirs, ours := s.platform.CarrierHealth(s.app.carrier.ID), s.app.rates.Health()
	fmt.Fprintf(s.out, "\nFailures that the platform counted: %d, the handler: %d. The circuit is %s.\n", theirs.Failures, ours.Failures, theirs.Circuit)
	if theirs.Failures != ours.Failures {
		return errors.New("the platform and the handler disagree")
	}
	return nil
}
