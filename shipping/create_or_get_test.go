package shipping_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/shipping"
)

// An install that is repeated makes no second carrier, also after an answer that was lost.
func TestCarrierCreateOrGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := clienttest.New(t, clienttest.Options{RealTime: true})
		api := v202503.New(srv.Client())
		in := shipping.CarrierInput{Name: "Courier", CallbackURL: "https://app.example/rates/x", Types: shipping.Types{shipping.TypeToDoor}}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /shipping_carriers", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		first, made, err := api.Carriers.CreateOrGet(t.Context(), in)
		if err != nil || !made || first.Name != in.Name {
			t.Fatalf("after a lost answer: %+v, made %v, %v", first, made, err)
		}
		in.CallbackURL = "https://app.example/rates/y" // another address is no other carrier
		again, made, err := api.Carriers.CreateOrGet(t.Context(), in)
		if err != nil || made || again.ID != first.ID || again.CallbackURL != "https://app.example/rates/x" {
			t.Errorf("again: %+v, made %v, %v; want %d as it was", again, made, err, first.ID)
		}
		in.Name = "Post"
		other, made, err := api.Carriers.CreateOrGet(t.Context(), in)
		if err != nil || !made || other.ID == first.ID {
			t.Errorf("another name: %+v, made %v, %v", other, made, err)
		}
		if all, err := api.Carriers.List().Collect(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%d carriers, %v; want 2", len(all), err)
		}
		in.Name = ""
		if _, _, err := api.Carriers.CreateOrGet(t.Context(), in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("no name: %v, want ErrValidation", err)
		}
	})
}
