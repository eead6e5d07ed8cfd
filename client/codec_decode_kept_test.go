package client_test

import (
	"runtime"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
)

// TestKeptRecords: a copy of one record of a page keeps that and small pieces of its neighbours, not the page.
func TestKeptRecords(t *testing.T) {
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (t@app.example)",
	})
	if err != nil {
		t.Fatal(err)
	}
	keepsLittle(t, "/products", func(page []byte) any {
		items, err := client.DecodeList[client.Product](t.Context(), c, page)
		if err != nil {
			t.Fatal(err)
		}
		return items[100]
	})
	keepsLittle(t, "/orders", func(page []byte) any {
		items, err := client.DecodeList[client.Order](t.Context(), c, page)
		if err != nil {
			t.Fatal(err)
		}
		return items[100]
	})
}

func keepsLittle(t *testing.T, path string, keep func(page []byte) any) {
	t.Helper()
	page := bench.Page(t, path, client.MaxPerPage)
	each := int64(len(page) / client.MaxPerPage)
	keep(page) // what is known of the types is kept for good
	least := int64(1 << 60)
	for range 3 { // other goroutines may end or begin
		before := inUse()
		kept := keep(page)
		after := inUse()
		runtime.KeepAlive(kept)
		least = min(least, after-before)
	}
	if most := 5 * each; least > most {
		t.Errorf("%s: one record of %d bytes keeps %d bytes, want %d at most", path, each, least, most)
	}
	t.Logf("%s: one record of %d bytes keeps %d bytes", path, each, least)
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // empties pools
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
