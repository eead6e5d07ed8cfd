package otelcommerce

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Refused tokens and an outage are reported until the end of the reports.
func TestInstrumentJudge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, judge := observe(t), &client.Judge{OnOutage: func(context.Context, client.AuthorizationOutage) {}}
		stop := o.InstrumentJudge(judge)
		stores := func(access, n string) string {
			return "commerce.installation.refused{commerce.installation.access=" + access + "} " + n
		}
		o.counts(stores("doubtful", "0"), stores("gone", "0"), "commerce.authorization.outage{} 0")
		for range 3 {
			judge.Observe(t.Context(), 1, client.ErrUnauthorized)
			time.Sleep(5 * time.Minute)
		}
		judge.Observe(t.Context(), 2, client.ErrUnauthorized)
		o.counts(stores("doubtful", "1"), stores("gone", "1"))
		judge.Observe(t.Context(), 3, client.ErrUnauthorized)
		judge.Observe(t.Context(), 4, client.ErrUnauthorized)
		time.Sleep(time.Minute)
		o.counts(stores("doubtful", "4"), stores("gone", "0"), "commerce.authorization.outage{} 60")
		stop()
		if got := o.lines(); len(got) != 0 {
			t.Errorf("after the end: %q", got)
		}
	})
}
