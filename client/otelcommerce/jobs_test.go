package otelcommerce

import (
	"context"
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// A queue has a figure for each state of its items. If they cannot be read, they are missing.
func TestInstrumentJobs(t *testing.T) {
	o, failure := observe(t), error(nil)
	defer o.InstrumentJobs("labels", func(context.Context) (client.JobItems, error) {
		return client.JobItems{Done: 5, Failed: 1, Waiting: 7, Paused: 2}, failure
	})()
	items := func(state, n string) string {
		return "commerce.jobs.items{commerce.jobs.queue=labels,commerce.jobs.state=" + state + "} " + n
	}
	o.counts(items("done", "5"), items("failed", "1"), items("waiting", "7"), items("paused", "2"))
	failure = errors.New("down")
	if n, err := figuresOf(t.Context(), "items", func(context.Context) (int, error) { return 1, failure }); err == nil {
		t.Errorf("got %d, want an error", n)
	}
}
