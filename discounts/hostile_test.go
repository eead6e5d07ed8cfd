package discounts

import (
	"context"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A spoiled cart is answered 204 and reaches no plan, in little memory.
func TestSpoiledCarts(t *testing.T) {
	corpus := readCorpus(t)
	good := [][]byte{document(t, "discount_cart"), corpus.Carts[string(promotions.TierLineItems)],
		corpus.Carts[string(promotions.TierCrossItems)]}
	synctest.Test(t, func(t *testing.T) {
		calls, statuses := 0, map[int]int{}
		p := newProbe(t, Plans{
			LineItems:  func(context.Context, *LinePlan) error { calls++; return nil },
			CrossItems: func(context.Context, *CrossPlan) error { calls++; return nil },
		}, nil)
		defer p.Promotions.Close()
		reader := hostile.Reader{Read: func(body []byte) bool {
			calls = 0
			w := httptest.NewRecorder()
			p.ServeHTTP(w, request(t.Context(), body))
			statuses[w.Code]++
			if w.Code != 204 && (w.Code != 200 || calls != 1) || calls > 1 {
				t.Errorf("%.100q: status %d, %d calls: %s", body, w.Code, calls, w.Body)
			}
			return calls > 0
		}}
		for _, body := range good {
			if !reader.Read(body) {
				t.Errorf("%s: refused as it is", body)
			}
		}
		all := reader.Play(t, hostile.Documents(hostile.OfHandler/2, good...))
		if all.Documents < hostile.OfHandler {
			t.Errorf("%d documents, want %d at least", all.Documents, hostile.OfHandler)
		}
		for _, f := range p.failures() {
			if len(f.Error()) > 500 {
				t.Errorf("reported in %d bytes: %.200s", len(f.Error()), f)
			}
		}
		t.Logf("%v; statuses %v", all, statuses)
	})
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, map[string]any{"discount_cart": &Cart{}, "promotion": &promotions.Promotion{}},
		func(name string) []byte { return document(t, name) })
}

// The amount of a command is two decimals and a point, above zero, or it is refused at little cost.
func TestNumbersOfStrangers(t *testing.T) {
	corpus := readCorpus(t)
	cart := corpus.cart(t, promotions.TierCrossItems)
	const before = `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"33333333-3333-4333-8333-333333333333","currency":"ARS","discount_specs":{"type":"fixed","amount":"`
	form := regexp.MustCompile(`^(0|[1-9][0-9]{0,14})\.[0-9]{2}$`)
	count, taken := 0, 0
	for s := range hostile.Numbers() {
		err := Validate(cart, corpus.Promotions, []byte(before+s+`"}}}]}`))
		count++
		if err == nil {
			taken++
		}
		if err == nil && !form.MatchString(s) || err != nil && len(err.Error()) > 500 {
			t.Errorf("%.60q: got %.200v", s, err)
		}
	}
	if taken == 0 {
		t.Error("none is taken")
	}
	t.Logf("%d numbers, %d taken", count, taken)
}

// A signature, an address and a list of hops of a mebibyte are refused, and not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	var s client.Sources
	proxies, err := client.ParseSources("192.0.2.0/24")
	if err != nil {
		t.Fatal(err)
	}
	s.Proxies = proxies
	s.Set(proxies...)
	hops := request(t.Context(), nil)
	hops.RemoteAddr = "192.0.2.1:80"
	for name, refused := range map[string]func() bool{
		"signature": func() bool {
			_, ok := claimed([]string{long})
			return !ok
		},
		"source": func() bool {
			_, err := client.ParseSources(long)
			return err != nil && len(err.Error()) < 500
		},
		"digits as a source": func() bool {
			_, err := client.ParseSources(strings.Repeat("1", 1<<20) + "/8")
			return err != nil && len(err.Error()) < 500
		},
		"hop": func() bool {
			hops.Header.Set("X-Forwarded-For", long)
			return !s.Allows(hops)
		},
		"many hops": func() bool {
			hops.Header.Set("X-Forwarded-For", strings.Repeat("a,", 1<<19))
			return !s.Allows(hops)
		},
	} {
		ok := false
		if spent := hostile.Cost(func() { ok = refused() }); !ok || spent.Bytes > 16<<20 {
			t.Errorf("a %s: refused %v, which cost %v", name, ok, spent)
		} else {
			t.Logf("%s: %v", name, spent)
		}
	}
}
