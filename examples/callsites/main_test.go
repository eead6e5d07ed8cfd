package main

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t, "carts") }

// Parts are played in the order of README, and an unknown one plays nothing.
func TestParts(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"disputes", "rates"}, "", &out); err != nil {
		t.Fatal(err)
	}
	if want := "delivery: Standard 13.50 ARS\nchargeback: under_review and 25.50 withheld\n"; out.String() != want {
		t.Errorf("printed %q, want %q", &out, want)
	}
	err := run(t.Context(), []string{"rates", "rate"}, "", nil)
	if err == nil || !strings.Contains(err.Error(), `part "rate": must be one of install, products`) {
		t.Errorf("got %v", err)
	}
}

func TestCallsites(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), nil, "", &out); err != nil {
		t.Fatal(err)
	}
	const want = `installed: the browser ends at "welcome", and the token opens store 1001
published, although the answer was lost: [Taza]
changed: Taza
washed by hand
made of clay or glass
on sale for 18.00 instead of 20.00 and then 22.00
a product that does not exist: gone
category Mugs, although the answer was lost; again: begin intent: it was begun before; 1 in the store
paid order: 42 answered with 200
store/redact: the data of store 1001 is deleted
uninstalled: oauth: app is not installed in the store: 1001
app/uninstalled: stale: not about the installation as it is now
installed again: store 1001
a cart of 40.00 costs 36.00
an empty cart is blocked by app 2001, one with a mug is free to go: true
delivery: Standard 13.50 ARS
chargeback: under_review and 25.50 withheld
payment: 201 accepted
order: paid, packed; plan "standard"
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}

// README: test
func TestImportSurvivesALostAnswer(t *testing.T) {
	platform := clienttest.New(t) // in memory, no network; ends with the test
	err := platform.Fault(clienttest.Fault{Operation: "POST /products", Count: 1, Reset: true, After: true})
	if err != nil {
		t.Fatal(err)
	}
	c := platform.Client()
	if _, err := importMug(t.Context(), c); err != nil { // a function of your app
		t.Fatal(err)
	}
	page, err := v202503.Products(c).List(client.ProductFilter{}).Page(t.Context())
	if err != nil || page.Total != 1 {
		t.Errorf("got %+v, %v, want one product", page, err)
	}
}

// end
