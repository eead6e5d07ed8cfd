package callback_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// app is what the handler of a row is configured with. Its function, which may be nil, is what the row calls for a call
// that it accepts: a handler of events, an inbox, a queue, a plan, a rule …
type app struct {
	function func(ctx context.Context, store client.ID) error

	started  func(ctx context.Context, r *http.Request) context.Context
	answered func(ctx context.Context, status int, err error)
	failed   func(ctx context.Context, err error)
	refused  func(ctx context.Context, r client.Refused)
	logger   *slog.Logger
	maxRuns  int
}

func (a *app) call(ctx context.Context, store client.ID) error {
	if a.function == nil {
		return nil
	}
	return a.function(ctx, store)
}

func (a *app) log() *slog.Logger {
	if a.logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return a.logger
}

// row is one kind of call: how to configure its handler, how to call it, and what it answers.
type row struct {
	name    string
	handler func(a *app) http.Handler
	// request is call n of a store. Calls with other numbers are not equal.
	request func(t *testing.T, store client.ID, n int) *http.Request

	due time.Duration // when it answers, whatever its function does
	// Statuses of a call whose function succeeds, fails, and is late, and of a malformed one. 0 is no answer.
	ok, failed, late, malformed int
	panicked                    int    // the status if the function panics, 0 if it is failed
	busy                        int    // the status without a place, 0 if it is late
	stranger                    int    // the status of a request of somebody else
	header                      string // without which a request is somebody else's; empty if its address is
	guarded                     bool   // the function is an inbox or a queue, which gets no more time than the answer
}

// rows are all kinds of calls. The suites of this package run for each.
func rows() []row {
	return []row{
		webhookRow("webhook, direct", 2500*time.Millisecond, func(h *webhook.Handler, a *app) {
			webhook.On(h.Registry, webhook.OrderCreated,
				func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error { return a.call(ctx, d.StoreID) })
		}),
		webhookRow("webhook, inbox", 2*time.Second,
			func(h *webhook.Handler, a *app) { h.Registry, h.Inbox = nil, queue{app: a} }),
		webhookRow("webhook, sink", 2*time.Second,
			func(h *webhook.Handler, a *app) { h.Registry, h.Sink = nil, queue{app: a} }),
		cartRow(), ruleRow(), rateRow(), labelRow("generate", 202, 0), labelRow("cancel", 204, 503),
		paymentRow("process", 201, func(c payments.Callback, a *app) http.Handler {
			return &payments.ProcessHandler{Callback: c,
				Process: func(ctx context.Context, r payments.ProcessRequest) (any, error) {
					return nil, a.call(ctx, r.StoreID)
				}}
		}),
		paymentRow("refund", 202, func(c payments.Callback, a *app) http.Handler {
			return &payments.RefundHandler{Callback: c,
				Refund: func(ctx context.Context, r payments.RefundRequest) error { return a.call(ctx, r.StoreID) }}
		}),
		queriedRow("cancel", http.MethodPost, "payment_attempt_id", 200,
			func(c payments.Callback, a *app) http.Handler {
				return &payments.CancelHandler{Callback: c,
					Cancel: func(ctx context.Context, attempt string) error { return a.call(ctx, storeIn(attempt)) }}
			}),
		queriedRow("status", http.MethodGet, "order_id", 200, func(c payments.Callback, a *app) http.Handler {
			return &payments.StatusHandler{Callback: c,
				Status: func(ctx context.Context, order client.ID) ([]providers.Transaction, error) {
					return nil, a.call(ctx, storeIn(order.String()))
				}}
		}),
		refreshRow(), reviewRow(),
	}
}

const (
	webhookSecret = client.Secret("a secret of webhooks")
	payOrigin     = "https://pay.example"
)

var payKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// queue is an inbox and a sink that is the function of an app.
type queue struct {
	webhook.Inbox
	app *app
}

func (q queue) Accept(ctx context.Context, entries ...webhook.Entry) ([]webhook.Outcome, error) {
	return []webhook.Outcome{webhook.OutcomeStored}, q.app.call(ctx, entries[0].StoreID)
}

func (q queue) Deliver(ctx context.Context, e webhook.Entry) error { return q.app.call(ctx, e.StoreID) }

func webhookRow(name string, due time.Duration, mode func(h *webhook.Handler, a *app)) row {
	return row{
		name: name, due: due, ok: 200, failed: 503, late: 503, malformed: 200, stranger: 401,
		header:  webhook.SignatureHeader,
		guarded: name != "webhook, direct",
		handler: func(a *app) http.Handler {
			h := &webhook.Handler{
				Secrets: []client.Secret{webhookSecret}, Registry: &webhook.Registry{}, MaxRuns: a.maxRuns,
				OnStarted: a.started, OnRefused: a.refused, Logger: a.log(),
				OnAnswered: hook(a.answered != nil,
					func(ctx context.Context, x webhook.Answer) { a.answered(ctx, x.Status, x.Err) }),
				OnFailure: hook(a.failed != nil, func(ctx context.Context, f *webhook.Failure) { a.failed(ctx, f) }),
			}
			mode(h, a)
			return h
		},
		request: func(_ *testing.T, store client.ID, n int) *http.Request {
			body := fmt.Sprintf(`{"store_id":%d,"event":"order/created","id":%d}`, store, n+1)
			r := post("/hooks", body)
			r.Header.Set(webhook.SignatureHeader, webhook.Sign(webhookSecret, []byte(body)))
			return r
		},
	}
}

func cartRow() row {
	threeForTwo := promotions.Promotion{
		ID: uuid.MustParse("02aaa5c6-080a-40e9-a61f-90ca2150d6a2"), Name: "3 for 2", Tier: promotions.TierLineItems,
		Active: true,
	}
	return row{
		name: "discounts", due: discounts.DefaultBudget, ok: 204, failed: 204, late: 204, malformed: 204, stranger: 403,
		header: discounts.SignatureHeader,
		handler: func(a *app) http.Handler {
			return &discounts.Handler{
				Plans: discounts.Plans{LineItems: func(ctx context.Context, p *discounts.LinePlan) error {
					return a.call(ctx, p.Cart().StoreID)
				}},
				Promotions: &discounts.PromotionCache{Logger: a.log(),
					Load: func(context.Context, client.ID) ([]promotions.Promotion, error) {
						return []promotions.Promotion{threeForTwo}, nil
					}},
				Secrets: []client.Secret{webhookSecret}, MaxRuns: a.maxRuns, OnStarted: a.started, OnRefused: a.refused,
				Logger: a.log(),
				OnAnswered: hook(a.answered != nil,
					func(ctx context.Context, x discounts.Answer) { a.answered(ctx, x.Status, x.Err) }),
				OnFailure: hook(a.failed != nil, func(ctx context.Context, f *discounts.Failure) { a.failed(ctx, f) }),
			}
		},
		request: func(_ *testing.T, store client.ID, n int) *http.Request {
			body := fmt.Sprintf(`{"cart_id":"%d","store_id":"%d","execution_tier":"line_item","currency":"ARS",`+
				`"products":[{"id":101,"price":"10.00",`+
				`"product_id":1,"variant_id":11,"quantity":3}],"totals":{"subtotal":"30.00"},"promotions":[]}`, n+1,
				store)
			r := post("/carts", body)
			r.Header.Set(discounts.SignatureHeader, discounts.Sign(webhookSecret, []byte(body)))
			return r
		},
	}
}

func ruleRow() row {
	return row{
		name: "rules", due: rules.DefaultBudget, ok: 204, failed: 204, late: 204, malformed: 204, stranger: 403,
		handler: func(a *app) http.Handler {
			h := &rules.Handler{
				Payments: func(ctx context.Context, r *rules.Request) ([]rules.PaymentOption, error) {
					return nil, a.call(ctx, r.StoreID)
				},
				Sources: sources(), MaxRuns: a.maxRuns, OnStarted: a.started, OnRefused: a.refused, Logger: a.log(),
				OnAnswered: hook(a.answered != nil,
					func(ctx context.Context, x rules.Answer) { a.answered(ctx, x.Status, x.Err) }),
				OnFailure: hook(a.failed != nil, func(ctx context.Context, f *rules.Failure) { a.failed(ctx, f) }),
			}
			return h
		},
		request: func(_ *testing.T, store client.ID, n int) *http.Request {
			return post("/rules", fmt.Sprintf(`{"store_id":"%d","cart_id":%d,"details":{"domain":"payments"},`+
				`"totals":{"total":"10.00"}}`, store, n+1))
		},
	}
}

func rateRow() row {
	return row{
		name: "shipping rates", due: shipping.DefaultBudget - 100*time.Millisecond, ok: 200, failed: 503, late: 503,
		malformed: 400, stranger: 403, panicked: 500, busy: 429,
		handler: func(a *app) http.Handler {
			return &shipping.Handler{
				Rates: func(ctx context.Context, q shipping.Quote) ([]shipping.Rate, error) {
					if err := a.call(ctx, q.StoreID); err != nil {
						return nil, err
					}
					rate, err := shipping.DoorRate(shipping.Offer{Code: "standard", Name: "Standard",
						Price: client.Cents(1000), Currency: "ARS"})
					return []shipping.Rate{rate}, err
				},
				Access: shipping.Access{Sources: sources()}, MaxRuns: a.maxRuns, OnStarted: a.started,
				OnRefused: a.refused, Logger: a.log(),
				OnAnswered: hook(a.answered != nil,
					func(ctx context.Context, x shipping.Answer) { a.answered(ctx, x.Status, x.Err) }),
				OnFailure: hook(a.failed != nil, func(ctx context.Context, f *shipping.Failure) { a.failed(ctx, f) }),
			}
		},
		request: func(_ *testing.T, store client.ID, n int) *http.Request {
			place := `{"name":"a","address":"b","number":"1","floor":null,"locality":"l","city":"c","province":"p",` +
				`"country":"AR","postal_code":"%d","phone":"1"}`
			return post("/rates", fmt.Sprintf(`{"cart_id":"c","store_id":%d,"currency":"ARS","language":"es",`+
				`"total_price":10,"origin":`+place+`,"destination":`+place+
				`,"items":[{"id":1,"product_id":2,"name":"n","sku":"s","quantity":1,"free_shipping":false,`+
				`"grams":100,"price":10,"cost":5,"dimensions":{"width":1,"height":1,"depth":1}}],`+
				`"carrier":{"id":"77","name":"C","options":[{"id":"5","name":"Standard","code":"standard",`+
				`"allow_free_shipping":false,"additional_cost":{"amount":0,"currency":"ARS"},"additional_days":0}]}}`,
				store, 1000, 1000+n))
		},
	}
}

// labelRow is about generate, whose failures are left without an answer, or another action.
func labelRow(action string, ok, failed int) row {
	var storeOfPath func(r *http.Request) client.ID
	if action == "cancel" { // the others share places by their path
		storeOfPath = func(r *http.Request) client.ID { return storeOf(r.Context()) }
	}
	return row{
		panicked: failed / 503 * 500, busy: failed / 503 * 429, // none if failed is none
		name: "labels, " + action, due: shipping.DefaultBudget - 100*time.Millisecond, ok: ok, failed: failed,
		late: failed, malformed: 400, stranger: 403,
		handler: func(a *app) http.Handler {
			return &shipping.LabelHandler{
				Generate: func(ctx context.Context, _ []shipping.Label) ([]shipping.LabelFailure, error) {
					return nil, a.call(ctx, storeOf(ctx))
				},
				Cancel: func(ctx context.Context, _ []shipping.LabelRef) ([]shipping.LabelFailure, error) {
					return nil, a.call(ctx, storeOf(ctx))
				},
				StoreOf: storeOfPath, Access: shipping.Access{Sources: sources()}, MaxRuns: a.maxRuns,
				OnRefused: a.refused, Logger: a.log(), OnStarted: a.started,
				OnAnswered: hook(a.answered != nil,
					func(ctx context.Context, x shipping.LabelAnswer) { a.answered(ctx, x.Status, x.Err) }),
				OnFailure: hook(a.failed != nil, func(ctx context.Context, f *shipping.Failure) { a.failed(ctx, f) }),
			}
		},
		request: func(t *testing.T, store client.ID, n int) *http.Request {
			label, err := os.ReadFile("../../testdata/wire/label_request.json")
			if err != nil {
				t.Fatal(err)
			}
			body := "[" + string(label) + "]"
			if action == "cancel" {
				body = `{"labels":[{"fulfillment_order_id":"01FHZXHK8PTP9FVK99Z66GXASS",` +
					`"label_id":"01JEXAMP1E0000000000000AB1"}]}`
			}
			target := fmt.Sprintf("/%d/labels/%s", store, action)
			if storeOfPath != nil {
				target = "/labels/" + action
			}
			r := post(target, body)
			return r.WithContext(context.WithValue(r.Context(), storeKey{}, store))
		},
	}
}

type storeKey struct{}

func storeOf(ctx context.Context) client.ID {
	store, _ := ctx.Value(storeKey{}).(client.ID)
	return store
}

// payCallback is the configuration of a handler of signed payment calls.
func payCallback(a *app) payments.Callback {
	return payments.Callback{
		Keys: []*rsa.PublicKey{&payKey().PublicKey}, Origin: payOrigin, MaxRuns: a.maxRuns, OnStarted: a.started,
		OnRefused: a.refused, Logger: a.log(),
		OnAnswered: hook(a.answered != nil, func(ctx context.Context, x payments.Answer) {
			a.answered(ctx, x.Status, x.Err)
		}),
		OnFailure: hook(a.failed != nil, func(ctx context.Context, f *payments.Failure) { a.failed(ctx, f) }),
	}
}

func paymentRow(name string, ok int, handler func(c payments.Callback, a *app) http.Handler) row {
	return row{
		name: "payments " + name, due: payments.DefaultBudget, ok: ok, failed: 503, late: 503, malformed: 400,
		stranger: 401, header: payments.SignatureHeader,
		handler: func(a *app) http.Handler { return handler(payCallback(a), a) },
		request: func(t *testing.T, store client.ID, n int) *http.Request {
			return signed(t, http.MethodPost, "/"+name,
				fmt.Sprintf(`{"store_id":%d,"order_id":%d,`+
					`"payment_provider_id":"0b0e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10",`+
					`"transaction_id":"0b0e2c52-5f0e-4d3a-9a55-%012d","payment_attempt_id":"%d",`+
					`"payment_method":{"type":"pix"},"amount":{"value":"10.00","currency":"BRL"}}`, store, n+1, n, n))
		},
	}
}

// queriedRow is about calls that have an id in the query and no store. Each store has a path of its own.
func queriedRow(name, method, id string, ok int, handler func(c payments.Callback, a *app) http.Handler) row {
	r := paymentRow(name, ok, handler)
	r.malformed = 0 // it has no body
	r.request = func(t *testing.T, store client.ID, n int) *http.Request {
		return signed(t, method, fmt.Sprintf("/%d/%s?%s=%d%06d", store, name, id, store, n), "")
	}
	return r
}

// storeIn is the store in an id of queriedRow.
func storeIn(id string) client.ID {
	store, _ := client.ParseID(id[:max(0, len(id)-6)])
	return store
}

func refreshRow() row {
	return row{
		name: "payments refresh", due: payments.DefaultBudget, ok: 200, failed: 503, late: 503, malformed: 400,
		handler: func(a *app) http.Handler {
			c := payCallback(a)
			return &payments.RefreshHandler{
				Refresh: func(ctx context.Context, r payments.RefreshRequest) (payments.Tokens, error) {
					return payments.Tokens{AccessToken: "a", RefreshToken: "b", ExpiresIn: time.Hour},
						a.call(ctx, storeIn(r.ClientID))
				},
				MaxRuns: c.MaxRuns, OnStarted: c.OnStarted, OnAnswered: c.OnAnswered, OnFailure: c.OnFailure,
				OnRefused: c.OnRefused, Logger: c.Logger,
			}
		},
		request: func(_ *testing.T, store client.ID, n int) *http.Request {
			return post(fmt.Sprintf("/%d/refresh", store),
				fmt.Sprintf(`{"grant_type":"refresh_token","client_id":"%d%06d","client_secret":"s",`+
					`"refresh_token":"%d"}`, store, n, n))
		},
	}
}

func reviewRow() row {
	review := func(a *app) *payments.ReviewHandler {
		c := payCallback(a)
		return &payments.ReviewHandler{
			Address: payOrigin + "/reviews", Secrets: []client.Secret{"32 bytes that sign these addresses"},
			Decide: func(ctx context.Context, r payments.Review, _ payments.Decision) error {
				return a.call(ctx, r.StoreID)
			},
			MaxRuns: c.MaxRuns, OnStarted: c.OnStarted, OnAnswered: c.OnAnswered, OnFailure: c.OnFailure,
			OnRefused: c.OnRefused, Logger: c.Logger,
		}
	}
	return row{
		name: "payments review", due: payments.DefaultBudget, ok: 200, failed: 503, late: 503, stranger: 401,
		handler: func(a *app) http.Handler { return review(a) },
		request: func(t *testing.T, store client.ID, n int) *http.Request {
			info, err := review(&app{}).Info(payments.Review{StoreID: store, Key: fmt.Sprint(n)})
			if err != nil {
				t.Fatal(err)
			}
			return post(strings.TrimPrefix(info.AcceptURL, payOrigin), "")
		},
	}
}

// withBody returns a request of the row with another body, which the platform signed.
func (r row) withBody(t *testing.T, q *http.Request, body string) *http.Request {
	q.Body, q.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	switch r.header {
	case payments.SignatureHeader:
		address := payOrigin + q.URL.RequestURI()
		if err := paymentstest.Sign(q.Header, payKey(), address, []byte(body), time.Now()); err != nil {
			t.Fatal(err)
		}
	case webhook.SignatureHeader: // that of carts too
		q.Header.Set(webhook.SignatureHeader, webhook.Sign(webhookSecret, []byte(body)))
	}
	return q
}

// hook returns f if it is to be set.
func hook[F any](set bool, f F) (none F) {
	if set {
		return f
	}
	return none
}

// sources allow the address of httptest.
func sources() *client.Sources {
	s := &client.Sources{}
	allowed, err := client.ParseSources("192.0.2.1")
	if err != nil {
		panic(err)
	}
	s.Set(allowed...)
	return s
}

func post(target, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// signed is a payment call that the platform signs now.
func signed(t *testing.T, method, target, body string) *http.Request {
	r := post(target, body)
	r.Method = method
	if err := paymentstest.Sign(r.Header, payKey(), payOrigin+target, []byte(body), time.Now()); err != nil {
		t.Fatal(err)
	}
	return r
}

// ask returns the status of an answer, 0 if the request is left without one.
func ask(h http.Handler, r *http.Request) (status int) {
	w := httptest.NewRecorder()
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			panic(v)
		} else if v != nil {
			status = 0
		}
	}()
	h.ServeHTTP(w, r)
	return w.Code
}
