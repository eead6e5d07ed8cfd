package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// stage is a server with its API, its console, a partner, and a page on which keys alone are pressed.
type stage struct {
	*testing.T
	*browsertest.Page
	at, api string // the console, and the API of the platform
	partner *httptest.Server
	handler http.Handler // the console

	mu     sync.Mutex
	answer http.HandlerFunc // the partner's
}

func openStage(t *testing.T) *stage {
	t.Helper()
	o := refserver.Options{Clock: clock.NewVirtual(clock.Start), LogAnswers: true, Seed: 1}
	o.Delivery.ReadLate = 30 * time.Second
	s := refserver.New(o)
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	platform := httptest.NewServer(s)
	t.Cleanup(platform.Close)
	a := control.New(control.Options{Server: s, Shop: shop, BaseURL: platform.URL})
	t.Cleanup(a.Close)
	a.Mount(console.New(a, contract.Files))
	at, err := a.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{T: t, handler: a, at: strings.TrimSuffix(at, control.Prefix[1:]), api: platform.URL}
	st.partner = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		st.mu.Lock()
		answer := st.answer
		st.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(st.partner.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	st.partnerAnswers(func(http.ResponseWriter, *http.Request) {})
	st.control("PUT", "partners", fmt.Sprintf(`{"origin":"https://app.example","targets":[%q]}`, st.partner.URL), nil)
	st.Page = browser.Open(t, browsertest.View{Width: browsertest.Desk})
	return st
}

func (st *stage) partnerAnswers(f http.HandlerFunc) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.answer = f
}

// control makes a call of the control API, for what a story begins with.
func (st *stage) control(method, path, body string, into any) {
	st.T.Helper()
	r, err := http.NewRequestWithContext(st.Context(), method, st.at+"_/api/"+path, strings.NewReader(body))
	if err != nil {
		st.T.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		st.T.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode == http.StatusOK && into != nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		st.T.Fatalf("%s %s: %s %s %v", method, path, answer.Status, raw, err)
	}
}

// press goes to a button with the tab key from the top of the page and presses it. The outcome beside it has the text.
func (st *stage) press(button, text string) {
	st.T.Helper()
	if browsertest.Value[bool](st.Page, "document.activeElement !== document.body || location.hash !== ''") {
		st.Visit(browsertest.Value[string](st.Page, "location.href.replace(/#.*/, '')"), "")
	}
	st.TabTo(button)
	before := browsertest.Value[string](st.Page, did)
	st.Press(kb.Enter)
	st.outcome(before, text)
	st.Check()
}

// sent presses the button that sends the cart, until the page has the text. On a busy machine the answer of a partner
// can take longer than a cart may wait, which the page says. Then a person would send it again.
func (st *stage) sent(text string) {
	st.T.Helper()
	for {
		st.press("Send to the apps again", "The total is")
		page := browsertest.Value[string](st.Page, "document.body.innerText")
		if strings.Contains(page, text) {
			return
		}
		if !strings.Contains(page, "no answer within 800ms") {
			st.T.Fatalf("the page does not have %q:\n%s", text, page)
		}
	}
}

// read is what a pattern finds on the page.
func (st *stage) read(pattern string) string {
	st.T.Helper()
	text := browsertest.Value[string](st.Page, "document.body.innerText")
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		st.T.Fatalf("nothing on the page is like %s:\n%s", pattern, text)
	}
	return m[1]
}

// status is what the API answers to a token.
func (st *stage) status(token string) int {
	st.T.Helper()
	r, err := http.NewRequestWithContext(st.Context(), http.MethodGet, st.api+"/v1/1001/store", nil)
	if err != nil {
		st.T.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+token)
	r.Header.Set("User-Agent", "Story (dev@app.example)")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		st.T.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

const tokenShape = `"access_token": "([0-9a-f]+)"`

// answer is the whole answer beside the button.
func (st *stage) answerOf() string {
	st.T.Helper()
	return browsertest.Value[string](st.Page, `document.querySelector(".said pre").textContent`)
}

// token is the token of the answer beside the button.
func (st *stage) token() string {
	st.T.Helper()
	m := regexp.MustCompile(tokenShape).FindStringSubmatch(st.answerOf())
	if m == nil {
		st.T.Fatalf("no token in %s", st.answerOf())
	}
	return m[1]
}

// An app is taken out, installed and installed again: each token works until the next one.
func TestStoryOfInstalling(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	st.Visit(st.at+"stores", "Store 1001")
	st.TabTo("Uninstall")
	st.Follow("The app loses its token", chromedp.KeyEvent(kb.Enter))
	st.TabTo("Uninstall")
	st.Follow("No app is installed", chromedp.KeyEvent(kb.Enter))
	st.press("Install", "Install: done.")
	first := st.token()
	if got := st.status(first); got != http.StatusOK {
		t.Errorf("the token of the installation: %d", got)
	}
	st.press("Reinstall", "Reinstall: done.")
	if second := st.token(); st.status(second) != http.StatusOK || st.status(first) != http.StatusUnauthorized {
		t.Errorf("after the second installation: %d, and %d for the first", st.status(second), st.status(first))
	}
}

// A cart gets a discount; a command that is not valid takes it away, with the reason; a partner that sleeps is late.
func TestStoryOfTheCart(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	answer := st.discounted()
	answer("10.00")
	st.Visit(st.at+"cart?cart=1000147", "registered for discounts")
	st.sent("-2600.00")
	st.read(`(applied)`)
	answer("110.00")
	st.sent("the discounts of all apps were removed")
	st.read(`Vanished\s+Ten percent (vanished: .*: commands\[0\])`)
	answer("10.00")
	st.sent("-2600.00")
	st.partnerAnswers(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(900 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	st.press("Send to the apps again", "no answer within 800ms")
}

// A cart is bought, and the order paid, packed and sent by the buttons of its graphs.
func TestStoryOfAnOrder(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	var bought struct{ Order json.Number }
	st.control("POST", "stores/1001/carts/1000147/buy", `{"contact":{"name":"Eva","email":"eva@mail.example"}}`, &bought)
	order := bought.Order.String()
	st.Visit(st.at+"entities?resource=orders&key="+order, "order payment status: now pending")
	st.press("mark as paid", "order payment status: now paid")
	var parcels struct {
		Items []struct {
			ID      string
			OrderID json.Number `json:"order_id"`
		}
	}
	st.control("GET", "stores/1001/entities/fulfillment_orders?limit=200", "", &parcels)
	parcel := parcels.Items[len(parcels.Items)-1]
	if parcel.OrderID.String() != order {
		t.Fatalf("the newest parcel is of order %s, not %s", parcel.OrderID, order)
	}
	st.Visit(st.at+"entities?resource=fulfillment_orders&key="+parcel.ID, "now UNPACKED")
	st.press("PACKED", "now PACKED")
	st.press("DISPATCHED", "now DISPATCHED")
	st.press("UNPACKED", "status 4")
	st.Await(`document.querySelector("form .alarm") !== null`) // the refusal stands beside the button
	st.Visit(st.at+"entities?resource=orders&key="+order, "open, paid, fulfilled")
}

// A webhook fails three times, and the jump to the next attempt delivers the fourth.
func TestStoryOfAWebhook(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	n := 0
	st.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n < 4 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	st.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"product/created","url":"https://app.example/hooks"}},
		{"path":"/products","body":{"name":{"en":"Pot"}}}]}`, nil)
	st.control("POST", "settle", "", nil)
	st.Visit(st.at+"log?kind=webhook", "status 503: must be 2xx")
	st.TabTo("webhook product/created")
	st.Follow("Attempts", chromedp.KeyEvent(kb.Enter))
	const attempts = `[...document.querySelectorAll("section")].find(s => s.dataset.key === "Attempts").querySelectorAll("tbody tr").length`
	st.press("Run next", "due event ran")
	if got := browsertest.Value[int](st.Page, attempts); got != 3 {
		t.Fatalf("%d attempts", got)
	}
	st.press("Run next", "delivered")
	if got := browsertest.Value[int](st.Page, attempts); got != 4 {
		t.Errorf("%d attempts", got)
	}
}

// Picked webhooks are sent again by one button, with keys alone. The outcome beside it counts them.
func TestStoryOfPickedWebhooks(t *testing.T) {
	t.Parallel()
	st := openWebhooks(t, 3, browsertest.View{})
	st.TabTo("Pick all")
	st.Press(kb.Enter)
	st.TabTo("Send again")
	before := browsertest.Value[string](st.Page, did)
	st.Press(kb.Enter)
	st.outcome(before, "Send again: 3 of 3 rows done.")
	st.Check()
	if at := browsertest.Value[string](st.Page, "location.pathname + document.querySelector('[name=with]').checked"); at != "/logfalse" {
		t.Errorf("after it, the page is %s", at)
	}
}

// After 500 calls that failed the circuit of the carrier is open, and the customer sees the fallback.
func TestStoryOfTheCircuit(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	st.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	st.control("POST", "seed", `{"records":[
		{"path":"/shipping_carriers","body":{"name":"Post","callback_url":"https://app.example/rates","types":"ship"}}]}`, nil)
	st.control("PUT", "stores/1001/fallback",
		`{"options":[{"name":"Any post","price":"9.00","min_days":3,"max_days":5}]}`, nil)
	for i := range 500 {
		st.control("POST", "stores/1001/quotes", fmt.Sprintf(`{"to":{"country":"AR","postal_code":"%d"},
			"items":[{"id":1,"name":"Pot","quantity":1,"grams":500,"price":"10.00"}]}`, 1000+i), nil)
	}
	st.Visit(st.at+"cart?cart=1000147&view=rates", "Circuits")
	st.press("Ask the carriers", "Any post")
	st.read(`Next check \(UTC\)\s+Post \d+\s+(open)`)
}

// The platform refuses in words what the table of disputes has no edge for.
func TestStoryOfADispute(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	var sale struct {
		Order       json.Number
		Transaction string
	}
	st.control("POST", "stores/1001/sales", `{"amount":"120.00"}`, &sale)
	st.control("POST", "seed",
		fmt.Sprintf(`{"records":[{"version":"v1","path":"/orders/%s/transactions/%s/disputes","body":{
		"reason_code":"fraudulent_activity","external_reason_code":"fraud","amount":{"value":"120.00","currency":"ARS"},
		"retained_total":{"value":"0.00","currency":"ARS"},"initiated_at":"2025-01-01T12:00:00.000Z"}}]}`, sale.Order, sale.Transaction), nil)
	var disputes struct{ Items []struct{ ID string } }
	st.control("GET", "stores/1001/entities/disputes", "", &disputes)
	st.Visit(st.at+"entities?resource=disputes&key="+disputes.Items[0].ID, "now needs_response")
	st.press("documentation_sent", "now documentation_sent")
	st.press("won", "status 4")
	st.Await(`document.querySelector("form .alarm") !== null`)
	if why := browsertest.Value[string](st.Page,
		`document.querySelector("form .alarm").innerText`); !strings.Contains(why, "status 4") || !strings.Contains(why, "won") {
		t.Errorf("the refusal says %q", why)
	}
}
