package clienttest_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/oauth"
)

// The client of the installed app had the token of the last call of Install. An installation by way of the merchant's
// browser left it with a dead one for good, and of two calls of Install at the same time the earlier could win.
func TestClientHasTheTokenOfTheLatestInstallation(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{AutoApprove: true})
	c := srv.Client()
	app := oauth.App{ID: srv.App().ID, Secret: srv.App().Secret, AuthURL: srv.App().AuthURL, Transport: srv.Transport()}
	to, err := app.AuthorizeURL("")
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Transport: srv.Transport(), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.Get(to)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	in, err := app.Exchange(t.Context(), back.Query().Get("code"))
	if err != nil {
		t.Fatalf("redirected to %q: %v", back, err)
	}
	if in.StoreID != srv.StoreID() {
		t.Fatalf("installed in %d, want %d", in.StoreID, srv.StoreID())
	}
	if _, err := v202503.Store(c).Get(t.Context()); err != nil {
		t.Errorf("after an installation by the merchant: %v", err)
	}
}

// A second click on Approve brings a second code with the same state. It ends where the first does, and the token
// stays.
func TestSecondClickOnApprove(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{AutoApprove: true, RedirectURL: "https://app.example/installed"})
	tokens := &oauth.MemoryStore{}
	handler := &oauth.Handler{
		App:    oauth.App{ID: srv.App().ID, Secret: srv.App().Secret, AuthURL: srv.App().AuthURL, Transport: srv.Transport()},
		Tokens: tokens,
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var consent string
	browser := &http.Client{Jar: jar, Transport: sites{"app.example": handler, "": srv.Transport()}, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Host != "app.example" {
			consent = r.URL.String()
		}
		return nil
	}}
	at := "https://app.example/installed"
	var places []string
	var first oauth.Install
	for range 2 {
		resp, err := browser.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		in, err := tokens.Load(t.Context(), srv.StoreID())
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("got %s at %s, %v; want an install", resp.Status, resp.Request.URL, err)
		}
		if first.StoreID == 0 {
			first = in
		}
		if in.Token != first.Token || in.Generation != first.Generation {
			t.Errorf("stored %v, want the first token, %v", in, first)
		}
		places = append(places, resp.Request.URL.String())
		at = consent
	}
	if places[0] != places[1] {
		t.Errorf("ended at %s and at %s", places[0], places[1])
	}
	if _, err := v202503.Store(srv.Client()).Get(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Seed failed for records whose id is no integer, although they were created.
func TestSeedCreatesRecordsOfAllIDs(t *testing.T) {
	srv := clienttest.New(t)
	named := client.NamedInput{Name: "Buenos Aires", Code: "AR"}
	id, err := srv.Seed(t.Context(), "/locations", client.LocationInput{Name: client.Text{"es_AR": "Depósito"}, Address: client.Set(client.LocationAddressInput{
		Zipcode: "1000", Street: "Florida", City: "Buenos Aires", Province: named, Region: named, Country: named,
	})})
	if id != 0 || err != nil {
		t.Errorf("a location: got %d, %v, want 0: its id is a ULID", id, err)
	}
	id, err = srv.Seed(t.Context(), "/categories", client.CategoryInput{Name: client.Text{"en": "Kitchen"}})
	if id <= 0 || err != nil {
		t.Errorf("a category: got %d, %v, want its id", id, err)
	}
}

// Two stores of a platform know nothing of each other but the app.
func TestAddStore(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Features: []string{client.FeatureFulfillmentLabels}})
	second, err := srv.AddStore(7)
	if err != nil {
		t.Fatal(err)
	}
	for _, taken := range []client.ID{7, srv.StoreID(), 0, -1} {
		if _, err := srv.AddStore(taken); err == nil {
			t.Errorf("store %s was made", taken)
		}
	}
	if _, err := second.Seed(t.Context(), "/products", client.ProductInput{Name: client.Text{"en": "Mug"}}); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[*clienttest.Server]int{srv: 0, second: 1} {
		page, err := v202503.Products(s.Client()).List(client.ProductFilter{}).Page(t.Context())
		if err != nil || page.Total != want {
			t.Errorf("store %s: %+v, %v; want %d products", s.StoreID(), page, err, want)
		}
		st, err := v202503.Store(s.Client()).Get(t.Context())
		if err != nil || st.ID != s.StoreID() || !slices.Contains(st.Features, client.FeatureFulfillmentLabels) {
			t.Errorf("store %s: %+v, %v", s.StoreID(), st, err)
		}
	}
	if err := srv.Listen("127.0.0.1:0"); err != nil || second.URL() != srv.URL() {
		t.Errorf("%s and %s, %v; want one address", srv.URL(), second.URL(), err)
	}
}

// Every call of the client that a strict server handed out was 401, and so was every Seed.
func TestClientOfAStrictServer(t *testing.T) {
	srv := clienttest.New(t, clienttest.Options{Strict: true, Demo: true})
	other, err := srv.AddStore(77)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*clienttest.Server{srv, other} {
		if _, err := s.Seed(t.Context(), "/categories", client.CategoryInput{Name: client.Text{"en": "Kitchen"}}); err != nil {
			t.Errorf("store %d: seed: %v", s.StoreID(), err)
		}
		for _, version := range []client.Version{client.VersionV1, client.Version202503} {
			if _, err := (*client.StoreService)(engine.At((*engine.Core)(s.Client("read_products")), string(version))).Get(t.Context()); err != nil {
				t.Errorf("store %d, %s: %v", s.StoreID(), version, err)
			}
		}
	}
}
