package queue

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// memoryPeer receives in memory.
type memoryPeer struct {
	name string
	open func() (http.Handler, error)
}

var memoryPeers = []memoryPeer{
	{"ours", openMemory},
	{"hand", func() (http.Handler, error) { return openMap(), nil }},
	{"bare", func() (http.Handler, error) { return http.HandlerFunc(bench.Bare), nil }},
}

// openMemory returns the receiver of this module with its inbox in memory.
func openMemory() (http.Handler, error) {
	in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		return nil, err
	}
	return &webhook.Handler{
		Secrets: []client.Secret{bench.Secret}, Inbox: in, Logger: slog.New(slog.DiscardHandler),
	}, nil
}

// openMap returns the receiver by hand with a map of what is pending.
func openMap() http.Handler {
	var mu sync.Mutex
	pending := map[string][]byte{}
	return put(func(_ context.Context, key string, body []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if _, known := pending[key]; !known {
			pending[key] = body
		}
		return nil
	})
}
