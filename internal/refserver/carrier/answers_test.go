package carrier_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestAnswers has what each class of answer is: to the customer, to the circuit and to
// the cache.
func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		raw     string
		takes   time.Duration
		handler http.HandlerFunc
		healthy bool
		counts  carrier.Verdict
		lasts   time.Duration
		reason  string
	}{
		"200":              {status: 200, healthy: true, counts: carrier.Success, lasts: 15 * time.Minute},
		"200 without any":  {status: 200, raw: `{"rates":[]}`, healthy: true, counts: carrier.Success, lasts: 15 * time.Minute},
		"200 that is none": {status: 200, raw: `{"rates":`, healthy: true, counts: carrier.Success, lasts: 15 * time.Minute, reason: "must be an object with the array rates"},
		"200 with null":    {status: 200, raw: `{"rates":null}`, healthy: true, counts: carrier.Success, lasts: 15 * time.Minute, reason: "array rates"},
		"201":              {status: 201, healthy: true, counts: carrier.Success},
		"204":              {status: 204, raw: " ", healthy: true, counts: carrier.Success, reason: "array rates"},
		"299":              {status: 299, healthy: true, counts: carrier.Success},
		"redirect":         {status: 302, counts: carrier.Neutral, reason: "status 302"},
		"400":              {status: 400, counts: carrier.Neutral, reason: "status 400"},
		"409":              {status: 409, counts: carrier.Neutral, reason: "status 409"},
		"422":              {status: 422, counts: carrier.Neutral, lasts: time.Minute, reason: "status 422"},
		"429":              {status: 429, counts: carrier.Neutral, reason: "status 429"},
		"499":              {status: 499, counts: carrier.Neutral, reason: "status 499"},
		"500":              {status: 500, counts: carrier.Failure, reason: "status 500"},
		"503":              {status: 503, counts: carrier.Failure, reason: "status 503"},
		"just in time":     {status: 200, takes: 5*time.Second - 1, healthy: true, counts: carrier.Success, lasts: 15 * time.Minute},
		"late":             {status: 200, takes: 5 * time.Second, counts: carrier.Failure, reason: "no answer within 5s"},
		"late refusal":     {status: 422, takes: 5 * time.Second, counts: carrier.Failure, reason: "no answer within 5s"},
		"no answer":        {handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, counts: carrier.Failure, reason: "the handler panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			p.contingency()
			p.status, p.raw, p.takes = c.status, c.raw, c.takes
			if c.handler != nil {
				_ = p.Partner(origin, c.handler)
			}
			q := p.quote(parcel())
			call := q.Calls[0]
			if call.Healthy != c.healthy || call.Counts != c.counts || call.Fallback == c.healthy || call.Source != carrier.Asked || call.Late != (c.takes >= 5*time.Second) {
				t.Errorf("call %+v", call)
			}
			if !strings.Contains(call.Reason, c.reason) || c.reason == "" && call.Reason != "" {
				t.Errorf("reason %q, want %q", call.Reason, c.reason)
			}
			if fallback := len(q.Options) == 1 && q.Options[0].Source == carrier.Fallback && q.Options[0].Name == "Flat"; fallback == c.healthy {
				t.Errorf("options %+v", q.Options)
			}
			if h := p.desk.Health(p.store.ID, 77); h.Healthy != c.healthy {
				t.Errorf("health %+v", h)
			}
			for _, age := range []time.Duration{0, time.Minute - 1, 1, 14*time.Minute - 1, 1} {
				p.clock.Advance(age)
				left := c.lasts - p.clock.Now().Sub(clockOf(call))
				q := p.quote(parcel())
				again := q.Calls[0]
				if hit := again.Source == carrier.Cached; hit != (left > 0) {
					t.Fatalf("%s before the end: %s", left, again.Source)
				}
				if left > 0 && (again.Counts != "" || again.Status != call.Status || again.Healthy != call.Healthy || string(again.Answer) != string(call.Answer) || again.Fallback == c.healthy) {
					t.Errorf("reused %+v", again)
				}
				if left <= 0 {
					break
				}
			}
		})
	}
}

// clockOf is when the answer of a call came: the clock of a server stands still while
// a handler works.
func clockOf(c carrier.Call) time.Time { return c.At }

func TestRefusalsSucceed(t *testing.T) {
	p := open(t)
	p.desk.SetRules(carrier.Rules{RefusalsSucceed: true})
	p.answers(409)
	if c := p.quote(parcel()).Calls[0]; c.Counts != carrier.Success || c.Healthy {
		t.Errorf("call %+v", c)
	}
	p.answers(302)
	if c := p.quote(parcel()).Calls[0]; c.Counts != carrier.Neutral {
		t.Errorf("a redirect is no refusal: %+v", c)
	}
	p.desk.SetRules(carrier.Rules{Delay: 5 * time.Second})
	if c := p.quote(parcel()).Calls[0]; c.Counts != carrier.Failure || !c.Late {
		t.Errorf("call %+v", c)
	}
}

// TestUnread names the members of rates that nothing reads, also of rates that are hidden, each once.
func TestUnread(t *testing.T) {
	p := open(t)
	const door = `{"code":"standard","name":"n","type":"ship","currency":"ARS","price":1,"Price":2,"availability":true}`
	const point = `{"code":"none","name":"n","type":"pickup","currency":"ARS","price":1,` +
		`"address":{"address":"a","zip":"1"},"hours":[{"day":1,"start":"0900","end":"1800","open":true}]}`
	p.status, p.raw = 200, `{"rates":[`+door+`,`+door+`,`+point+`],"rate":1}`
	want := []string{"rate", "rates.Price", "rates.address.zip", "rates.availability", "rates.hours.open"}
	for range 2 { // the second answer is from the cache
		if c := p.quote(parcel()).Calls[0]; !slices.Equal(c.Unread, want) || len(c.Hidden) != 2 {
			t.Errorf("%s: unread %v, want %v; hidden %v", c.Source, c.Unread, want, c.Hidden)
		}
	}
}

// TestFallback shows the contingencies once per origin, beside what other carriers
// offer, and only if there are some.
func TestFallback(t *testing.T) {
	p := open(t)
	p.answers(422)
	if q := p.quote(parcel()); len(q.Options) != 0 || q.Calls[0].Fallback {
		t.Errorf("without contingencies: %+v", q)
	}
	p.contingency()
	p.update(func(tx *world.Tx) error {
		for id, path := range map[int64]string{78: "/other", 79: "/rates"} {
			c, o := p.carrier, p.standard
			c.ID, c.RatesURL, o.ID, o.CarrierID = id, origin+path, id, id
			if path == "/other" {
				c.RatesURL = "https://other.example/rates"
			}
			_, _ = tx.Carriers.Put(id, c), tx.CarrierOptions.Put(id, o)
		}
		return nil
	})
	_ = p.Partner("https://other.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"rates":[{"name":"N","code":"standard","price":1,"currency":"ARS","type":"ship"}]}`))
	}))
	c := parcel()
	far := c.Items[0]
	far.Location = p.warehouse()
	c.Items = append(c.Items, far)
	q := p.quote(c)
	var got []string
	for _, o := range q.Options {
		got = append(got, string(o.Source)+" "+o.Name+" "+o.Price.String())
	}
	if want := "carrier N 1,fallback Flat 5,carrier N 1,fallback Flat 5"; strings.Join(got, ",") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	f := q.Options[1]
	if f.Carrier != 0 || f.ID != 0 || f.Currency != "ARS" || f.Type != "ship" || f.MaxDelivery.Sub(f.MinDelivery) != 72*time.Hour {
		t.Errorf("fallback %+v", f)
	}
	if len(q.Calls) != 6 || q.Calls[1].Fallback || !q.Calls[2].Fallback {
		t.Errorf("calls %+v", q.Calls)
	}
}

// TestWhoIsAsked leaves out carriers that are not active or whose app is gone.
func TestWhoIsAsked(t *testing.T) {
	p := open(t)
	if err := p.Uninstall(p.app.ID, p.store.ID); err != nil {
		t.Fatal(err)
	}
	if q := p.quote(parcel()); len(q.Calls) != 0 || p.asked() != 0 {
		t.Errorf("uninstalled: %+v", q.Calls)
	}
	if _, err := p.Install(p.app.ID, p.store.ID, nil); err != nil {
		t.Fatal(err)
	}
	p.update(func(tx *world.Tx) error {
		c := p.carrier
		c.Active = false
		return tx.Carriers.Put(c.ID, c)
	})
	if q := p.quote(parcel()); len(q.Calls) != 0 || p.asked() != 0 {
		t.Errorf("not active: %+v", q.Calls)
	}
	p.update(func(tx *world.Tx) error { return tx.Carriers.Put(77, p.carrier) })
	if q := p.quote(parcel()); len(q.Options) != 1 || q.Options[0].Source != carrier.Asked {
		t.Errorf("installed again: %+v", q)
	}
}

// TestEndedContext counts nothing of a customer who went away.
func TestEndedContext(t *testing.T) {
	p := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	_ = p.Partner(origin, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		_ = delivery.Spend(r.Context(), time.Second)
		panic(http.ErrAbortHandler)
	}))
	if _, err := p.desk.Quote(ctx, p.store.ID, parcel()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if h := p.desk.Health(p.store.ID, 77); h.Requests != 0 || !h.Healthy || len(p.desk.Calls()) != 0 {
		t.Errorf("health %+v, calls %v", h, p.desk.Calls())
	}
}

// TestCacheIsBounded fills it over and over.
func TestCacheIsBounded(t *testing.T) {
	p := open(t)
	c := parcel()
	for i := range 10050 {
		c.Items[0].ID = int64(i + 1)
		p.quote(c)
	}
	if call := p.quote(c).Calls[0]; call.Source != carrier.Cached {
		t.Errorf("the last answer: %s", call.Source)
	}
	if n := p.desk.Reusable(); n != 10000 {
		t.Errorf("%d answers can be reused, want 10000", n)
	}
	if n := len(p.desk.Calls()); n > 11000 {
		t.Errorf("%d calls are kept", n)
	}
}
