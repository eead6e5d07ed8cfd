package oauth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

func TestMemoryStore(t *testing.T) {
	var m oauth.MemoryStore
	ctx := t.Context()
	swap := func(old int64, next *oauth.Install, want bool) {
		t.Helper()
		if got, err := m.Swap(ctx, storeA, old, next); got != want || err != nil {
			t.Errorf("swap from %d to %+v: got %v, %v; want %v", old, next, got, err, want)
		}
	}
	first := &oauth.Install{StoreID: storeA, Token: "one", Generation: 5, Scopes: oauth.ParseScopes("read_orders")}
	second := &oauth.Install{StoreID: storeA, Token: "two", Generation: 3}

	swap(5, first, false)
	swap(0, first, true)
	swap(0, second, false)
	swap(3, second, false)
	first.Scopes[0] = "changed" // the store keeps its own
	if in, err := m.Load(ctx, storeA); err != nil || in.Token != "one" || in.Scopes.String() != "read_orders" {
		t.Errorf("load: got %+v, %v; want the first", in, err)
	}
	loaded, _ := m.Load(ctx, storeA)
	loaded.Scopes[0] = "changed"
	if in, _ := m.Load(ctx, storeA); in.Scopes.String() != "read_orders" {
		t.Errorf("a caller changed the scopes that are kept to %q", in.Scopes)
	}
	swap(5, second, true)
	swap(5, nil, false)
	if _, err := m.Load(ctx, storeA+1); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("other store: got %v, want ErrNotInstalled", err)
	}
	swap(3, nil, true)
	if _, err := m.Load(ctx, storeA); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("after deletion: got %v, want ErrNotInstalled", err)
	}
	swap(0, nil, true)
}

func TestMemoryStoreSwapsOnce(t *testing.T) {
	var m oauth.MemoryStore
	var wg sync.WaitGroup
	won := make(chan int64, 100)
	for i := range int64(100) {
		wg.Go(func() {
			if ok, _ := m.Swap(t.Context(), storeA, 0, &oauth.Install{StoreID: storeA, Generation: i + 1}); ok {
				won <- i + 1
			}
		})
	}
	wg.Wait()
	in, err := m.Load(t.Context(), storeA)
	if len(won) != 1 || err != nil || in.Generation != <-won {
		t.Errorf("got %d winners and %+v, %v; want one", len(won), in, err)
	}
}

func TestTokenSource(t *testing.T) {
	var m oauth.MemoryStore
	src := oauth.TokenSource(t.Context(), &m, storeA)
	if _, err := src.Token(); !errors.Is(err, oauth.ErrNotInstalled) {
		t.Errorf("got %v, want ErrNotInstalled", err)
	}
	for generation, token := range []client.Secret{"one", "two"} { // the second is a reinstall
		if ok, _ := m.Swap(t.Context(), storeA, int64(generation), &oauth.Install{StoreID: storeA, Token: token, Generation: int64(generation) + 1}); !ok {
			t.Fatal("swap refused")
		}
		got, err := src.Token()
		if err != nil || got.AccessToken != string(token) || got.Type() != "Bearer" || !got.Valid() || !got.Expiry.IsZero() {
			t.Errorf("got %v for %q, want a token without end", err, string(token))
		}
	}
}

func TestReveal(t *testing.T) {
	in := oauth.Install{
		StoreID: 9007199254740993, Token: "tok", Scopes: oauth.ParseScopes("read_orders"),
		InstalledAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Generation: 9223372036854775807,
	}
	got, err := in.Reveal()
	const want = `{"store_id":9007199254740993,"scopes":["read_orders"],"installed_at":"2026-01-02T03:04:05.000006Z","generation":9223372036854775807,"token":"tok"}`
	if err != nil || string(got) != want {
		t.Fatalf("got %s, %v; want %s", got, err, want)
	}
	var back oauth.Install
	if err := json.Unmarshal(got, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(in) || back.Token != in.Token {
		t.Errorf("read back %+v, %v; want %+v", back, err, in)
	}

	hidden, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(hidden, &back); err == nil {
		t.Errorf("%s was read back without complaint", hidden)
	}
}
