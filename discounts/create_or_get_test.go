package discounts_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
)

// An install that is repeated makes no second promotion, also after an answer that was lost.
func TestPromotionCreateOrGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := clienttest.New(t, clienttest.Options{RealTime: true})
		api := v202503.New(srv.Client())
		in := discounts.Input{Name: "Three for two", Tier: discounts.TierLineItems}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /promotions", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		first, made, err := api.Promotions.CreateOrGet(t.Context(), in)
		if err != nil || !made || first.Name != in.Name {
			t.Fatalf("after a lost answer: %+v, made %v, %v", first, made, err)
		}
		again, made, err := api.Promotions.CreateOrGet(t.Context(), in)
		if err != nil || made || again.ID != first.ID {
			t.Errorf("again: %+v, made %v, %v; want %s", again, made, err, first.ID)
		}
		in.Name = "Free delivery"
		other, made, err := api.Promotions.CreateOrGet(t.Context(), in)
		if err != nil || !made || other.ID == first.ID || other.Tier != in.Tier {
			t.Errorf("another name: %+v, made %v, %v", other, made, err)
		}
		n := 0
		for _, err := range api.Promotions.List().All(t.Context()) {
			if n++; err != nil {
				t.Error(err)
			}
		}
		if n != 2 {
			t.Errorf("%d promotions, want 2", n)
		}
		in.Name = ""
		if _, _, err := api.Promotions.CreateOrGet(t.Context(), in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("no name: %v, want ErrValidation", err)
		}
	})
}
