package discounts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// probe is a Handler that keeps what it is told.
type probe struct {
	*Handler
	mu      sync.Mutex
	failed  []*Failure
	answers []Answer
}

// newProbe has the promotions of the corpus and lets everybody in. change may be nil.
func newProbe(t testing.TB, plans Plans, change func(*Handler)) *probe {
	t.Helper()
	p := &probe{}
	p.Handler = &Handler{
		Plans: plans, Promotions: always(t, readCorpus(t).Promotions...), Guarded: true,
		OnFailure: func(ctx context.Context, f *Failure) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.failed = append(p.failed, f)
			if ctx.Err() != nil { // it is what the report would be sent with
				t.Errorf("%v is reported with a context that has ended: %v", f, ctx.Err())
			}
		},
		OnAnswered: func(_ context.Context, a Answer) {
			p.mu.Lock()
			defer p.mu.Unlock()
			if !a.Refused { // those have tests of their own
				p.answers = append(p.answers, a)
			}
		},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(p.Handler)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *probe) failures() []*Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Failure(nil), p.failed...)
}

// post sends a body as the platform does.
func post(h http.Handler, body []byte) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/carts", bytes.NewReader(body)))
	return w
}

var (
	lineID  = uuid.MustParse("11111111-1111-4111-8111-111111111111") // acts on lines 101 and 102
	otherID = uuid.MustParse("44444444-4444-4444-8444-444444444444") // of another app, acts on line 103
)

const removesLine = `{"commands":[{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["11111111-1111-4111-8111-111111111111"]}}]}`

// half takes 50 percent off every line.
func half(_ context.Context, p *LinePlan) error {
	fifty, err := BasisPoints(5000)
	if err != nil {
		return err
	}
	offer, ok := p.Named("Three for two")
	if !ok {
		return errors.New("no promotion")
	}
	for _, line := range p.Lines() {
		p.Discount(offer, line, fifty)
	}
	return nil
}

func nothing(context.Context, *LinePlan) error { return nil }

func TestHandlerAnswers(t *testing.T) { synctest.Test(t, testHandlerAnswers) }

func testHandlerAnswers(t *testing.T) {
	c := readCorpus(t)
	cart := string(c.Carts["line_item"])
	bare := strings.Replace(cart, `"promotions": [{"id": "`+lineID.String()+`"`, `"promotions": [{"id": "x"`, 1)
	const fifty = `{"line_item":"101","discount_specs":{"type":"percentage","amount":"50.00"}}`
	for _, v := range []struct {
		name, body string
		plans      Plans
		status     int
		answer     string
		err        error
	}{
		{"half of everything", cart, Plans{LineItems: half}, 200, fifty, nil},
		{"an empty plan where something acts", cart, Plans{LineItems: nothing}, 200, removesLine, nil},
		{"no plan of the tier where something acts", cart, Plans{CrossItems: func(context.Context,
			*CrossPlan) error {
			return nil
		}}, 200, removesLine, nil},
		{"an empty plan where nothing of ours acts", bare, Plans{LineItems: nothing}, 204, "", nil},
		{"a plan that fails", cart, Plans{LineItems: func(context.Context,
			*LinePlan) error {
			return io.ErrUnexpectedEOF
		}}, 204, "", io.ErrUnexpectedEOF},
		{"a plan that panics", cart, Plans{LineItems: func(context.Context, *LinePlan) error { panic(io.ErrNoProgress) }},
			204, "", io.ErrNoProgress},
		{"no cart", "{}", Plans{LineItems: half}, 204, "", ErrMalformed},
		{"too much", cart + strings.Repeat(" ", DefaultMaxBody), Plans{LineItems: half}, 204, "", ErrMalformed},
		{"commands by hand", cart, Plans{Raw: func(_ context.Context, cart *Cart, own []promotions.Promotion, out *Commands) error {
			out.RemoveLines(own[0].ID, 102)
			return nil
		}}, 200, `{"scope":"line_item","promotion_id":"` + lineID.String() + `","line_items":["102"]}`, nil},
		{"no commands by hand", cart, Plans{Raw: func(context.Context, *Cart, []promotions.Promotion,
			*Commands) error {
			return nil
		}}, 204, "", nil},
		{"invalid commands by hand", cart, Plans{Raw: func(_ context.Context, _ *Cart, _ []promotions.Promotion, out *Commands) error {
			out.Remove(lineID, otherID)
			return nil
		}}, 204, "", ErrInvalid},
		{"commands that cannot be written", cart, removes(func() {}), 204, "", ErrInvalid},
		{"commands that panic when written", cart, removes(bomb{}), 204, "", io.ErrShortWrite},
		{"commands that end too early", cart, removes(json.RawMessage(`{"scope":`)), 204, "", ErrInvalid},
		{"commands that close what is around them", cart, removes(json.RawMessage(`{}},{"command":"remove_discount","specs":{}`)), 204, "", ErrInvalid},
		{"commands that are nothing", cart, removes(json.RawMessage(" ")), 204, "", ErrInvalid},
		{"commands with one name twice", cart, removes(json.RawMessage(`{"scope":"cart","scope":"cart","promotion_ids":["` + lineID.String() + `"]}`)), 204, "", ErrInvalid},
		{"commands that are not UTF-8", cart, Plans{Raw: func(_ context.Context, cart *Cart, own []promotions.Promotion,
			out *Commands) error {
			ten, err := Percent(client.MustMoney("10"))
			out.DiscountLines(own[0].ID, cart.Currency, map[string]string{"es-ar": "\xff"}, LineDiscount{102, ten})
			return err
		}}, 204, "", ErrInvalid},
		{"commands with space between their parts", cart, removes(json.RawMessage("\n{ \"scope\" : \"cart\" ,\t\"promotion_ids\" : [ \"" + lineID.String() + "\" ] }\r\n")), 200,
			lineID.String(), nil},
	} {
		p := newProbe(t, v.plans, nil)
		w := post(p, []byte(v.body))
		if w.Code != v.status || !strings.Contains(w.Body.String(), v.answer) || w.Code == 204 && w.Body.Len() > 0 {
			t.Errorf("%s: got %d %s, want %d …%s…", v.name, w.Code, w.Body, v.status, v.answer)
		}
		if w.Code == 200 {
			if err := Validate(c.cart(t, promotions.TierLineItems), c.Promotions, w.Body.Bytes()); err != nil ||
				w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s: %v, Content-Type %q", v.name, err, w.Header().Get("Content-Type"))
			}
			if strings.Contains(w.Body.String(), otherID.String()) {
				t.Errorf("%s: touches another app's promotion: %s", v.name, w.Body)
			}
		}
		failed := p.failures()
		switch {
		case v.err == nil && len(failed) > 0, v.err != nil && len(failed) != 1:
			t.Errorf("%s: reported %v, want %v", v.name, failed, v.err)
		case v.err != nil && !errors.Is(failed[0], v.err):
			t.Errorf("%s: reported %v, want %v", v.name, failed[0], v.err)
		case strings.Contains(v.name, "panic") && (len(failed[0].Stack) == 0 || failed[0].CartID != "7001" ||
			failed[0].StoreID != 123):
			t.Errorf("%s: reported %+v", v.name, failed[0])
		}
		if len(p.answers) != 1 || p.answers[0].Status != v.status || (p.answers[0].Err == nil) != (v.err == nil) ||
			p.answers[0].Took != 0 {
			t.Errorf("%s: answered %+v", v.name, p.answers)
		}
		if a := p.answers[0]; v.err != ErrMalformed && (!a.Ran || a.StoreID != 123 || a.CartID != "7001" ||
			a.Tier != promotions.TierLineItems) {
			t.Errorf("%s: answered %+v", v.name, a)
		}
	}
}

// removes plans a remove_discount with specs that are the app's own.
func removes(specs any) Plans {
	return Plans{Raw: func(_ context.Context, _ *Cart, _ []promotions.Promotion, out *Commands) error {
		out.Add("remove_discount", specs)
		return nil
	}}
}

type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic(io.ErrShortWrite) }

// What a plan wants in vain costs its promotion, and no other.
func TestHandlerDropsPromotions(t *testing.T) { synctest.Test(t, testHandlerDropsPromotions) }

func testHandlerDropsPromotions(t *testing.T) {
	var kept LinePromotion
	var line Line
	plans := Plans{LineItems: func(_ context.Context, p *LinePlan) error {
		three, _ := p.Named("Three for two")
		bundle, _ := p.Promotion(uuid.MustParse("22222222-2222-4222-8222-222222222222"))
		ten, err := Minor(1001)
		if err != nil {
			return err
		}
		p.Discount(bundle, p.Lines()[0], ten)
		p.Discount(three, p.Lines()[0], ten)
		p.Discount(three, p.Lines()[2], ten) // costs 10.00
		if kept, line = three, p.Lines()[0]; len(p.Promotions()) != 2 || p.Cart().ID != "7001" {
			t.Errorf("promotions %v of cart %s", p.Promotions(), p.Cart().ID)
		}
		return nil
	}}
	p := newProbe(t, plans, nil)
	cart := readCorpus(t).Carts["line_item"]
	w := post(p, cart)
	const bundle = `"promotion_id":"22222222-2222-4222-8222-222222222222","currency":"ARS","line_items":[{"line_item":"101","discount_specs":{"type":"fixed","amount":"10.01"}}]`
	if w.Code != 200 || !strings.Contains(w.Body.String(), bundle) || !strings.Contains(w.Body.String(),
		`"promotion_ids":["`+lineID.String()+`"]`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	var d *Dropped
	if f := p.failures(); len(f) != 1 || !errors.As(f[0], &d) || d.Promotion != lineID || d.Name != "Three for two" ||
		d.Reason != "line 103: the amount is 10.01, but must be at most 10.00, the price of the line: lower the amount, or set Plans.Clamp to have it lowered" {
		t.Errorf("reported %v", f)
	}
	// Handles of another cart, of an earlier run, and of nothing.
	again := newProbe(t, Plans{LineItems: func(_ context.Context, p *LinePlan) error {
		three, _ := p.Named("Three for two")
		ten, err := Minor(1000)
		p.Discount(kept, p.Lines()[0], ten)
		p.Discount(LinePromotion{}, p.Lines()[0], ten)
		p.Discount(three, line, ten)
		p.Discount(three, Line{}, ten)
		return err
	}}, nil)
	if w := post(again, cart); w.Code != 200 || w.Body.String() != removesLine || len(again.failures()) != 3 {
		t.Errorf("got %d %s, %v", w.Code, w.Body, again.failures())
	}
}

// An amount off a line may be all that it costs.
func TestAllThatALineCosts(t *testing.T) {
	for units, kept := range map[int64]bool{999: true, 1000: true, 1001: false} {
		plans := Plans{LineItems: func(_ context.Context, p *LinePlan) error {
			three, _ := p.Named("Three for two")
			amount, err := Minor(units)
			p.Discount(three, p.Lines()[2], amount) // costs 10.00
			return err
		}}
		c := readCorpus(t)
		answer, err := plans.Evaluate(t.Context(), c.cart(t, promotions.TierLineItems), c.Promotions)
		if discounts := strings.Contains(string(answer), `"line_item":"103"`); discounts != kept || errors.Is(err,
			ErrDropped) == kept {
			t.Errorf("%d hundredths off 10.00: %s, %v", units, answer, err)
		}
	}
}

// A text that cannot be sent costs its promotion, and no other.
func TestTextsOfAPlan(t *testing.T) {
	c := readCorpus(t)
	bundle := uuid.MustParse("22222222-2222-4222-8222-222222222222")
	for _, v := range []struct {
		language, text string
		ok             bool
	}{
		{"es", "Llevá 3", true},
		{"es-ar", "Llevá 3", true},
		{"es-ar", "", false},
		{"es-ar", "Llev\xe1 3", false},
		{"es_ar", "Llevá 3", false},
		{"es-AR", "Llevá 3", false},
		{"esxar", "Llevá 3", false},
		{"e-sar", "Llevá 3", false},
		{"es-", "Llevá 3", false},
		{"es-a-", "Llevá 3", false},
		{"--", "Llevá 3", false},
		{"\xff", "Llevá 3", false},
		{"", "Llevá 3", false},
	} {
		plans := Plans{LineItems: func(ctx context.Context, p *LinePlan) error {
			one, err := Minor(100)
			offer, _ := p.Named("Three for two")
			other, _ := p.Promotion(bundle)
			p.Discount(other, p.Lines()[0], one)
			p.Discount(offer, p.Lines()[0], one)
			p.Show(offer, map[string]string{v.language: v.text})
			return err
		}}
		answer, err := plans.Evaluate(t.Context(), c.cart(t, promotions.TierLineItems), c.Promotions)
		removed := strings.Contains(string(answer), `"promotion_ids":["`+lineID.String()+`"]`)
		if removed == v.ok || errors.Is(err, ErrDropped) == v.ok || errors.Is(err, ErrInvalid) ||
			!strings.Contains(string(answer), `"promotion_id":"`+bundle.String()) {
			t.Errorf("%q in %q: got %s, %v", v.text, v.language, answer, err)
		}
		if v.ok && !strings.Contains(string(answer), `"display_text":{"`+v.language+`":"`+v.text+`"}`) {
			t.Errorf("%q in %q is not shown: %s", v.text, v.language, answer)
		}
	}
}

func TestHandlerCheck(t *testing.T) {
	good := func() *Handler {
		return &Handler{Plans: Plans{LineItems: half}, Promotions: always(t), Secrets: []client.Secret{"5f2b1c9a7d3e4f60"}}
	}
	if err := good().Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Handler){
		"no plan": func(h *Handler) { h.Plans = Plans{} },
		"Raw must not": func(h *Handler) {
			h.Plans.Raw = func(context.Context, *Cart, []promotions.Promotion, *Commands) error { return nil }
		},
		"no Promotions":                          func(h *Handler) { h.Promotions = nil },
		"no Promotions with Load":                func(h *Handler) { h.Promotions = &PromotionCache{} },
		"anyone could send":                      func(h *Handler) { h.Secrets = nil },
		"Guarded must not":                       func(h *Handler) { h.Guarded = true },
		"Either requires":                        func(h *Handler) { h.Either = true },
		"3 secrets":                              func(h *Handler) { h.Secrets = []client.Secret{"a", "b", "c"} },
		"secret 1: must not be empty":            func(h *Handler) { h.Secrets = []client.Secret{""} },
		"secret 2: must not begin or end with":   func(h *Handler) { h.Secrets = []client.Secret{"a", "b\n"} },
		`HeaderName is "a b"`:                    func(h *Handler) { h.HeaderName = "a b" },
		"Late is 7":                              func(h *Handler) { h.Late = 7 },
		"Budget is 800ms: must be 0 or 200ms to": func(h *Handler) { h.Budget = AnswerTime },
	} {
		h := good()
		change(h)
		var reported []*Failure
		h.OnFailure = func(_ context.Context, f *Failure) { reported = append(reported, f) }
		if err := h.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "5f2b") {
			t.Errorf("got %v, want …%s…", err, want)
		}
		for range 2 {
			if w := post(h, readCorpus(t).Carts["line_item"]); w.Code != 204 {
				t.Errorf("%s: got %d", want, w.Code)
			}
		}
		if len(reported) != 1 {
			t.Errorf("%s: reported %v", want, reported)
		}
	}
}

// A failure is one line that says nothing of the customer, and a hook that panics harms nobody and is reported.
func TestHandlerReports(t *testing.T) {
	var text bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&text, nil))
	p := newProbe(t, Plans{LineItems: func(context.Context, *LinePlan) error { return errors.New("gone\n{level:INFO}\u202e") }}, func(h *Handler) {
		h.OnFailure = func(context.Context, *Failure) { panic("hook") }
		h.OnAnswered = func(context.Context, Answer) { panic("hook") }
		h.Logger = logger
	})
	if w := post(p, readCorpus(t).Carts["line_item"]); w.Code != 204 {
		t.Errorf("got %d", w.Code)
	}
	var line struct {
		Level   string
		Failure struct {
			Error, Tier string
			Cart        string `json:"cart_id"`
			Store       int64  `json:"store_id"`
		}
	}
	first, rest, _ := strings.Cut(text.String(), "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rest, "OnAnswered: panic: hook") {
		t.Errorf("logged %s of OnAnswered", rest)
	}
	if f := line.Failure; f.Cart != "7001" || f.Store != 123 || f.Tier != "line_item" ||
		f.Error != `gone\n{level:INFO}\u202e` || line.Level != "ERROR" {
		t.Errorf("logged %s", text.String())
	}
	f := &Failure{StoreID: 1, CartID: "2\n", Err: errors.New("x\x1b[31m")}
	if got, want := f.Error(), `discounts: cart 2\n of store 1: x\x1b[31m`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Failures of a store are one line of the log a minute for each kind of error, with the number of those in between.
// They were a line each: 2,326 in 22 s.
func TestFailuresInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		kinds := 0
		p := newProbe(t, Plans{Raw: func(_ context.Context, cart *Cart, _ []promotions.Promotion, out *Commands) error {
			if kinds++; kinds%2 == 0 {
				return errors.New("gone")
			}
			out.Remove(lineID, otherID) // of another app
			return nil
		}}, func(h *Handler) { h.OnFailure, h.Logger = nil, slog.New(slog.NewTextHandler(&log, nil)) })
		defer p.Promotions.Close()
		for range 2 {
			for range 100 {
				for _, store := range []int{1, 1, 2, 2} {
					post(p, ofStore(t, store))
				}
				post(p, []byte("{"))
			}
			time.Sleep(time.Minute)
		}
		if lines, since := strings.Count(log.String(), "\n"), strings.Count(log.String(), "not_logged=99"); lines != 10 ||
			since != 5 {
			t.Errorf("%d lines, %d with the number of failures that were left out; want 10 and 5:\n%s", lines, since,
				log.String())
		}
	})
}

// Plans compute, so they are protected from each other, and no answer of a cart is a 503, which removes its discounts.
func TestRowOfCarts(t *testing.T) {
	k := newProbe(t, Plans{LineItems: nothing}, func(h *Handler) {
		h.Budget, h.ReadTime, h.Linger, h.MaxBody, h.MaxReceiving, h.MaxRuns = MinBudget, time.Millisecond, MaxLinger, 10,
			20, 1
	}).row()
	if k.Full != 204 || k.Misconfigured != 204 || k.Malformed != 204 || !k.Processors {
		t.Errorf("full %d, misconfigured %d, malformed %d; want 204; processors %t", k.Full, k.Misconfigured, k.Malformed,
			k.Processors)
	}
	want := callback.Limits{Budget: MinBudget, ReadTime: time.Millisecond, Linger: MaxLinger, MaxBody: 10,
		MaxReceiving: 20, MaxRuns: 1}
	if k := newProbe(t, Plans{LineItems: nothing}, nil).row(); k.Limits != bounds.Default {
		t.Errorf("by default: %+v", k.Limits)
	}
	if k.Limits != want {
		t.Errorf("got %+v, want %+v", k.Limits, want)
	}
}

// ofStore returns a cart of a store.
func ofStore(t testing.TB, store int) []byte {
	cart := string(readCorpus(t).Carts["line_item"])
	return []byte(strings.Replace(cart, `"store_id": "123"`, fmt.Sprintf(`"store_id": "%d"`, store), 1))
}
