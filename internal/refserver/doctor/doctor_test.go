package doctor_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// While the platform changes its key, an app must have both.
func TestOldKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.payKey(t, http.MethodGet)
	key := w.payKey(t, http.MethodPost)
	for _, row := range []struct {
		app  *partner
		want string
	}{
		{&partner{kind: doctor.Payments, key: key, old: old}, ""},
		{&partner{kind: doctor.Payments, key: key}, "old key"},
	} {
		row.app.attempts = new(attempts)
		row.app.api = w.api(t)
		report, err := doctor.Examine(t.Context(), doctor.Options{
			Kind: doctor.Payments, URL: serve(t, row.app).URL, Control: w.control, Origin: origin, OldKey: true,
			Check: "old key",
		})
		must(t, err)
		blames(t, report, row.want)
	}
}

// What the doctor changes at a running server is put back, even if it finds something or does not come to its end.
func TestServerIsAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, labelsFeature)
	app := serve(t, &partner{kind: doctor.Carrier}).URL
	for path, setting := range map[string]map[string]any{
		"partners":         {"origin": origin, "targets": []string{app, app + "1"}},
		"shipping-rules":   {"refusals_succeed": true, "delay": "1ms"},
		"payments/signing": {"skew": "1s"},
		w.in("storefront"): {"late_removes": true},
	} {
		must(t, w.Call(t.Context(), http.MethodPut, path, setting, nil))
	}
	before := w.settings(t)
	for _, kind := range doctor.Kinds() {
		for _, bound := range []time.Duration{0, 5 * time.Millisecond, 30 * time.Millisecond, 90 * time.Millisecond} {
			o := doctor.Options{Kind: kind, URL: app + "/calls", Control: w.control, Origin: origin, Bound: bound}
			o.Secret = secret
			_, err := doctor.Examine(t.Context(), o)
			if err != nil && bound == 0 {
				t.Errorf("%s: %v", kind, err)
			}
			if after := w.settings(t); after != before {
				t.Errorf("%s: the server has\n%s\nand had\n%s", kind, after, before)
			}
		}
	}
}

// in is a path of the store.
func (w *world) in(path string) string { return fmt.Sprintf("stores/%d/%s", w.store, path) }

// settings are those of the server.
func (w *world) settings(t *testing.T) string {
	t.Helper()
	var all []string
	for _, path := range []string{"partners", "shipping-rules", "payments/signing", w.in("storefront"), "apps"} {
		var answer json.RawMessage
		must(t, w.Call(t.Context(), http.MethodGet, path, nil, &answer))
		all = append(all, string(answer))
	}
	return strings.Join(all, "\n")
}

// nobody listens there.
const nobody = "http://127.0.0.1:1"

func TestOptions(t *testing.T) {
	for _, row := range []struct {
		o    doctor.Options
		says string
	}{
		{doctor.Options{Kind: doctor.Carrier, URL: "127.0.0.1:3000"}, "must be like https://app.example/hooks"},
		{doctor.Options{Kind: doctor.Carrier, URL: "https://ana:pw@app.example"}, "must be like"},
		{doctor.Options{Kind: "label", URL: nobody}, "must be one of"},
		{doctor.Options{Kind: doctor.Webhooks, URL: nobody}, "the secret must be set"},
		{doctor.Options{Kind: doctor.Payments, URL: nobody}, "at a running server"},
		{doctor.Options{Kind: doctor.Carrier, URL: nobody, Origin: "http://app.example"}, "origin"},
		{doctor.Options{Kind: doctor.Carrier, URL: nobody, Control: "https://x"}, "control address"},
		{doctor.Options{Kind: doctor.Carrier, URL: nobody, Control: newWorld(t).control, Secret: "x"}, "secret"},
	} {
		_, err := doctor.Examine(t.Context(), row.o)
		if !errors.Is(err, doctor.ErrOptions) || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%+v: got %v, want …%s…", row.o, err, row.says)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, err := doctor.Examine(t.Context(), doctor.Options{Kind: doctor.Carrier, URL: nobody, Control: gone.URL})
	if !errors.Is(err, control.ErrUnreachable) {
		t.Errorf("got %v, want that no control API answers", err)
	}
}

// An endpoint that hangs does not hang the doctor.
func TestBound(t *testing.T) {
	hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // net/http sees the end of a connection once the body is read
		<-r.Context().Done()
	})
	o := doctor.Options{Kind: doctor.Carrier, URL: serve(t, hangs).URL, Bound: 200 * time.Millisecond}
	if _, err := doctor.Examine(t.Context(), o); err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Errorf("got %v", err)
	}
}

// An examination of one check makes those that it requires as well, and no other.
func TestOneCheck(t *testing.T) {
	t.Parallel()
	for check, want := range map[string]string{
		"status":          "https, connection, certificate, no redirect, in time, status",
		"large body":      "https, connection, certificate, no redirect, in time, status, large body",
		"whole signature": "https, connection, certificate, no redirect, in time, status, unsigned, wrong signature, whole signature",
	} {
		o := place(t, doctor.Webhooks, "")
		o.Check = check
		report, err := doctor.Examine(t.Context(), o)
		must(t, err)
		var got []string
		for _, r := range report.In(doctor.Passed) {
			got = append(got, r.Check)
		}
		if all := strings.Join(got, ", "); all != want {
			t.Errorf("%s: got %s, want %s", check, all, want)
		}
	}
	o := place(t, doctor.Webhooks, "")
	o.Check = "large bodies"
	if _, err := doctor.Examine(t.Context(), o); !errors.Is(err, doctor.ErrOptions) || !strings.Contains(err.Error(), "large body") {
		t.Errorf("got %v", err)
	}
	o.Check = "nothing leaks"
	report, err := doctor.Examine(t.Context(), o)
	must(t, err)
	if n := len(report.Results); n < 30 { // it looks at the answers of all
		t.Errorf("%d checks before the last", n)
	}
}

// What an endpoint answers cannot move the cursor of a terminal, or fill it.
func TestAnswersAreShownAsText(t *testing.T) {
	rude := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, "\x1b[2J\u202e"+strings.Repeat("x", 1<<16))
	})
	report, err := doctor.Examine(t.Context(), doctor.Options{Kind: doctor.Carrier, URL: serve(t, rude).URL})
	must(t, err)
	blames(t, report, "status")
	for _, r := range report.Results {
		if strings.ContainsAny(r.Got, "\x1b\u202e\n") || len(r.Got) > 1000 {
			t.Errorf("%s: got %q", r.Check, r.Got)
		}
	}
}

// The secret is not printed, although the endpoint answers it.
func TestSecretIsMasked(t *testing.T) {
	report, err := doctor.Examine(t.Context(), place(t, doctor.Webhooks, "leaks the secret"))
	must(t, err)
	if all := fmt.Sprintf("%+v", report); strings.Contains(all, secret) {
		t.Errorf("printed %s", all)
	}
}

// A payment that fails because the API refused what the app reported names that refusal.
func TestFindingsNameRefusedCalls(t *testing.T) {
	report, err := doctor.Examine(t.Context(), place(t, doctor.Payments, "reports a sum of money wrong"))
	must(t, err)
	for _, found := range report.In(doctor.Failed) {
		if !strings.Contains(found.Got, "the API answered 4") || !strings.Contains(found.Got, "/transactions") {
			t.Errorf("%s: got %s", found.Check, found.Got)
		}
	}
	if len(report.In(doctor.Failed)) == 0 {
		t.Error("no finding")
	}
}

// An app that the API answers 429 is not blamed, and no check is skipped for it, because the calls of the doctor use
// the bucket of the app as well.
func TestFullBucket(t *testing.T) {
	t.Parallel()
	for _, full := range []struct {
		operation, check string
		count            int
	}{
		{"POST /orders/{order_id}/transactions", "paid once", 1},
		{"POST /orders/{order_id}/transactions/{transaction_id}/events", "refunded once", 2}, // the first is in "refunds"
	} {
		t.Run(full.check, func(t *testing.T) {
			t.Parallel()
			o := place(t, doctor.Payments, "")
			o.Check = full.check
			w := &world{}
			w.dial(t, o.Control)
			must(t, w.Call(t.Context(), http.MethodPost, "faults", map[string]any{
				"operation": full.operation, "status": 429, "count": full.count,
			}, nil))
			report, err := doctor.Examine(t.Context(), o)
			must(t, err)
			blames(t, report, "")
			for _, r := range report.In(doctor.Skipped) {
				t.Errorf("%s is skipped: %s", r.Check, r.Got)
			}
			faults := new(struct {
				Items []struct{ Hits int }
			})
			must(t, w.Call(t.Context(), http.MethodGet, "faults", nil, faults))
			if len(faults.Items) == 0 || faults.Items[0].Hits != full.count { // the doctor adds one of its own
				t.Errorf("faults: %+v", faults)
			}
		})
	}
}
