package bench

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// poisoned is the number of entries of Poisoned, of which the first ends its process.
const poisoned = 16

// poisonStatus is the status of a process that the entry has ended.
const poisonStatus = 3

// process is a *proctest.Process.
type process interface {
	Line(t testing.TB) string
	Ended() <-chan struct{}
}

// Poisoned has an entry that ends its process, and 15 others that are in progress then, handled by processes that are
// started one after another. Start starts a process with the role Poison on the inbox. The poison alone must be dead,
// after the documented number of runs.
func Poisoned[P process](t *testing.T, in webhook.Inbox, start func() P) {
	t.Helper()
	for id := 1; id <= poisoned; id++ {
		e := poisonEvents(nil).Entry("", "", fmt.Appendf(nil, `{"store_id":1,"event":"order/created","id":%d}`, id))
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	last := ""
	for {
		c := start()
		said := c.Line(t)
		<-c.Ended()
		if said == "done" {
			break
		}
		last = said
	}
	s, err := in.Stats(t.Context())
	if err != nil || s.Pending != 0 || s.Done != poisoned-1 || s.Dead != 1 {
		t.Errorf("%+v, %v; want 15 done and the poison dead", s, err)
	}
	if want := poisonous(webhook.MaxUnfinished); last != want {
		t.Errorf("the last process that died printed %q, want %q", last, want)
	}
}

// poisonous is what a process prints that dies. A busy machine can lose a lease of the poison, so the number of
// processes that died says less than the number of runs that were left unfinished.
func poisonous(unfinished int) string { return fmt.Sprintf("poison %d", unfinished) }

// Poison handles the entries of Poisoned, and prints whether it ends because none is pending or because of the poison.
func Poison(in webhook.Inbox) error {
	var others sync.WaitGroup
	others.Add(poisoned - 1)
	events := poisonEvents(func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		l, _ := webhook.LeaseOf(ctx)
		first := l.Unfinished == 0
		switch {
		case d.Payload.ID == 1:
			if first {
				others.Wait()
			}
			fmt.Println(poisonous(l.Unfinished))
			os.Exit(poisonStatus)
		case first:
			others.Done()
			<-ctx.Done() // when the process ends
		}
		return nil
	})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w := &webhook.Worker{
		Inbox: in, Registry: events, Concurrency: poisoned, PerStore: poisoned, Lease: 3 * time.Second, Poll: 50 * time.Millisecond,
	}
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	for {
		s, err := in.Stats(ctx)
		if err != nil {
			return err
		}
		if s.Pending == 0 {
			stop()
			fmt.Println("done")
			return <-ended
		}
		if err := in.Wait(ctx, webhook.LeaseQuery{}, time.Second/10); err != nil {
			return err
		}
	}
}

func poisonEvents(handle func(context.Context, webhook.Delivery[webhook.Entity]) error) *webhook.Registry {
	var events webhook.Registry
	webhook.On(&events, webhook.OrderCreated, handle)
	return &events
}
