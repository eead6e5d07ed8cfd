package doctor_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
)

// The carrier that the app registered is examined, with its own options. The origin is the one that the server forwards
// to the program, and the other carriers there are not examined.
func TestRegisteredCarrierIsExamined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mux := http.NewServeMux()
	mux.Handle("/rates/mine", &partner{kind: doctor.Carrier, bug: "another code"}) // an option of the carrier here
	mux.Handle("/", http.RedirectHandler("/rates/", http.StatusTemporaryRedirect))
	app := serve(t, mux).URL
	must(t, w.Call(t.Context(), http.MethodPut, "partners", map[string]any{"origin": "https://post.example", "targets": []string{app}}, nil))
	var records []any
	for _, path := range []string{"mine", "other", "third"} {
		records = append(records, map[string]any{"path": "/shipping_carriers", "as": path, "body": map[string]any{
			"name": path, "callback_url": "https://post.example/rates/" + path, "types": "ship,pickup",
		}})
		for _, code := range []string{"standard", "STANDARD"} {
			records = append(records, map[string]any{
				"path": "/shipping_carriers/{" + path + ".id}/options", "body": map[string]any{"code": code, "name": code},
			})
		}
	}
	must(t, w.Call(t.Context(), http.MethodPost, "seed", map[string]any{"records": records}, nil))

	o := doctor.Options{Kind: doctor.Carrier, URL: app + "/rates/mine", Control: w.control}
	report, err := doctor.Examine(t.Context(), o)
	must(t, err)
	if passed := len(report.In(doctor.Passed)); passed < 20 {
		t.Errorf("%d checks passed", passed)
	}
	o.Check = "refusals" // again, while the platform has the answer in its cache
	if again, err := doctor.Examine(t.Context(), o); err != nil || len(again.In(doctor.Failed)) > 0 || len(again.In(doctor.Passed)) < 5 {
		t.Errorf("examined again: %v", err)
	}
	for _, found := range report.In(doctor.Failed) {
		t.Errorf("%s: sent %s, got %s", found.Check, found.Sent, found.Got)
	}
}

// An examination is about its own webhooks: not about those that failed before it, and not about those of others
// meanwhile.
func TestWebhooksOfOthersAreNotExamined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	right, broken, arrived := &partner{kind: doctor.Webhooks}, new(atomic.Bool), make(chan struct{}, 1)
	app := serve(t, http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		raw, _ := io.ReadAll(in.Body)
		in.Body = io.NopCloser(bytes.NewReader(raw))
		if bytes.Contains(raw, []byte(`"id":77`)) {
			select {
			case arrived <- struct{}{}:
			default: // the next one is emitted already
			}
		}
		if broken.Load() || bytes.Contains(raw, []byte(`"id":77`)) {
			out.WriteHeader(http.StatusInternalServerError)
			return
		}
		right.ServeHTTP(out, in)
	}))
	options := doctor.Options{Kind: doctor.Webhooks, URL: app.URL + "/hooks", Control: w.control, Origin: origin}
	broken.Store(true)
	report, err := doctor.Examine(t.Context(), options)
	must(t, err)
	if len(report.In(doctor.Failed)) == 0 {
		t.Fatal("the broken app has no finding")
	}
	broken.Store(false)
	ctx, stop := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() {
		for ctx.Err() == nil {
			other := map[string]any{"event": "order/paid", "fields": map[string]any{"id": 77}}
			_ = w.Call(ctx, http.MethodPost, w.in("emit"), other, nil)
			select {
			case <-arrived: // no more than the app receives, however slow the machine is
			case <-ctx.Done():
			}
		}
	})
	defer others.Wait()
	defer stop()
	for range 3 {
		report, err = doctor.Examine(t.Context(), options)
		must(t, err)
		blames(t, report, "")
	}
}
