package sender

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

// timeout of an answer: as long as the slowest peer may take when it is flooded.
const timeout = 30 * time.Second

// send sends the deliveries of the job.
func (j Job) send() (*Report, error) {
	all := &Report{Due: make([]int64, j.Count), Answered: make([]int64, j.Count)}
	numbers, failed := make(chan int), make([]error, j.Connections)
	var connections sync.WaitGroup
	for c := range j.Connections {
		connections.Go(func() { failed[c] = j.connection(numbers, all) })
	}
	sent := j.schedule(numbers, all)
	connections.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	return &Report{Due: all.Due[:sent], Answered: all.Answered[:sent]}, nil
}

// schedule hands out the numbers of the deliveries when they are due and returns how many it has handed out.
func (j Job) schedule(numbers chan<- int, all *Report) (sent int) {
	defer close(numbers)
	began := time.Now()
	for n := range j.Count {
		if j.Limit > 0 && time.Since(began) > j.Limit {
			return n
		}
		if j.Rate == 0 {
			numbers <- n
			continue
		}
		due := began.Add(time.Duration(n) * time.Second / time.Duration(j.Rate))
		time.Sleep(time.Until(due))
		all.Due[n] = due.UnixNano()
		numbers <- n
	}
	return j.Count
}

// connection sends one delivery after another.
func (j Job) connection(numbers <-chan int, all *Report) (err error) {
	p := &bench.Poster{Timeout: timeout}
	defer p.Close()
	for n := range numbers {
		if err != nil {
			continue // so that the schedule ends
		}
		body, header := bench.Updates(j.First + n)
		if j.Rate == 0 {
			all.Due[n] = time.Now().UnixNano()
		}
		status, failure := p.Post(j.URL, webhook.SignatureHeader, header.Get(webhook.SignatureHeader), body)
		if failure == nil && status != http.StatusOK {
			failure = fmt.Errorf("status %d", status)
		}
		if err = failure; err != nil {
			err = fmt.Errorf("delivery %d: %w", n, err)
		}
		all.Answered[n] = time.Now().UnixNano()
	}
	return err
}
