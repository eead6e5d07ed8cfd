package inboxtest_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

// memory is an engine on the clock of the bubble.
var memory = inboxtest.Engine{
	Open:    func(t *testing.T) webhook.Inbox { return limited(t, 0) },
	Limited: limited,
	Bubble:  synctest.Test,
}

func limited(t *testing.T, highWater int) webhook.Inbox {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true, HighWater: highWater})
	if err != nil {
		t.Fatal(err)
	}
	return inbox
}

// TestRealClock runs the suite as engines do that have a clock of their own.
func TestRealClock(t *testing.T) {
	itself := func(_ *testing.T, inbox webhook.Inbox) webhook.Inbox { return inbox }
	engine := inboxtest.Engine{Open: memory.Open, Limited: limited, Share: itself, Reopen: itself}
	inboxtest.Run(t, engine)
	inboxtest.Schedules(t, engine, 40, 1)
}

func TestProofSchedules(t *testing.T) {
	n := tier.Size(1_000, 10_000, 100_000)
	for seed := range tier.Size[uint64](1, 1, 10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { inboxtest.Schedules(t, memory, n, seed) })
	}
}
