package discounts_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
)

// Only a token that is dead or missing says that the app is not installed.
func TestLoadBy(t *testing.T) {
	srv := clienttest.New(t)
	tokens := &oauth.MemoryStore{}
	stores := &client.Stores{
		Config: client.Config{BaseURL: srv.URL(), UserAgent: "Test (t@example.com)",
			HTTPClient: &http.Client{Transport: srv.Transport()}},
		Tokens: oauth.Sources(tokens),
	}
	load := discounts.LoadBy(client.ByStore(stores, v202503.Promotions))
	if _, err := load(t.Context(), srv.StoreID()); !errors.Is(err, discounts.ErrUninstalled) {
		t.Errorf("without a token: %v, want ErrUninstalled", err)
	}
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Swap(t.Context(), srv.StoreID(), 0, &oauth.Install{StoreID: srv.StoreID(), Token: token,
		Generation: 1}); err != nil {
		t.Fatal(err)
	}
	c := srv.Client()
	if _, err := v202503.Promotions(c).Create(t.Context(), promotions.Input{Name: "Gift",
		Tier: promotions.TierLineItems}); err != nil {
		t.Fatal(err)
	}
	if all, err := load(t.Context(), srv.StoreID()); err != nil || len(all) != 1 || all[0].Name != "Gift" {
		t.Errorf("got %+v, %v; want the promotion", all, err)
	}
	for _, f := range []clienttest.Fault{
		{Status: http.StatusNotImplemented},
		{Status: http.StatusUnauthorized, Body: `{"message":"Unauthorized"}`}, // of a gateway
	} {
		f.Operation = "GET /promotions"
		if err := srv.Fault(f); err != nil {
			t.Fatal(err)
		}
		if _, err := load(t.Context(), srv.StoreID()); err == nil || errors.Is(err, discounts.ErrUninstalled) {
			t.Errorf("after %d %s: %v, want another error than ErrUninstalled", f.Status, f.Body, err)
		}
		srv.EndFaults()
	}
	if err := srv.Fault(clienttest.Fault{Operation: "GET /promotions", Status: http.StatusOK,
		Body: `[{"id":"not a UUID"},{"id":"11111111-1111-4111-8111-111111111111","name":"Other"}]`}); err != nil {
		t.Fatal(err)
	}
	if all, err := load(t.Context(), srv.StoreID()); !client.OnlyUnreadable(err) || len(all) != 1 || all[0].Name != "Other" {
		t.Errorf("got %+v, %v; want the other promotion and an error about the first", all, err)
	}
	srv.EndFaults()
	if err := srv.Uninstall(); err != nil {
		t.Fatal(err)
	}
	if _, err := load(t.Context(), srv.StoreID()); !errors.Is(err, discounts.ErrUninstalled) {
		t.Errorf("with a dead token: %v, want ErrUninstalled", err)
	}
}
