package otelcommerce

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// A loop has figures for its stores by their last result, and for the oldest success.
func TestInstrumentVisits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, began, down := observe(t), time.Now(), errors.New("down")
		time.Sleep(time.Hour)
		visits := map[client.ID]client.Visited{}
		defer o.InstrumentVisits("sweep", func() map[client.ID]client.Visited { return visits })()
		stores := func(result, n string) string {
			return "commerce.loop.stores{commerce.loop=sweep,commerce.loop.result=" + result + "} " + n
		}
		o.counts(stores("good", "0"), stores("failing", "0"))
		visits[1] = client.Visited{Good: began.Add(30 * time.Minute)}
		visits[2] = client.Visited{Good: began.Add(10 * time.Minute), Failed: began.Add(20 * time.Minute), Err: down}
		visits[3] = client.Visited{Failed: began, Err: down}
		visits[4] = client.Visited{Good: began.Add(time.Minute * 59), Failed: began, Err: down}
		o.counts(stores("good", "2"), stores("failing", "2"), "commerce.loop.oldest{commerce.loop=sweep} 3000")
	})
}
