package payments

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
)

const reviewSecret = client.Secret("canary-review-secret-of-the-app!")

var someReview = Review{StoreID: 123, Key: "attempt/1", Until: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}

// decisions is a handler and what it was called with.
type decisions struct {
	*ReviewHandler
	now     time.Time
	err     error
	got     []string
	refused []client.Refused
	failed  []error
}

func newDecisions() *decisions {
	d := &decisions{now: someReview.Until.Add(-time.Second)}
	d.ReviewHandler = &ReviewHandler{
		Address: "https://pay.example/reviews", Secrets: []client.Secret{reviewSecret}, Now: func() time.Time { return d.now },
		Decide: func(_ context.Context, r Review, made Decision) error {
			if !reflect.DeepEqual(r, Review{someReview.StoreID, someReview.Key, r.Until}) {
				return errors.New("another review")
			}
			d.got = append(d.got, string(made))
			return d.err
		},
		OnRefused: func(_ context.Context, r client.Refused) { d.refused = append(d.refused, r) },
		Logger:    slog.New(slog.DiscardHandler),
		OnFailure: func(_ context.Context, f *Failure) { d.failed = append(d.failed, f) },
	}
	return d
}

func (d *decisions) call(method, address, body string) int {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(method, address, strings.NewReader(body)))
	return w.Code
}

// info returns the addresses of a review.
func (d *decisions) info(t *testing.T, r Review) providers.EventInfo {
	t.Helper()
	info, err := d.Info(r)
	if err != nil {
		t.Fatal(err)
	}
	event := providers.EventInput{
		Amount: providers.Amount{Value: client.Cents(1), Currency: "BRL"}, Type: providers.EventTypeMerchantReview,
		Status: providers.EventPending, Info: info,
	}
	if err := event.Check(); err != nil {
		t.Fatal(err)
	}
	return info
}

func TestReviewDecisions(t *testing.T) {
	d := newDecisions()
	info := d.info(t, someReview)
	for _, call := range []struct{ address, body string }{
		{info.AcceptURL, "{}"}, {info.CancelURL, ""}, {info.AcceptURL, "no JSON"}, {info.AcceptURL + "&more=1", "{}"},
	} {
		if got := d.call("POST", call.address, call.body); got != http.StatusOK {
			t.Errorf("%s %q: %d, want 200", call.address, call.body, got)
		}
	}
	if want := []string{"accept", "cancel", "accept", "accept"}; !reflect.DeepEqual(d.got, want) {
		t.Errorf("decided %q, want %q", d.got, want)
	}
	endless := d.info(t, Review{StoreID: someReview.StoreID, Key: someReview.Key})
	if d.now = d.now.AddDate(50, 0, 0); d.call("POST", endless.CancelURL, "{}") != http.StatusOK {
		t.Error("a review without an end has ended")
	}
	d.err = errors.New("the bank is closed")
	if got := d.call("POST", endless.AcceptURL, "{}"); got != http.StatusServiceUnavailable || len(d.failed) != 1 {
		t.Errorf("a decision that failed: %d, %v; want 503 and one failure", got, d.failed)
	}
}

// An address is good for the payment, the decision and the handler that it was made for, until its end.
func TestReviewAddressesAreVerified(t *testing.T) {
	d := newDecisions()
	info := d.info(t, someReview)
	change := func(name string, values ...string) string {
		u, err := url.Parse(info.AcceptURL)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q[name] = values
		u.RawQuery = q.Encode()
		return u.String()
	}
	other := newDecisions()
	other.Address = "https://pay.example/others"
	foreign := strings.Replace(other.info(t, someReview).AcceptURL, "/others", "/reviews", 1)
	for _, address := range []string{
		"https://pay.example/reviews", change("decision", "cancel"), change("decision", "Accept"), change("store_id", "124"),
		change("store_id", "x"), change("key", "attempt/2"), change("until", "0"), change("until", "99999999999"), change("until", ""),
		change("signature"), change("signature", ""), change("signature", strings.Repeat("0", 64)), change("signature", "not hexadecimal"),
		change("decision", "accept", "cancel"), change("key", someReview.Key, "attempt/2"), foreign,
	} {
		if got := d.call("POST", address, "{}"); got != http.StatusUnauthorized {
			t.Errorf("%s: %d, want 401", address, got)
		}
	}
	if got := d.call("POST", info.AcceptURL, strings.Repeat(" ", maxReview+1)); got != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d, want 413", got)
	}
	if d.now = someReview.Until; d.call("POST", info.AcceptURL, "{}") != http.StatusGone {
		t.Error("a decision after its end is taken")
	}
	if len(d.got) > 0 {
		t.Errorf("decided %q", d.got)
	}
	for _, r := range d.refused {
		if strings.Contains(r.Err.Error(), "canary") {
			t.Errorf("the refusal shows the secret: %v", r.Err)
		}
	}
}

// During a change of the secret the addresses of both are good, and new ones are signed with the new secret.
func TestReviewSecretsRotate(t *testing.T) {
	const next = client.Secret("canary-next-review-secret-of-app")
	set := new(client.SecretSet)
	d := newDecisions()
	d.Secrets, d.SecretSet = nil, set
	if _, err := d.Info(someReview); !errors.Is(err, errNoSecret) {
		t.Errorf("without a secret: %v", err)
	}
	if got := d.call("POST", "https://pay.example/reviews", "{}"); got != http.StatusServiceUnavailable {
		t.Errorf("without a secret: %d, want 503", got)
	}
	rotate := func(secrets ...client.Secret) {
		if err := set.Set(secrets...); err != nil {
			t.Fatal(err)
		}
	}
	rotate(reviewSecret)
	old := d.info(t, someReview)
	rotate(next, reviewSecret)
	fresh := d.info(t, someReview)
	if a, b := d.call("POST", old.AcceptURL, "{}"), d.call("POST", fresh.AcceptURL, "{}"); a != http.StatusOK || b != http.StatusOK {
		t.Errorf("during the change: %d, %d; want 200 twice", a, b)
	}
	rotate(next)
	if a, b := d.call("POST", old.AcceptURL, "{}"), d.call("POST", fresh.AcceptURL, "{}"); a != http.StatusUnauthorized || b != http.StatusOK {
		t.Errorf("after the change: %d, %d; want 401 and 200", a, b)
	}
}

func TestReviewHandlerIsChecked(t *testing.T) {
	for name, change := range map[string]func(*ReviewHandler){
		"no Decide":                      func(h *ReviewHandler) { h.Decide = nil },
		"Address is \"http:":             func(h *ReviewHandler) { h.Address = "http://pay.example/reviews" },
		"Address is":                     func(h *ReviewHandler) { h.Address = "https://pay.example/reviews?a=1" },
		"no Secrets":                     func(h *ReviewHandler) { h.Secrets = nil },
		"secret":                         func(h *ReviewHandler) { h.Secrets = []client.Secret{""} },
		"Secrets and SecretSet must not": func(h *ReviewHandler) { h.SecretSet = new(client.SecretSet) },
		"Budget is":                      func(h *ReviewHandler) { h.Budget = -1 },
		"payments: ReviewHandl":          func(h *ReviewHandler) { h.MaxRuns = -1 },
	} {
		d := newDecisions()
		change(d.ReviewHandler)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := d.Info(someReview); err == nil {
			t.Errorf("%s: it makes addresses", name)
		}
		if got := d.call("POST", "https://pay.example/reviews", "{}"); got != http.StatusServiceUnavailable {
			t.Errorf("%s: %d, want 503", name, got)
		}
	}
	for field, r := range map[string]Review{
		"store_id": {Key: "k"}, "key": {StoreID: 1}, "key: \"a b": {StoreID: 1, Key: "a b"}, "key: \"é": {StoreID: 1, Key: "é"},
		"key: \"kkk": {StoreID: 1, Key: strings.Repeat("k", 256)},
	} {
		if _, err := newDecisions().Info(r); !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
