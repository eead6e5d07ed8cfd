package carriers_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// An install that is repeated makes no second carrier, also after an answer that was lost, and changes what is
// another now.
func TestCarrierEnsure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := clienttest.New(t, clienttest.Options{RealTime: true})
		c := srv.Client()
		in := carriers.CarrierInput{Name: "Courier", CallbackURL: "https://app.example/rates/x", Types: carriers.Types{carriers.TypeToDoor}}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /shipping_carriers", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		first, err := v202503.Carriers(c).Ensure(t.Context(), in, carriers.OptionInput{Code: "bicycle", Name: "By bicycle"})
		if err != nil || first.Name != in.Name {
			t.Fatalf("after a lost answer: %+v, %v", first, err)
		}
		writes := func() (n int) {
			for _, r := range srv.Requests() {
				if r.Method != "GET" {
					n++
				}
			}
			return n
		}
		for i, change := range []func(){
			func() {},
			func() { in.CallbackURL = "https://app.example/rates/y" },
			func() { in.Types = carriers.Types{carriers.TypeToPickup, carriers.TypeToDoor} },
			func() { in.Active = client.Set(false) },
			func() { in.CallbackLabelsURL = client.Set("https://app.example/labels") },
			func() { in.Types = carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup} }, // the same
		} {
			before := writes()
			change()
			c, err := v202503.Carriers(c).Ensure(t.Context(), in, carriers.OptionInput{Code: "bicycle", Name: "Another name"})
			if err != nil || c.ID != first.ID || c.CallbackURL != in.CallbackURL || len(c.Types) != len(in.Types) || c.Active != in.Active.IsZero() {
				t.Errorf("change %d: %+v, %v", i, c, err)
			}
			if same := i == 0 || i == 5; (writes() == before) != same {
				t.Errorf("change %d: %d writes, want some: %v", i, writes()-before, !same)
			}
		}
		options, err := v202503.Carriers(c).Options(first.ID).Collect(t.Context())
		if err != nil || len(options) != 1 || options[0].Name != "By bicycle" {
			t.Errorf("options %+v, %v; want the first one as it was", options, err)
		}
		in.Name = "Post"
		other, err := v202503.Carriers(c).Ensure(t.Context(), in)
		if err != nil || other.ID == first.ID {
			t.Errorf("another name: %+v, %v", other, err)
		}
		if _, err := v202503.Carriers(c).Ensure(t.Context(), in, carriers.OptionInput{}); !errors.Is(err, client.ErrValidation) {
			t.Errorf("an option without a code: %v, want ErrValidation", err)
		}
		if all, err := v202503.Carriers(c).List().Collect(t.Context()); err != nil || len(all) != 2 {
			t.Errorf("%s, %v; want 2 carriers", fmt.Sprint(len(all)), err)
		}
		in.Name = ""
		if _, err := v202503.Carriers(c).Ensure(t.Context(), in); !errors.Is(err, client.ErrValidation) {
			t.Errorf("no name: %v, want ErrValidation", err)
		}
	})
}
