package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

// person does a job in the console, and counts the clicks.
type person struct {
	*stage
	clicks int
}

// link clicks a link of the page that leads to another page with the text.
func (p *person) link(text, then string) {
	p.T.Helper()
	p.clicks++
	p.Follow(then, chromedp.Click(`(//a[contains(normalize-space(), "`+text+`")])[1]`))
}

// button clicks a button, whose outcome appears beside it.
func (p *person) button(label, then string) {
	p.T.Helper()
	p.clicks++
	before := browsertest.Value[string](p.Page, did)
	p.Do("click "+label, chromedp.Click(`(//form[.//button[normalize-space()="`+label+`"]]//button)[1]`))
	p.outcome(before, then)
}

// did is the number of the last outcome on the page.
const did = `document.body.dataset.did`

// outcome waits for the next outcome, which has the text.
func (st *stage) outcome(before, then string) {
	st.T.Helper()
	quoted, err := json.Marshal(then)
	if err != nil {
		st.T.Fatal(err)
	}
	st.Await(fmt.Sprintf(`%s !== %q && document.body.innerText.includes(%s)`, did, before, quoted))
}

// sees fails unless a text is in the window, without scrolling, and returns how far down it is.
func (p *person) sees(text string) int {
	p.T.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		p.T.Fatal(err)
	}
	box := browsertest.Value[[]float64](p.Page, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll("main *, #clock *")].filter(e => e.checkVisibility() && e.innerText?.includes(%s));
		const box = all.find(e => ![...e.children].some(c => all.includes(c)))?.getBoundingClientRect();
		return box ? [box.top, box.bottom, innerHeight] : [];
	})()`, quoted))
	switch {
	case len(box) == 0:
		p.T.Fatalf("%s: the page does not have %q:\n%s", p.View(), text, browsertest.Value[string](p.Page,
			"document.body.innerText"))
	case box[0] < 0 || box[1] > box[2]:
		p.T.Errorf("%s: %q is not on the first screen, but at %.0f of %.0f", p.View(), text, box[0], box[2])
	}
	return int(box[0])
}

// job is a question of a developer, with the most clicks that it may take.
type job struct {
	name string
	most int
	do   func(p *person) (px int)
}

// Ten jobs in at most as many clicks as they may take. The answer is on the first screen, at a desk and on a phone.
func TestTenJobs(t *testing.T) {
	t.Parallel()
	for _, width := range []int{browsertest.Desk, browsertest.Phone} {
		for _, j := range jobs() {
			t.Run(fmt.Sprintf("%d/%s", width, j.name), func(t *testing.T) {
				t.Parallel()
				st := openStage(t)
				st.Page = browser.Open(t, browsertest.View{Width: width})
				p := &person{stage: st}
				px := j.do(p)
				if p.clicks > j.most {
					t.Errorf("%d clicks, want at most %d", p.clicks, j.most)
				}
				t.Logf("%d px wide: %d clicks, answer at %d px", width, p.clicks, px)
				p.Check()
				if *pictures != "" {
					p.Picture(*pictures, "job-"+strings.ReplaceAll(j.name, " ", "-"))
				}
			})
		}
	}
}

func jobs() []job {
	return []job{
		{"a discount vanished", 1, vanished}, {"a failed webhook", 2, failedWebhook}, {"paid and shipped", 2, paidAndShipped},
		{"a late rate", 2, lateRate}, {"ninety days", 2, ninetyDays}, {"a refused request", 2, refusedRequest},
		{"two deliveries", 3, twoDeliveries}, {"the payload", 2, payloadChange}, {"a rule that blocks", 2, ruleBlocks},
		{"a thousand deliveries", 2, thousand},
	}
}

// discounted registers the app for discounts of a promotion, and returns a function that sets the answer.
func (st *stage) discounted() func(percent string) {
	st.T.Helper()
	st.control("POST", "seed",
		`{"records":[{"method":"PUT","path":"/discounts/callbacks","body":{"url":"https://app.example/carts"}},
		{"path":"/promotions","body":{"name":"Ten percent","allocation_type":"cross_items"}}]}`, nil)
	var promotions struct{ Items []struct{ ID string } }
	st.control("GET", "stores/1001/entities/promotions", "", &promotions)
	return func(percent string) {
		st.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":%q,"currency":"ARS",
				"discount_specs":{"type":"percentage","amount":%q}}}]}`, promotions.Items[0].ID, percent)
		})
	}
}

// replayed sends the cart until the app has answered in time, which takes more tries on a busy machine.
func (st *stage) replayed(outcome string) {
	st.T.Helper()
	for {
		var got struct{ Runs []struct{ Outcome string } }
		st.control("POST", "stores/1001/carts/1000147/replay", "", &got)
		if len(got.Runs) > 0 && got.Runs[0].Outcome == outcome {
			return
		}
	}
}

func vanished(p *person) int {
	answer := p.discounted()
	answer("10.00")
	p.replayed("applied")
	answer("110.00")
	p.replayed("removed")
	p.Visit(p.at, "Newest problems")
	p.link("Cart 1000147", "vanished:")
	p.sees("Ten percent")
	return p.sees("the discounts of all apps were removed")
}

func failedWebhook(p *person) int {
	fail := true
	p.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) {
		if fail {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	p.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"order/created","url":"https://app.example/hooks"}}]}`, nil)
	p.control("POST", "stores/1001/carts/1000147/buy", `{"contact":{"name":"Eva","email":"eva@mail.example"}}`, nil)
	p.control("POST", "settle", "", nil)
	fail = false
	p.Visit(p.at, "Newest problems")
	p.Press("/")
	p.Follow("Everything that happened", chromedp.KeyEvent("eva@mail.example"), chromedp.KeyEvent(kb.Enter))
	p.link("webhook order/created", "Attempts")
	p.button("Send again", "was sent again")
	p.control("POST", "settle", "", nil)
	p.Await(`document.body.innerText.includes("delivered")`)
	return p.sees("was sent again")
}

func paidAndShipped(p *person) int {
	p.control("POST", "stores/1001/carts/1000147/buy", `{"contact":{"name":"Eva","email":"eva@mail.example"}}`, nil)
	p.Visit(p.at, "Newest problems")
	p.link("Orders", "Pay and ship #105")
	p.button("Pay and ship #105", "Pay and ship #105: done.")
	p.sees("open, paid, fulfilled")
	return p.sees("Pay and ship #105: done.")
}

func lateRate(p *person) int {
	p.partnerAnswers(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5300 * time.Millisecond)
		fmt.Fprint(w, `{"rates":[]}`)
	})
	p.control("POST", "seed", `{"records":[
		{"path":"/shipping_carriers","body":{"name":"Post","callback_url":"https://app.example/rates","types":"ship"}}]}`, nil)
	p.control("POST", "stores/1001/carts/1000147/quote", `{"to":{"country":"AR","postal_code":"2000"}}`, nil)
	for late := false; !late; { // the platform reads on
		var rates struct{ Items []struct{ Line string } }
		p.control("GET", "log?kind=rate", "", &rates)
		late = strings.Contains(rates.Items[0].Line, "too late")
	}
	p.Visit(p.at, "Newest problems")
	p.link("rate ", "Headers of the request")
	return p.sees("too late")
}

func ninetyDays(p *person) int {
	p.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	p.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	p.emit(3)
	p.Visit(p.at, "Newest problems")
	p.button("Move to", "It is now 2025-04-01")
	p.sees("webhook given up")
	return p.sees("It is now 2025-04-01")
}

func refusedRequest(p *person) int {
	var info struct {
		Token string `json:"access_token"`
	}
	p.control("GET", "info", "", &info)
	p.request(info.Token, "GET", "/store", "")
	p.request(info.Token, "POST", "/products", `{"name":7}`)
	p.Visit(p.at, "Newest problems")
	p.link("requests of apps refused or failed", "Everything that happened")
	return p.sees("422")
}

func twoDeliveries(p *person) int {
	p.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	for _, name := range []string{"one", "two"} {
		p.control("POST", "stores/1001/emit", `{"event":"domain/updated","fields":{"domain":"`+name+`.example"}}`, nil)
	}
	p.control("POST", "settle", "", nil)
	p.Visit(p.at, "Newest problems")
	p.link("Log", "Everything that happened")
	p.link("webhook domain/updated", "Attempts")
	p.link("Compare with the previous one", "Further differences")
	return p.sees(`"two.example"`)
}

func payloadChange(p *person) int {
	p.discounted()("10.00")
	p.replayed("applied")
	p.Visit(p.at+"cart?cart=1000147", "Checkout")
	p.button("Add", "The total is")
	p.link("Changes of the payload", "The payload compared with the previous one")
	return p.sees(`"quantity": 2`)
}

func ruleBlocks(p *person) int {
	p.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"command":"block_checkout","detail":{}}`)
	})
	p.Visit(p.at+"cart?cart=1000147", "Checkout")
	p.link("Rules", "Registered rules")
	p.button("Register for cart and ask", "The purchase may not be completed: blocked by app 2001")
	return p.sees("The purchase may not be completed: blocked by app 2001")
}

func thousand(p *person) int {
	p.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	p.emit(900)
	p.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	p.emit(100)
	p.Visit(p.at, "Newest problems")
	p.link("Charts", "Time of webhooks")
	p.sees("1000")
	p.sees("900")
	return p.sees("failing")
}

// With keys alone: g and a letter goes to a page, / searches, ? shows the keys, and the clock moves by the tab key.
func TestConsoleKeys(t *testing.T) {
	t.Parallel()
	for _, width := range []int{browsertest.Desk, browsertest.Phone} {
		st := openStage(t)
		st.Page = browser.Open(t, browsertest.View{Width: width})
		st.discounted()("10.00")
		st.replayed("applied")
		st.Visit(st.at, "Newest problems")
		for _, page := range []struct{ key, text string }{
			{"l", "Everything that happened"}, {"h", "Time of webhooks"}, {"r", "Other records with states"}, {"e",
				"Tables of store"},
			{"s", "Send a privacy request"}, {"f", "How the platform sends and judges calls"}, {"a", "labels.generate"}, {"c",
				"Begin a cart"},
		} {
			st.Press("g")
			st.Follow(page.text, chromedp.KeyEvent(page.key))
		}
		st.Press("?")
		st.Await(`document.getElementById("keys").open`)
		st.Check()
		st.Press(kb.Escape)
		st.Await(`!document.getElementById("keys").open && document.activeElement === document.body`)
		st.TabTo("1000147")
		st.Follow("Checkout", chromedp.KeyEvent(kb.Enter))
		st.press("Send to the apps again", "The total is")
		st.press("+7 d", "It is now 2025-01-08")
		st.Press(kb.Escape)
		st.Act("document.activeElement.blur()")
		st.Press("/")
		st.Await(`document.activeElement.id === "find"`)
		st.Follow("Everything that happened", chromedp.KeyEvent("1000147 g?/"), chromedp.KeyEvent(kb.Enter))
		if got := browsertest.Value[string](st.Page,
			`new URL(location.href).searchParams.get("search")`); got != "1000147 g?/" {
			t.Errorf("%d: searched %q", width, got)
		}
	}
}

// The numbers of the charts are those of the control API.
func TestChartsHaveTheNumbersOfTheAPI(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	st.control("POST", "seed",
		`{"records":[{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	st.emit(9)
	st.control("POST", "clock/advance", `{"by":"2m"}`, nil)
	st.partnerAnswers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	st.emit(6)
	var want struct {
		Parts []struct{ N, Problems, Waiting, Failing int }
		Total struct{ N, Failing int }
	}
	st.control("GET", "series?of=webhooks&over=10m", "", &want)
	st.Visit(st.at+"charts", "Time of webhooks")
	got := browsertest.Value[[][]string](st.Page, `[...document.querySelectorAll("table.plain")].slice(0, 2).map(t =>
		[...t.tBodies[0].rows].map(r => [...r.cells].slice(1).map(c => c.textContent).join(" ")))`)
	for i, p := range want.Parts {
		rate, open := fmt.Sprint(p.N, p.Problems), fmt.Sprint(p.Waiting, p.Failing)
		if got[0][i] != rate || got[1][i] != open {
			t.Errorf("part %d: the page has %q and %q, want %q and %q", i, got[0][i], got[1][i], rate, open)
		}
	}
	if want.Total.N != 15 || want.Total.Failing != 6 {
		t.Errorf("%+v", want.Total)
	}
	figures := browsertest.Value[string](st.Page,
		`[...document.querySelectorAll(".figures strong")].map(e => e.innerText).join(" ")`)
	if figures != "15 9 0 6 0" {
		t.Errorf("the figures are %s", figures)
	}
	st.CheckViews()
}
