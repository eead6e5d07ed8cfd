package members_test

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/internal/wire"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// partner is the app of a shop, with a handler for each callback of the platform. It takes one callback at a time.
type partner struct {
	*shop
	client *client.Client
	mux    *http.ServeMux

	mu       sync.Mutex
	received received
	payload  any                 // of the callback in progress, as the app's function got it
	calls    map[string]callback // the last one of each path
	change   func([]byte) []byte // what is answered in place of an answer; nil changes nothing

	// What the app answers.
	commands func(cart *discounts.Cart, own []promotions.Promotion, out *discounts.Commands) error
	rates    func() ([]shipping.Rate, error)
	failure  *shipping.LabelFailure // of each label; nil: there is none
	refusal  payments.RefundRefusal // of refunds; "" is none
	tokens   payments.Tokens

	transactions []providers.Transaction // of every order
}

// callback is a request of the platform and its answer.
type callback struct {
	header       http.Header
	body, answer []byte
}

// last returns the last callback to a path.
func (p *partner) last(path string) callback {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[path]
}

// alter sets what is answered in place of an answer, and returns what was set before.
func (p *partner) alter(change func([]byte) []byte) (before func([]byte) []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, p.change = p.change, change
	return before
}

// openPartner opens a shop and puts handlers at all addresses that the platform calls.
func openPartner(t *testing.T) *partner {
	t.Helper()
	p := &partner{shop: open(t), mux: http.NewServeMux(), calls: map[string]callback{}, received: newReceived()}
	p.bare = true // ids are those of the shop in what this test sends itself
	p.client = p.srv.Client()
	for _, origin := range []string{"https://app.example", "https://post.example", "https://pay.example"} {
		must(t, p.srv.Partner(origin, p.mux))
	}
	p.discount(t)
	p.ship()
	p.take(t)
	p.listen(t)
	return p
}

// handle puts a handler at a path. The payloads of its callbacks have a type, which kind returns for each of them; nil
// is a callback without a payload.
func (p *partner) handle(path string, kind func(body []byte) reflect.Type, h http.Handler) {
	if t := kind(nil); t != nil {
		p.received.kinds[t] = false
	}
	p.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		r.Body, p.payload = io.NopCloser(bytes.NewReader(body)), nil
		own := httptest.NewRecorder()
		h.ServeHTTP(own, r)
		if t := kind(body); t != nil {
			p.received.note(t, body, p.payload)
		}
		answer := own.Body.Bytes()
		if p.change != nil {
			answer = p.change(answer)
		} else {
			p.files.call(r.URL.Path, r.Method, body, own.Code, answer)
		}
		p.calls[r.URL.Path] = callback{r.Header, body, answer}
		for name, values := range own.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(own.Code)
		_, _ = w.Write(answer)
	})
}

// always is the kind of callbacks that have payloads of one type.
func always[T any]() func([]byte) reflect.Type {
	return func([]byte) reflect.Type { return reflect.TypeFor[T]() }
}

func none([]byte) reflect.Type { return nil }

// discount adds the handler of carts.
func (p *partner) discount(t *testing.T) {
	t.Helper()
	h := &discounts.Handler{
		Promotions: &discounts.PromotionCache{Load: func(ctx context.Context, _ client.ID) ([]promotions.Promotion, error) {
			return unstable.Promotions(p.client).List().Collect(ctx)
		}},
		Secrets: []client.Secret{p.srv.App().Secret},
		Plans: discounts.Plans{
			Raw: func(_ context.Context, cart *discounts.Cart, own []promotions.Promotion, out *discounts.Commands) error {
				p.payload = cart
				return p.commands(cart, own, out)
			},
		},
		OnFailure: func(_ context.Context, f *discounts.Failure) {
			if !errors.Is(f.Err, discounts.ErrNotApplied) { // the shop is restored between two carts
				p.received.fail(f.Err)
			}
		},
	}
	must(t, h.Check())
	t.Cleanup(func() { _ = h.Promotions.Close() })
	p.commands = func(*discounts.Cart, []promotions.Promotion, *discounts.Commands) error { return nil }
	p.handle("/carts", always[discounts.Cart](), h)
	must(t, unstable.Discounts(p.client).Set(t.Context(), "https://app.example/carts"))
}

// labelRefs is the payload of the callbacks about labels that are there.
type labelRefs struct {
	Labels []shipping.LabelRef `json:"labels"`
}

// ship adds the handlers of rates and labels.
func (p *partner) ship() {
	p.rates = func() ([]shipping.Rate, error) { return nil, shipping.ErrNoCoverage }
	p.handle("/rates", always[shipping.Request](), &shipping.Handler{
		Access: shipping.Access{Guarded: true}, Volatile: true, Fresh: -1, Stale: -1,
		Rates: func(_ context.Context, q shipping.Quote) ([]shipping.Rate, error) {
			p.payload = q.Volatile
			return p.rates()
		},
		OnFailure: func(_ context.Context, f *shipping.Failure) { p.received.fail(f.Err) },
	})
	fail := func(ids ...ulid.ULID) (all []shipping.LabelFailure, err error) {
		for _, id := range ids {
			if p.failure != nil {
				all = append(all, shipping.LabelFailure{LabelID: id, Code: p.failure.Code, Message: p.failure.Message})
			}
		}
		return all, nil
	}
	change := func(_ context.Context, labels []shipping.LabelRef) ([]shipping.LabelFailure, error) {
		p.payload = labelRefs{labels}
		var ids []ulid.ULID
		for _, l := range labels {
			ids = append(ids, l.LabelID)
		}
		return fail(ids...)
	}
	h := &shipping.LabelHandler{
		Access: shipping.Access{Guarded: true}, Cancel: change, Suspend: change, Reactivate: change,
		Generate: func(_ context.Context, labels []shipping.Label) ([]shipping.LabelFailure, error) {
			p.payload = labels
			var ids []ulid.ULID
			for _, l := range labels {
				ids = append(ids, l.ID)
			}
			return fail(ids...)
		},
		OnFailure: func(_ context.Context, f *shipping.Failure) { p.received.fail(f.Err) },
	}
	p.handle("/labels/generate", always[[]shipping.Label](), h)
	p.handle("/labels/", always[labelRefs](), h)
}

// take adds the handlers of payments.
func (p *partner) take(t *testing.T) {
	t.Helper()
	key, err := p.srv.PaymentKey()
	must(t, err)
	report := func(_ context.Context, f *payments.Failure) { p.received.fail(f.Err) }
	refused := func(_ context.Context, r client.Refused) { p.received.fail(r.Err) }
	common := payments.Callback{
		Keys: []*rsa.PublicKey{key}, Origin: "https://pay.example", OnFailure: report, OnRefused: refused,
	}
	p.handle("/process", always[payments.ProcessRequest](), &payments.ProcessHandler{
		Callback: common, Process: func(_ context.Context, r payments.ProcessRequest) (any, error) {
			p.payload = r
			return nil, nil
		},
	})
	p.handle("/refunds", always[payments.RefundRequest](), &payments.RefundHandler{
		Callback: common, Refund: func(_ context.Context, r payments.RefundRequest) error {
			if p.payload = r; p.refusal != "" {
				return p.refusal
			}
			return nil
		},
	})
	p.handle("/refresh", always[payments.RefreshRequest](), &payments.RefreshHandler{
		OnFailure: report, OnRefused: refused,
		Refresh: func(_ context.Context, r payments.RefreshRequest) (payments.Tokens, error) {
			p.payload = r
			return p.tokens, nil
		},
	})
	p.handle("/cancel", none, &payments.CancelHandler{
		Callback: common, Cancel: func(context.Context, string) error { return nil },
	})
	p.handle("/status", none, &payments.StatusHandler{
		Callback: common, Status: func(context.Context, client.ID) ([]providers.Transaction, error) {
			return p.transactions, nil
		},
	})
	must(t, p.srv.SetPaymentURLs(clienttest.PaymentURLs{
		Process: "https://pay.example/process", Cancel: "https://pay.example/cancel", Status: "https://pay.example/status",
	}))
	id := uuid.MustParse(p.ids["/payment_providers"])
	provider, err := unstable.PaymentProviders(p.client).Get(t.Context(), id)
	must(t, err)
	in := provider.Input()
	in.Authentication = &providers.Authentication{
		Type: providers.AuthenticationTypeOAuth, ClientID: "client", ClientSecret: "secret", RefreshToken: "first", AccessToken: "access",
		RefreshTokenURL: "https://pay.example/refresh",
	}
	must(t, unstable.PaymentProviders(p.client).Update(t.Context(), id, in))
}

// listen registers the app for all events and adds the handler of webhooks.
func (p *partner) listen(t *testing.T) {
	t.Helper()
	registry, kinds := &webhook.Registry{}, map[webhook.Name]reflect.Type{}
	on(p, registry, kinds, webhook.AppUninstalled)
	on(p, registry, kinds, webhook.AppSuspended, webhook.AppResumed)
	on(p, registry, kinds, webhook.AppSubscriptionUpdated)
	on(p, registry, kinds, webhook.ChargeCreated)
	on(p, registry, kinds, webhook.ChargePaid, webhook.ChargeFailed)
	on(p, registry, kinds, webhook.SubscriptionUpdated)
	on(p, registry, kinds, webhook.ProductVariantCustomFieldCreated, webhook.ProductVariantCustomFieldUpdated,
		webhook.ProductVariantCustomFieldDeleted, webhook.OrderCustomFieldCreated, webhook.OrderCustomFieldUpdated,
		webhook.OrderCustomFieldDeleted)
	on(p, registry, kinds, webhook.DomainUpdated)
	on(p, registry, kinds, webhook.LocationCreated, webhook.LocationUpdated, webhook.LocationDeleted)
	on(p, registry, kinds, webhook.CustomerCreated, webhook.CustomerUpdated, webhook.CustomerDeleted)
	on(p, registry, kinds, webhook.FulfillmentUpdated)
	on(p, registry, kinds, webhook.FulfillmentOrderStatusUpdated)
	on(p, registry, kinds, webhook.FulfillmentOrderLabelStatusUpdated)
	on(p, registry, kinds, webhook.FulfillmentOrderTrackingEventCreated,
		webhook.FulfillmentOrderTrackingEventUpdated, webhook.FulfillmentOrderTrackingEventDeleted)
	on(p, registry, kinds, webhook.StoreRedactRequested)
	on(p, registry, kinds, webhook.CustomerRedactRequested)
	on(p, registry, kinds, webhook.CustomerDataRequested)
	for _, name := range webhook.Events() { // the others
		if kinds[name] == nil {
			on(p, registry, kinds, webhook.Event[webhook.Entity]{Name: name})
		}
	}
	for path, event := range map[string]webhook.Name{
		"/hooks": "", "/hooks/store/redact": webhook.StoreRedactRequested.Name,
		"/hooks/customers/redact": webhook.CustomerRedactRequested.Name, "/hooks/customers/data_request": webhook.CustomerDataRequested.Name,
	} {
		h := &webhook.Handler{
			Secrets: []client.Secret{p.srv.App().Secret}, Registry: registry, Event: event,
			OnFailure: func(_ context.Context, f *webhook.Failure) { p.received.fail(f) },
		}
		must(t, h.Check())
		p.handle(path, func(body []byte) reflect.Type {
			var named struct {
				Event webhook.Name `json:"event"`
			}
			if _ = json.Unmarshal(body, &named); named.Event == "" {
				named.Event = event
			}
			return kinds[named.Event]
		}, h)
	}
	for name, kind := range kinds {
		if strings.Contains(string(name), "redact") || kind == reflect.TypeFor[webhook.DataRequest]() {
			continue // their addresses are in the settings of the app
		}
		_, err := unstable.Webhooks(p.client).Create(t.Context(), client.WebhookInput{URL: "https://app.example/hooks", Event: name})
		must(t, err)
	}
}

// on has events handled and notes the type of their payloads.
func on[P any](p *partner, r *webhook.Registry, kinds map[webhook.Name]reflect.Type, events ...webhook.Event[P]) {
	for _, e := range events {
		kinds[e.Name] = reflect.TypeFor[P]()
		p.received.kinds[kinds[e.Name]] = false
		webhook.On(r, e, func(_ context.Context, d webhook.Delivery[P]) error {
			p.payload = d.Payload
			return nil
		})
	}
}

// received is what the app got of the platform.
type received struct {
	kinds  map[reflect.Type]bool      // the payloads that handlers can get, and whether one came
	named  sightings                  // fields whose member was in a body
	filled map[string]bool            // fields that had a value when a function of the app was called
	extra  map[string]map[string]bool // members without a field, by the record
	failed []string                   // what handlers have reported
}

func newReceived() received {
	return received{
		kinds: map[reflect.Type]bool{}, named: sightings{}, filled: map[string]bool{}, extra: map[string]map[string]bool{},
	}
}

func (r *received) fail(err error) { r.failed = append(r.failed, fmt.Sprint(err)) }

// note takes down a body whose payload has a type, and the payload, which is nil if no function of the app got it.
func (r *received) note(t reflect.Type, body []byte, payload any) {
	r.kinds[t] = true
	r.named.in(t, body)
	if payload != nil {
		r.read(reflect.ValueOf(payload), r.filled)
	}
	// Records that are read member by member have tags too, for who decodes or writes them.
	decoded := reflect.New(t)
	if wire.Unmarshal(body, decoded.Interface()) == nil {
		r.read(decoded, map[string]bool{})
	}
}

// read notes in filled which fields of a payload have a value, and which members are in Extra.
func (r *received) read(v reflect.Value, filled map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			r.read(v.Elem(), filled)
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.read(v.Index(i), filled)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch field := v.Type().String() + "." + f.Name; {
			case f.Type == reflect.TypeFor[client.Extra]():
				r.spare(v.Type().String(), v.Field(i).Interface().(client.Extra))
			case f.IsExported():
				filled[field] = filled[field] || !v.Field(i).IsZero()
				r.read(v.Field(i), filled)
			}
		}
	}
}

// spare notes the members of a record that no field has taken.
func (r *received) spare(record string, members client.Extra) {
	for name := range members {
		if strings.HasPrefix(record, "webhook.") && (name == "store_id" || name == "event") {
			continue // of every delivery
		}
		if r.extra[record] == nil {
			r.extra[record] = map[string]bool{}
		}
		r.extra[record][name] = true
	}
}
