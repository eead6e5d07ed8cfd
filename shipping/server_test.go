package shipping_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// A carrier and its options live, change and go in the reference server.
func TestCarriersOnTheServer(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	made, err := v202503.Carriers(c).Create(t.Context(), carriers.CarrierInput{
		Name: "Correo del Sur", CallbackURL: "https://carrier.example/rates/4fQ0zT7sVb2nXk91", Types: carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup},
		CallbackLabelsURL: client.Set("https://carrier.example/labels"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !made.Active || !made.Types.Has(carriers.TypeToDoor) || !made.Types.Has(carriers.TypeToPickup) || made.CallbackLabelsURL != "https://carrier.example/labels" || made.CreatedAt.IsZero() {
		t.Errorf("made %+v", made)
	}
	got, err := v202503.Carriers(c).Update(t.Context(), made.ID, carriers.CarrierInput{Types: carriers.Types{carriers.TypeToPickup}, Active: client.Set(false)})
	if err != nil || got.Active || len(got.Types) != 1 || got.Name != made.Name || got.CallbackURL != made.CallbackURL {
		t.Errorf("changed to %+v, %v", got, err)
	}
	if all, err := v202503.Carriers(c).List().Collect(t.Context()); err != nil || len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("listed %+v, %v", all, err)
	}

	in := carriers.OptionInput{Code: "standard", Name: "Standard", AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(1050)})}
	option, created, err := v202503.Carriers(c).CreateOrGetOption(t.Context(), made.ID, in)
	if err != nil || !created || in.Differences(option) != nil || option.AllowFreeShipping || !option.Active || !option.AdditionalCost.Equal(client.Cents(1050)) {
		t.Fatalf("made %+v, %v", option, err)
	}
	if again, _, err := v202503.Carriers(c).CreateOrGetOption(t.Context(), made.ID, in); err != nil || again.ID != option.ID {
		t.Errorf("made %+v, %v, want the one that is there", again, err)
	}
	if _, err := v202503.Carriers(c).CreateOption(t.Context(), made.ID, in); err == nil {
		t.Error("a second option with the code was made")
	}
	option, err = v202503.Carriers(c).UpdateOption(t.Context(), made.ID, option.ID, carriers.OptionInput{AllowFreeShipping: client.Set(true), AdditionalDays: client.Set(2), AdditionalCost: client.Set(client.MoneyNumber{})})
	if err != nil || !option.AllowFreeShipping || option.AdditionalDays != 2 || !option.AdditionalCost.Equal(client.Cents(0)) || option.Code != "standard" {
		t.Errorf("changed to %+v, %v", option, err)
	}
	there, created, err := v202503.Carriers(c).CreateOrGetOption(t.Context(), made.ID, in)
	if err != nil || created || there.ID != option.ID || strings.Join(in.Differences(there), " ") != "additional_cost" {
		t.Errorf("after the change: got %+v, made %v, %v", there, created, err)
	}
	if got, err := v202503.Carriers(c).GetOption(t.Context(), made.ID, option.ID); err != nil || got.Name != "Standard" {
		t.Errorf("got %+v, %v", got, err)
	}
	found := false
	for c, err := range v202503.Carriers(c).OfStore().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = found || string(c.ID) == made.ID.String() && len(c.Options) == 1 && c.Options[0].Code == "standard" && c.Options[0].AllowFreeShipping
	}
	if !found {
		t.Error("the carriers of the store lack it")
	}
	if err := v202503.Carriers(c).DeleteOption(t.Context(), made.ID, option.ID); err != nil {
		t.Error(err)
	}
	if all, err := v202503.Carriers(c).Options(made.ID).Collect(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("listed %+v, %v", all, err)
	}
	if err := v202503.Carriers(c).Delete(t.Context(), made.ID); err != nil {
		t.Error(err)
	}
	if _, err := v202503.Carriers(c).Get(t.Context(), made.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	reader := srv.Client("read_shipping")
	if _, err := v202503.Carriers(reader).Create(t.Context(), carriers.CarrierInput{Name: "X", CallbackURL: "https://x.example", Types: carriers.Types{carriers.TypeToDoor}}); !errors.Is(err, client.ErrForbidden) && !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("got %v, want the scope to be missing", err)
	}
}

// Labels of which nobody took note are asked for again. The platform takes a 503 for a refusal.
func TestLabelsSurviveAFailureOnTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, ctx := clienttest.New(t, clienttest.Options{RealTime: true, Features: []string{client.FeatureFulfillmentLabels}}), t.Context()
		var mu sync.Mutex
		var failing error
		var queued, takes = 0, time.Duration(0)
		labels := &shipping.LabelHandler{
			Access: shipping.Access{Guarded: true},
			Generate: func(_ context.Context, all []shipping.Label) ([]shipping.LabelFailure, error) {
				mu.Lock()
				err, late := failing, takes
				failing, takes = nil, 0 // what goes wrong does so once
				mu.Unlock()
				time.Sleep(late)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					queued += len(all)
				}
				return nil, err
			},
			OnFailure: func(context.Context, *shipping.Failure) {},
		}
		if err := srv.Partner("https://post.example", labels); err != nil {
			t.Fatal(err)
		}
		c := srv.Client()
		product, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Text{"en": "Mug"}, Variants: []client.VariantInput{{Price: client.Set(client.Cents(100)), Stock: client.Set(client.StockUnlimited)}}})
		if err != nil {
			t.Fatal(err)
		}
		order, err := v202503.Orders(c).Create(ctx, client.OrderInput{
			Customer: client.OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"}, Products: []client.OrderProductInput{{VariantID: product.Variants[0].ID, Quantity: 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		parcels, err := v202503.FulfillmentOrders(c).List(order.ID, client.FulfillmentOrderFilter{}).Collect(ctx)
		if err != nil || len(parcels) != 1 {
			t.Fatalf("parcels %+v, %v", parcels, err)
		}
		carrier, err := v202503.Carriers(c).Create(ctx, carriers.CarrierInput{
			Name: "Post", CallbackURL: "https://post.example/rates", CallbackLabelsURL: client.Set("https://post.example/labels"), Types: carriers.Types{carriers.TypeToDoor},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v202503.FulfillmentOrders(c).Update(ctx, order.ID, parcels[0].ID, client.FulfillmentOrderInput{
			Shipping: client.Set(client.FulfillmentShippingInput{Carrier: client.Set(client.FulfillmentCarrierInput{CarrierID: carrier.ID.String()})}),
		}); err != nil {
			t.Fatal(err)
		}
		for name, once := range map[string]func(){
			"an error": func() { failing = errors.New("the queue is down") },
			"too late": func() { takes = time.Minute },
		} {
			mu.Lock()
			queued = 0
			once()
			mu.Unlock()
			calls, err := srv.RequestLabels(ctx, parcels[0].ID)
			if err != nil || len(calls) != 1 || !calls[0].Late || calls[0].Next.IsZero() {
				t.Errorf("%s: got %+v, %v", name, calls, err)
			}
			time.Sleep(2 * time.Second) // until it is asked again
			synctest.Wait()
			all := srv.LabelCalls()
			last := all[len(all)-1]
			mu.Lock()
			if last.Try != 2 || last.Status != http.StatusAccepted || last.Labels[0].Status != "STARTED" || queued != 1 {
				t.Errorf("%s: %d queued, got %+v", name, queued, last)
			}
			mu.Unlock()
			time.Sleep(time.Minute) // the late call ends
		}
	})
}
