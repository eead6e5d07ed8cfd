package payments

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// The functions of one store hang, and calls of other stores are answered at once. They were answered 503 once, because
// the store took all places.
func TestOneStoreHangs(t *testing.T) {
	keyOf()
	const stores = 20
	for _, hung := range []int{64, 2 * DefaultMaxRuns} {
		synctest.Test(t, func(t *testing.T) {
			c := configured(new(failures))
			c.OnFailure = func(context.Context, *Failure) {}
			h := &ProcessHandler{Callback: c, Process: func(ctx context.Context, r ProcessRequest) (any, error) {
				if r.StoreID == 1 {
					<-ctx.Done()
				}
				return nil, ctx.Err()
			}}
			pay := func(store client.ID, n int) int {
				return ask(h, signed(t, "POST", "/process", fmt.Sprintf(`{"store_id":%d,"payment_attempt_id":"%d"}`, store, n))).Code
			}
			var all sync.WaitGroup
			for n := range hung {
				all.Go(func() { pay(1, n) })
			}
			synctest.Wait()
			for n := range stores {
				began := time.Now()
				if code := pay(client.ID(2+n), n); code != 201 || time.Since(began) > 0 {
					t.Errorf("%d calls of a store hang: another store was answered %d after %v", hung, code, time.Since(began))
				}
			}
			all.Wait()
			time.Sleep(time.Minute)
		})
	}
}
