package client_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	v1 "github.com/commerceplatform/commerce-go/client/v1"
)

// Intents that are left from yesterday delay a process once, because its predecessor may have sent one of their creates
// a moment ago. The others are looked up once each. After a create that was cut short, the process waits again.
func TestOnceResumesManyOldIntents(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, api *v1.API, _ client.ID) {
		const intents = 100
		b := newBook()
		once := categoriesOnce(api, b)
		for n := range intents {
			lost := clienttest.Fault{Operation: "POST /categories", Reset: true, Count: 1}
			if err := srv.Fault(lost); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("Category %d", n)
			if _, err := once.Create(t.Context(), name, naming(api, name)); !errors.Is(err, client.ErrProbablyNotCreated) {
				t.Fatal(err)
			}
		}
		time.Sleep(24 * time.Hour)
		resume := func(create bool) time.Duration {
			began := time.Now()
			for _, in := range b.open {
				f, want := naming(api, in.Key), error(nil)
				if !create {
					f, want = nil, client.ErrProbablyNotCreated
				}
				if _, err := once.Resume(t.Context(), in, f); !errors.Is(err, want) {
					t.Fatalf("%v: %v", in.Key, err)
				}
			}
			return time.Since(began)
		}
		if took := resume(false); took > 30*time.Second {
			t.Errorf("%d intents were looked up in %v, want 15 s at most", intents, took)
		}
		for _, in := range b.open {
			ctx, cancel := context.WithCancel(t.Context())
			_, _ = once.Resume(ctx, in, func(context.Context) (*client.Category, error) {
				cancel()
				return nil, client.ErrOutcomeUnknown
			})
			break
		}
		if took := resume(true); took < 15*time.Second || took > 30*time.Second {
			t.Errorf("%d intents were sent in %v, want 15 s and no more", intents, took)
		}
	})
}
