package webhooktest

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// Schedule is the waits between the attempts of one delivery. The first is the wait between the end of the first
// attempt and the second attempt.
type Schedule []time.Duration

// Attempts is the largest number of times that the platform sends a delivery.
const Attempts = 16

// Schedules returns the possible readings of the retry schedule in the contract. It says: "the first 4 retries happen
// immediately after the timeout and then at about 5, 10 and 15 minutes; after that the wait is multiplied by 1.4 each
// time within 48 hours; at most 16 attempts". A receiver should work with each reading:
//
//	four at once  literally: 12.5 hours in all
//	waits         one retry at once, then 5, 10 and 15 minutes are waits: 35 hours in all
//	instants      one retry at once, then they are times since the first attempt: 11.8 hours in all
func Schedules() map[string]Schedule {
	const m = time.Minute
	return map[string]Schedule{
		"four at once": grown(0, 0, 0, 0, 5*m, 10*m, 15*m),
		"waits":        grown(0, 5*m, 10*m, 15*m),
		"instants":     grown(0, 5*m, 5*m, 5*m),
	}
}

// grown extends the first waits to all attempts.
func grown(first ...time.Duration) Schedule {
	s := Schedule(first)
	for wait := s[len(s)-1]; len(s) < Attempts-1; s = append(s, wait) {
		wait = wait * 14 / 10
	}
	return s
}

// Storm delivers many bodies concurrently, each until it is answered 2xx or its schedule is over. Sender must be set.
type Storm struct {
	Sender Sender
	// Schedule is the waits after failures. If nil, there is only one attempt.
	Schedule Schedule
	// Copies is how often each body is delivered, whatever the answers. The copies are independent deliveries, each
	// with the Schedule. Zero means once.
	Copies int
	// Senders is the number of concurrent deliveries. Zero means 16.
	Senders int
	// Seed shuffles the deliveries. 0 leaves them in order.
	Seed uint64
}

// Outcome is the result of one delivery.
type Outcome struct {
	Body []byte // the delivered body
	// Statuses are the answers to the attempts, 0 if there was no answer in time.
	Statuses []int
}

// Accepted reports whether the last attempt was answered 2xx.
func (o Outcome) Accepted() bool {
	last := o.Statuses[len(o.Statuses)-1]
	return last >= 200 && last < 300
}

// Run delivers the bodies, and returns the outcomes when all are done or ctx ended. Deliveries that did not begin by
// then are omitted.
func (s Storm) Run(ctx context.Context, bodies ...[]byte) []Outcome {
	var all [][]byte
	for range max(s.Copies, 1) {
		all = append(all, bodies...)
	}
	if s.Seed != 0 {
		r := rand.New(rand.NewPCG(s.Seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	senders := s.Senders
	if senders <= 0 {
		senders = 16
	}
	outcomes := make([]Outcome, len(all))
	next := make(chan int)
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			for i := range next {
				outcomes[i] = s.deliver(ctx, all[i])
			}
		})
	}
	begun := 0
feed:
	for ; begun < len(all); begun++ {
		select {
		case next <- begun:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	group.Wait()
	return outcomes[:begun]
}

func (s Storm) deliver(ctx context.Context, body []byte) Outcome {
	o := Outcome{Body: body}
	for attempt := 0; ; attempt++ {
		sent := time.Now()
		status, err := s.Sender.Deliver(ctx, body)
		if err != nil {
			status = 0
		}
		o.Statuses = append(o.Statuses, status)
		if o.Accepted() || attempt == len(s.Schedule) || ctx.Err() != nil {
			return o
		}
		// A retry follows the timeout, even if the answer came earlier.
		rest := time.NewTimer(s.Schedule[attempt] + max(webhook.AnswerTime-time.Since(sent), 0))
		select {
		case <-rest.C:
		case <-ctx.Done():
			rest.Stop()
			return o
		}
	}
}
