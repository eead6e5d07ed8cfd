package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// openConsole is a console of a demo store in which something has happened, and its address.
func openConsole(t *testing.T) string {
	t.Helper()
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start), LogAnswers: true, Seed: 1})
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := control.New(control.Options{Server: s, Shop: shop, BaseURL: "http://127.0.0.1:8080"})
	t.Cleanup(a.Close)
	a.Mount(console.New(a, contract.Files))
	at, err := a.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range [][2]string{
		{"seed", `{"records":[
			{"path":"/webhooks","body":{"event":"product/created","url":"https://app.example/hooks"}},
			{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
			{"path":"/promotions","body":{"name":"Ten percent","allocation_type":"line_item"}},
			{"path":"/shipping_carriers","body":{"name":"Post","callback_url":"https://app.example/rates","types":"ship"}},
			{"path":"/products","body":{"name":{"en":"<img src=x onerror=alert(1)>` + strings.Repeat("long", 30) + `"},"variants":[{"price":"40.00"}]}}]}`},
		{"stores/1001/sales", `{"amount":"12.00"}`},
		{"stores/1001/carts/1000147/coupon", `{"code":"WELCOME10"}`},
		{"stores/1001/carts/1000147/quote", `{"to":{"country":"AR"}}`},
		{"faults", `{"operation":"POST /products","status":503}`},
		{"snapshots", `{"name":"before"}`},
		{"settle", ``},
	} {
		answer, err := http.Post(at+one[0], "application/json", strings.NewReader(one[1]))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", one[0], answer.Status)
		}
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return strings.TrimSuffix(at, control.Prefix[1:])
}

// consolePages is every page of the console and every kind of it.
func consolePages() []shownPage {
	return []shownPage{
		{"", "Newest problems"},
		{"stores", "Send a privacy request"},
		{"entities", "Fulfillment orders"},
		{"entities?resource=products", "Plain T-shirt"},
		{"entities?resource=orders&key=1000111", "States of order status"},
		{"cart", "Begin a cart"},
		{"cart?cart=1000147", "Checkout"},
		{"log", "Everything that happened"},
		{"log?kind=webhook&state=problem", "Everything that happened"},
		{"log?id=1", "Log"},
		{"charts", "Time of webhooks"},
		{"orders", "Other records with states"},
		{"faults", "End fault 1"},
		{"acts", "labels.generate"},
		{"acts?act=carts.buy", "Turns a cart into an order"},
		{"log?id=7777", "does not exist"},
		{"nowhere", "There is no such page"},
	}
}

// Every page of the console fits the width, logs nothing, is within its policy and has no finding of axe-core.
func TestConsolePages(t *testing.T) {
	t.Parallel()
	at := openConsole(t)
	p := browser.Open(t, browsertest.View{})
	for _, page := range consolePages() {
		p.Visit(at+page.address, page.text)
		p.CheckViews()
		if n := browsertest.Value[int](p, fromOutside); n != 0 {
			t.Errorf("%s: %d elements are made of a text from outside", page.address, n)
		}
		takePictures(p, "console", page)
	}
}
