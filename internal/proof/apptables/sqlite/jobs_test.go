package apptables

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljobs"
)

// Jobs of 64 of 1,000 stores hang, half of them whatever their contexts say. Each of them is reported, and the jobs of
// all other stores are done within a pass of 20 minutes, as TestUsersVisitOnTime shows for other loops.
func TestJobsOfHungStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stubborn, hanging, stores = 32, 64, 1000
		db, err := connect(filepath.Join(t.TempDir(), "app.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		start, release := time.Now(), make(chan struct{})
		var mu sync.Mutex
		done, reported := map[client.ID]time.Duration{}, map[client.ID]bool{}
		q := &sqljobs.Queue{
			DB: db, Name: "bulk",
			Do: func(ctx context.Context, b *sqljobs.Batch) error {
				switch {
				case b.Store <= stubborn:
					<-release
					return errors.New("late")
				case b.Store <= hanging:
					<-ctx.Done()
					return ctx.Err()
				}
				mu.Lock()
				defer mu.Unlock()
				done[b.Store] = time.Since(start)
				return nil
			},
			OnFailure: func(_ context.Context, store client.ID, _ error) {
				mu.Lock()
				defer mu.Unlock()
				reported[store] = true
			},
		}
		if err := q.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		for store := range client.ID(stores) {
			if err := q.Add(t.Context(), store+1, "bulk", sqljobs.Item{Key: "only"}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		if err := q.Run(ctx); err != nil {
			t.Error(err)
		}
		close(release)
		synctest.Wait()
		var last time.Duration
		for store := range client.ID(stores) {
			at, ok := done[store+1]
			if last = max(last, at); ok != (store >= hanging) || reported[store+1] == ok {
				t.Errorf("store %d: done %v, reported %v", store+1, ok, reported[store+1])
			}
		}
		t.Logf("the last other store was done after %v", last)
	})
}
