package client_test

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// evidenceOf are all forms of refusals: those of the contract and those of what is between. ends is true for a refusal
// of the token in a form of the platform, the only evidence that an installation has ended.
type evidenceOf struct {
	name   string
	answer hostile.Answer
	ends   bool
}

func allEvidence(t *testing.T) (all []evidenceOf) {
	t.Helper()
	for _, r := range hostile.Refusals(t, "../internal/engine/testdata/refusals.tsv") {
		all = append(all, evidenceOf{r.String(), r.Answer(), r.Status == http.StatusUnauthorized && r.Platform})
	}
	for _, status := range []int{500, 502, 503, 504} {
		all = append(all, evidenceOf{strconv.Itoa(status), hostile.Status(status, "<html>down</html>", "Content-Type", "text/html"), false})
	}
	return all
}

// Whatever the platform, a gateway or a proxy answers, for three seconds or for two hours, each act requires its own
// evidence: refusals of the token in the platform's own words, for as long as the act requires. A store that answers
// in between ends the doubt.
func TestActsRequireTheirEvidence(t *testing.T) {
	required := map[client.Act]time.Duration{
		client.ActErase: 30 * time.Second, client.ActEndPromotions: time.Minute, client.ActRetire: 10 * time.Minute,
	}
	for _, e := range allEvidence(t) {
		synctest.Test(t, func(t *testing.T) {
			refused := e.answer
			answer := hostile.Answer(func(r *http.Request) (*http.Response, error) { return refused(r) })
			c, _ := gated(t, answer)
			store, judge := v202503.Store(c), new(client.Judge)
			observe := func() { // as each part of an app does after a call
				_, err := store.Get(t.Context())
				judge.Observe(t.Context(), 7, err)
			}
			expect := func(when string, began time.Time) {
				for act, over := range required {
					want := e.ends && time.Since(began) >= over
					if got := judge.Verdict(t.Context(), 7, act).Access == client.AccessGone; got != want {
						t.Errorf("%s: %s: %s %v after the first: the app counts as gone: %t", e.name, when, act, time.Since(began), got)
					}
				}
			}
			began := time.Now()
			for range 3 {
				observe()
				expect("passing", began)
				time.Sleep(time.Second)
			}
			refused = hostile.Status(200, `{"id":7}`)
			time.Sleep(2 * time.Minute) // until the circuit is closed
			observe()
			expect("after it", time.Now())
			refused = e.answer
			for began = time.Now(); time.Since(began) < 2*time.Hour; {
				observe()
				expect("lasting", began)
				time.Sleep(max(20*time.Second, time.Since(began)/20)) // often where the acts begin to be permitted
			}
		})
	}
}
