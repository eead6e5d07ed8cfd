package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

// Without a script every page does what it is for, by its links and buttons, and offers nothing that requires one.
func TestConsoleWithoutScript(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	st.control("POST", "seed", `{"records":[
		{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	st.Page = browser.Open(t, browsertest.View{NoScript: true})
	button := func(label string) chromedp.Action[chromedp.Void] {
		return chromedp.Click(`(//form[.//button[normalize-space()="` + label + `"]]//button)[1]`)
	}
	link := func(text string) chromedp.Action[chromedp.Void] {
		return chromedp.Click(`(//main//a[normalize-space()="` + text + `"])[1]`)
	}
	for _, page := range []struct {
		address, text string
		act           chromedp.Action[chromedp.Void]
		then          string // what the page has after it
	}{
		{"", "2025-01-01 12:00:00Z", button("+1 h"), "It is now 2025-01-01 13:00:00Z"},
		{"stores", "Suspended", button("Suspend"), "Suspended\nyes"},
		{"stores", "Suspended", button("Resume"), "Suspended\nno"},
		{"entities?resource=products", "Plain T-shirt", chromedp.Click(`(//main//tbody//a)[1]`), "Linked records"},
		{"cart?cart=1000147", "Checkout", button("Add"), "The total is"},
		{"faults", "Send an event", button("Send an event"), "Send an event: done."},
		{"log?kind=webhook", "domain/updated", link("webhook domain/updated"), "Send again"},
		{"log?kind=webhook", "domain/updated", link("webhook domain/updated"), "Headers of the request"},
		{"orders", "Orders of store", button("Make a paid order"), "A paid order was made."},
		{"entities?resource=orders&key=1000111", "States of order status", button("cancel"), "now cancelled"},
		{"faults", "No fault is armed", button("Arm"), "products.create"},
		{"", "Reset all", button("Reset all"), "Reset all?"},
		{"charts", "The last 10 minutes", link("hour"), "The last hour"},
	} {
		st.Visit(st.at+page.address, page.text)
		if browsertest.Value[bool](st.Page, `Boolean(document.querySelector("#live")?.checkVisibility())`) {
			t.Errorf("/%s offers to update itself", page.address)
		}
		if page.act != nil {
			st.Follow(page.then, page.act)
			if why := browsertest.Value[string](st.Page, `document.querySelector(".alarm")?.innerText ?? ""`); why != "" {
				t.Errorf("/%s: %s", page.address, why)
			}
		}
	}
	st.Visit(st.at+"orders", "Pay and ship #104")
	st.Follow("Pay and ship: 1 of 1 row done.", chromedp.Click(`//input[@value="1000121"]`),
		chromedp.Click(`//button[normalize-space()="Pay and ship"]`))
	st.status("none")
	st.Visit(st.at+"log?kind=request", "request GET /store")
	st.Follow("As curl", link("request GET /store"))
	st.Check()
}
