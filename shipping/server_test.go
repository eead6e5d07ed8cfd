package shipping_test

import (
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// A carrier and its options live, change and go in the reference server.
func TestCarriersOnTheServer(t *testing.T) {
	srv := clienttest.New(t)
	api := v202503.New(srv.Client())
	made, err := api.Carriers.Create(t.Context(), shipping.CarrierInput{
		Name: "Correo del Sur", CallbackURL: "https://carrier.example/rates/4fQ0zT7sVb2nXk91", Types: shipping.Types{shipping.ToDoor, shipping.ToPickup},
		CallbackLabelsURL: client.Set("https://carrier.example/labels"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !made.Active || !made.Types.Has(shipping.ToDoor) || !made.Types.Has(shipping.ToPickup) || made.CallbackLabelsURL != "https://carrier.example/labels" || made.CreatedAt.IsZero() {
		t.Errorf("made %+v", made)
	}
	got, err := api.Carriers.Update(t.Context(), made.ID, shipping.CarrierInput{Types: shipping.Types{shipping.ToPickup}, Active: client.Set(false)})
	if err != nil || got.Active || len(got.Types) != 1 || got.Name != made.Name || got.CallbackURL != made.CallbackURL {
		t.Errorf("changed to %+v, %v", got, err)
	}
	if all, err := api.Carriers.List().Collect(t.Context()); err != nil || len(all) != 1 || all[0].ID != made.ID {
		t.Errorf("listed %+v, %v", all, err)
	}

	in := shipping.OptionInput{Code: "standard", Name: "Standard", AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(1050)})}
	option, err := api.Carriers.CreateOrGetOption(t.Context(), made.ID, in)
	if err != nil || option.AllowFreeShipping || !option.Active || !option.AdditionalCost.Equal(client.Cents(1050)) {
		t.Fatalf("made %+v, %v", option, err)
	}
	if again, err := api.Carriers.CreateOrGetOption(t.Context(), made.ID, in); err != nil || again.ID != option.ID {
		t.Errorf("made %+v, %v, want the one that is there", again, err)
	}
	if _, err := api.Carriers.CreateOption(t.Context(), made.ID, in); err == nil {
		t.Error("a second option with the code was made")
	}
	option, err = api.Carriers.UpdateOption(t.Context(), made.ID, option.ID, shipping.OptionInput{AllowFreeShipping: client.Set(true), AdditionalDays: client.Set(2), AdditionalCost: client.Set(client.MoneyNumber{})})
	if err != nil || !option.AllowFreeShipping || option.AdditionalDays != 2 || !option.AdditionalCost.Equal(client.Cents(0)) || option.Code != "standard" {
		t.Errorf("changed to %+v, %v", option, err)
	}
	if got, err := api.Carriers.GetOption(t.Context(), made.ID, option.ID); err != nil || got.Name != "Standard" {
		t.Errorf("got %+v, %v", got, err)
	}
	found := false
	for c, err := range api.Carriers.OfStore().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found = found || string(c.ID) == made.ID.String() && len(c.Options) == 1 && c.Options[0].Code == "standard" && c.Options[0].AllowFreeShipping
	}
	if !found {
		t.Error("the carriers of the store lack it")
	}
	if err := api.Carriers.DeleteOption(t.Context(), made.ID, option.ID); err != nil {
		t.Error(err)
	}
	if all, err := api.Carriers.Options(made.ID).Collect(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("listed %+v, %v", all, err)
	}
	if err := api.Carriers.Delete(t.Context(), made.ID); err != nil {
		t.Error(err)
	}
	if _, err := api.Carriers.Get(t.Context(), made.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	reader := v202503.New(srv.Client("read_shipping"))
	if _, err := reader.Carriers.Create(t.Context(), shipping.CarrierInput{Name: "X", CallbackURL: "https://x.example", Types: shipping.Types{shipping.ToDoor}}); !errors.Is(err, client.ErrForbidden) && !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("got %v, want the scope to be missing", err)
	}
}
