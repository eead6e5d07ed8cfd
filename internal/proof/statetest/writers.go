package statetest

import (
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// writers has many workers of two processes do acts at the same time: each act is done by four of them. None fails
// because of another one, and each act is done once.
func writers(t *testing.T, w *World, row Row) {
	workers, most := tier.Size(8, 32, 32), tier.Size(16, 128, 512)
	if row.Pays { // each takes a hundred statements and a dozen calls
		most /= 4
	}
	w.lease = time.Second // all live
	processes := []Face{w.process(t, row), w.process(t, row)}
	next := make(chan int)
	var all sync.WaitGroup
	for i := range workers {
		f := processes[i%2]
		all.Go(func() {
			for n := range next {
				if err := acts(t, f, n); err != nil {
					t.Errorf("act %d: %v", n, err)
				}
			}
		})
	}
	var confirmed []int
	for n := range most {
		for range 4 {
			next <- n
		}
		confirmed = append(confirmed, n)
	}
	close(next)
	all.Wait()
	shows(t, processes[0], confirmed...)
}
