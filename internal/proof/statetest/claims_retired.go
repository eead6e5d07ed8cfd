package statetest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// retiredByServe has sealed tokens that were retired 31 and 29 days ago. Two replicas serve: the first is erased, the
// second stays until Redact. A database that fails erases nothing, and its error is returned.
func retiredByServe(t *testing.T, e Engine) {
	inbox := e.Inbox(t)
	f := newFixture(t, inbox)
	s := f.app.Tokens
	for store, days := range map[client.ID]int{71: 31, 72: 29} {
		swap(t, s, store, 0, made(store, 5))
		done, err := s.Retire(t.Context(), store, 5, time.Now().Add(-time.Duration(days)*24*time.Hour))
		if err != nil || !done {
			t.Fatal(done, err)
		}
	}
	platform := f.platform.App()
	second := multistore.New(multistore.Config{
		OAuth: oauth.App{ID: platform.ID, Secret: platform.Secret, AuthURL: platform.AuthURL, Name: "Test"},
		API: client.Config{BaseURL: f.platform.URL(), UserAgent: "Test (dev@app.example)",
			HTTPClient: &http.Client{Transport: f.platform.Transport()}},
		Tokens: &sqlstore.Store{Keys: s.Keys}, Inbox: inbox, PublicURL: public,
	})
	second.Ready.Wait = -1
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 2)
	var addresses []string
	for _, a := range []*multistore.App{f.app, second} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		f.must(err)
		addresses = append(addresses, "http://"+l.Addr().String())
		go func() { ended <- a.Serve(ctx, l, http.NewServeMux()) }()
	}
	defer http.DefaultClient.CloseIdleConnections()
	for _, address := range addresses { // both have checked their tables when they answer
		r, err := http.Get(address)
		f.must(err)
		f.must(r.Body.Close())
	}
	sealed := func(want int, stores string) error {
		var n int
		query := "SELECT count(*) FROM commerce_install WHERE store_id " + stores
		f.must(f.db.QueryRowContext(t.Context(), query).Scan(&n))
		if n != want {
			return fmt.Errorf("%d tokens of stores %s, want %d", n, stores, want)
		}
		return nil
	}
	f.until(func() error { return sealed(0, "= 71") })
	f.must(sealed(1, "= 72"))

	rename := func(from, to string) {
		_, err := f.db.ExecContext(t.Context(), "ALTER TABLE "+from+" RENAME TO "+to)
		f.must(err)
	}
	rename("commerce_install", "commerce_away")
	if err := second.Redact(t.Context(), 72); err == nil {
		t.Error("Redact succeeded although the database failed")
	}
	rename("commerce_away", "commerce_install")
	f.must(sealed(1, "= 72"))
	f.must(second.Redact(t.Context(), 72))
	f.must(f.app.Redact(t.Context(), 72))
	f.must(sealed(0, "= 72"))
	stop()
	f.must(<-ended)
	f.must(<-ended)
}
