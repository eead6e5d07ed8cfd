package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// database keeps tokens, and serves nobody whose context has ended.
type database struct{ *oauth.MemoryStore }

func (d database) Load(ctx context.Context, store client.ID) (oauth.Install, error) {
	if err := ctx.Err(); err != nil {
		return oauth.Install{}, err
	}
	return d.MemoryStore.Load(ctx, store)
}

// A handler that is at work when the program has to stop can call the API until Grace is over. The token is loaded for
// each call. SIGTERM ends the context of the program (signal.NotifyContext), as cancel does here.
func TestDrainCallsTheAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := clienttest.New(t, clienttest.Options{RealTime: true})
		token, err := server.Install()
		if err != nil {
			t.Fatal(err)
		}
		tokens := database{&oauth.MemoryStore{}}
		if _, err := tokens.Swap(t.Context(), server.StoreID(), 0,
			&oauth.Install{StoreID: server.StoreID(), Token: token, Generation: 1}); err != nil {
			t.Fatal(err)
		}
		program, sigterm := context.WithCancel(t.Context())
		defer sigterm()
		stores := &client.Stores{
			Config: client.Config{
				BaseURL: server.URL(), UserAgent: "Tests (tests@app.example)",
				HTTPClient: &http.Client{Transport: server.Transport()},
			},
			Tokens: oauth.Sources(tokens),
		}
		defer stores.CloseIdleConnections()
		begun, ended := make(chan struct{}), make(chan error, 2)
		var registry webhook.Registry
		webhook.On(&registry, webhook.OrderCreated,
			func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
				close(begun)
				<-program.Done()
				for range 2 { // in the middle of Grace, and after it
					select {
					case <-time.After(webhook.DefaultGrace * 3 / 5):
					case <-ctx.Done():
					}
					c, err := stores.Client(ctx, d.StoreID)
					if err == nil {
						_, err = v202503.Store(c).Get(ctx)
					}
					ended <- err
				}
				return nil
			})
		inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
		if err != nil {
			t.Fatal(err)
		}
		worker := &webhook.Worker{Inbox: inbox, Registry: &registry}
		stopped := make(chan error, 1)
		go func() { stopped <- worker.Run(program) }()
		body := fmt.Appendf(nil, `{"store_id":%d,"event":"order/created","id":5}`, server.StoreID())
		if _, err := inbox.Accept(t.Context(), registry.Entry("app", "", body)); err != nil {
			t.Fatal(err)
		}
		<-begun
		sigterm()
		if err := <-ended; err != nil {
			t.Errorf("a call during Grace: %v", err)
		}
		if err := <-ended; !errors.Is(err, webhook.ErrDraining) {
			t.Errorf("a call after Grace: %v, want ErrDraining", err)
		}
		if err := <-stopped; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}
