package promotions_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// An install that is repeated makes no second promotion, also after an answer that was lost.
func TestPromotionCreateOrGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := clienttest.New(t, clienttest.Options{RealTime: true})
		c := srv.Client()
		in := promotions.Input{Name: "Three for two", Tier: promotions.TierLineItems}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /promotions", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		first, made, err := v202503.Promotions(c).CreateOrGet(t.Context(), in)
		if err != nil || made || first.Name != in.Name || in.Differences(first) != nil {
			t.Fatalf("found after a lost answer: %+v, made %v, %v", first, made, err)
		}
		in.Active, in.WithFreeShipping = client.Set(!first.Active), client.Set(first.WithFreeShipping)
		in.Description = "Pay two" // which cannot be read
		again, made, err := v202503.Promotions(c).CreateOrGet(t.Context(), in)
		if differ := in.Differences(again); err != nil || made || again.ID != first.ID || !slices.Equal(differ,
			[]string{"active"}) {
			t.Errorf("again: %+v, made %v, differences %v, %v; want %s", again, made, differ, err, first.ID)
		}
		in.Name = "Free delivery"
		other, made, err := v202503.Promotions(c).CreateOrGet(t.Context(), in)
		if err != nil || !made || other.ID == first.ID || other.Tier != in.Tier {
			t.Errorf("another name: %+v, made %v, %v", other, made, err)
		}
		n := 0
		for _, err := range v202503.Promotions(c).List().All(t.Context()) {
			if n++; err != nil {
				t.Error(err)
			}
		}
		if n != 2 {
			t.Errorf("%d promotions, want 2", n)
		}
		in.Name = ""
		if _, _, err := v202503.Promotions(c).CreateOrGet(t.Context(), in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("no name: %v, want ErrValidation", err)
		}
	})
}
