package browser

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

// startFlagship builds examples/flagship, runs its demonstration, and returns the addresses of the app and of the
// console.
func startFlagship(t *testing.T) (app, console string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "flagship")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir, build.Env = filepath.Join("..", "..", "..", "examples", "flagship"), append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-listen", address, "-console", "127.0.0.1:0")
	command.Env = os.Environ()
	p := proctest.StartCommand(t, command)
	t.Cleanup(func() { p.Kill(t) })
	for {
		line := p.Line(t)
		if _, at, found := strings.Cut(line, "the console of the platform is at "); found {
			console = at
		}
		if strings.HasPrefix(line, "listening at ") {
			return "http://" + address, console
		}
	}
}

// press moves the focus to a button or link by the tabulator, presses it, and waits for a text of the next page.
func press(p *browsertest.Page, name, text string) {
	p.TabTo(name)
	p.Follow(text, chromedp.KeyEvent(kb.Enter))
	p.Check()
}

// act presses a button of the console, whose outcome appears beside it, and moves the focus to the top again.
func act(p *browsertest.Page, name, text string) {
	p.TabTo(name)
	before := browsertest.Value[string](p, did)
	p.Press(kb.Enter)
	p.Await(fmt.Sprintf("%s !== %q && document.body.innerText.includes(%q)", did, before, text))
	p.Check()
	p.Visit(browsertest.Value[string](p, "location.href.replace(/#.*/, '')"), text)
}

// A merchant installs the app and changes the offer; a customer gets a gift, is quoted a delivery and buys, in the
// console of the platform; and the merchant sees it. All of it with keys alone, but for the choice from a list.
func TestFlagship(t *testing.T) {
	t.Parallel()
	app, console := startFlagship(t)
	merchant := browser.Open(t, browsertest.View{})
	merchant.Visit(app, "Install the app")
	merchant.CheckViews()
	merchant.Look(browsertest.View{})
	press(merchant, "Install the app", "The offer")
	shows := func(text string) bool {
		return strings.Contains(browsertest.Value[string](merchant, "document.body.innerText"), text)
	}
	shown := func(text, page string) { // copies and webhooks arrive after a while
		for end := time.Now().Add(5 * time.Minute); !shows(text); merchant.Visit(app, page) {
			if time.Now().After(end) {
				t.Fatalf("the merchant's page does not show %q: %s", text, browsertest.Value[string](merchant, "document.body.innerText"))
			}
		}
	}
	shown("of which 3 are gifts", "The offer")
	merchant.TabTo("Highest price of a gift, empty for any")
	merchant.Follow(`The highest price "cheap" must be an amount`, chromedp.KeyEvent("cheap"), chromedp.KeyEvent(kb.Enter))
	merchant.Check()
	merchant.TabTo("Highest price of a gift, empty for any")
	merchant.Follow("The offer", chromedp.KeyEvent("6.00"), chromedp.KeyEvent(kb.Enter)) // the tabulator has selected the text
	if got := browsertest.Value[string](merchant, `document.querySelector('[name="most"]').value`); got != "6.00" {
		t.Errorf("the highest price is %q, want 6.00", got)
	}

	customer := browser.Open(t, browsertest.View{Width: browsertest.Desk})
	customer.Visit(console+"cart?cart=1000147", "Checkout")
	customer.Act(`{ const list = document.querySelector('select[name="number:variant"]');
		list.value = [...list.options].find(o => o.text.includes("Bicycle bell")).value }`)
	act(customer, "Add", "A gift from us")
	act(customer, "Ask the carriers", "By bicycle")
	customer.Act(`{ const list = document.querySelector('select[name="text:rate.code"]');
		list.value = [...list.options].find(o => o.text.includes("By bicycle")).value }`)
	act(customer, "Buy", "Bought: order #")

	shown("Gifts given\n1", "Today")
	for _, want := range []string{"Orders\n1", "Worth of gifts\n5.00", "Delivery quotes\n1"} {
		if !shows(want) {
			t.Errorf("the merchant's page does not show %q: %s", want, browsertest.Value[string](merchant, "document.body.innerText"))
		}
	}
	merchant.CheckViews()
	if *pictures != "" {
		for _, v := range browsertest.Views() {
			merchant.Look(v)
			merchant.Picture(*pictures, "flagship")
		}
	}
}
