package bench_test

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const (
	crawled  = 100_000
	variants = 3
	burst    = 40
	perSec   = 2
)

// BenchmarkCrawl reads a large catalog from the reference server, by the clock of a bubble. That stands still while
// anything computes, so that the time is what the rate limit alone makes of so many pages. What the crawl holds
// is measured half way, in bytes and in pages as they are in memory.
func BenchmarkCrawl(b *testing.B) {
	for b.Loop() {
		var wall time.Duration
		var held, page int64
		bubble(b, func(t *testing.T) { wall, held, page = crawl(t) })
		bound := time.Duration(crawled/client.MaxPerPage-burst) * time.Second / perSec
		b.ReportMetric(wall.Seconds()/bound.Seconds(), "wall/bound")
		b.ReportMetric(float64(held)/float64(page), "live-pages")
		b.ReportMetric(float64(held)/(1<<20), "live-MB")
	}
}

func crawl(t *testing.T) (wall time.Duration, held, page int64) {
	srv := refserver.New(refserver.Options{Bucket: 1 << 20, Leak: 1 << 20})
	defer srv.Close()
	c := stocked(t, srv)
	limited := refserver.New(refserver.Options{Bucket: burst, Leak: perSec})
	defer limited.Close()
	limited.Restore(srv.Snapshot())
	before := live()
	first, err := v202503.Products(c(srv)).List(client.ProductFilter{Paging: client.Paging{PerPage: client.MaxPerPage}}).Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page = live() - before
	runtime.KeepAlive(first)
	before = live()
	start, read := time.Now(), 0
	for p, err := range v202503.Products(c(limited)).List(client.ProductFilter{}).Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if read += len(p.Items); read == crawled/2 {
			held = live() - before
		}
	}
	if read != crawled {
		t.Errorf("read %d products, want %d", read, crawled)
	}
	return time.Since(start), held, page
}

// stocked fills the store of the server with copies of one product, and returns how to reach it or its like.
func stocked(t *testing.T, srv *refserver.Server) func(*refserver.Server) *client.Client {
	shop, err := seed.Empty(srv, nil)
	if err != nil {
		t.Fatal(err)
	}
	reach := func(srv *refserver.Server) *client.Client {
		c, err := client.New(client.Config{
			BaseURL: "https://platform.test", StoreID: client.ID(shop.Store.ID), Token: client.StaticToken(client.Secret(shop.Install.Token)),
			UserAgent: "Bench (bench@app.example)", HTTPClient: &http.Client{Transport: srv.Transport()},
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if err := bench.Stock(t.Context(), reach(srv), 1, variants, 0); err != nil {
		t.Fatal(err)
	}
	err = srv.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
		products, kinds := tx.Products.Values(), tx.Variants.Values()
		for n := 1; n < crawled; n++ {
			p := products[0]
			p.ID, p.Handle = tx.NewID(), map[string]string{"en": fmt.Sprint("shirt-", n)}
			if err := tx.Products.Put(p.ID, p); err != nil {
				return err
			}
			for _, v := range kinds {
				v.ID, v.ProductID, v.SKU = tx.NewID(), p.ID, ""
				if err := tx.Variants.Put(v.ID, v); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return reach
}

// bubble runs f in a bubble of testing/synctest, which only tests can open.
func bubble(b *testing.B, f func(*testing.T)) {
	all := func(string, string) (bool, error) { return true, nil }
	if !testing.RunTests(all, []testing.InternalTest{{Name: "bubble", F: func(t *testing.T) { synctest.Test(t, f) }}}) {
		b.Fatal("the bubble failed")
	}
}

// live is the size of the heap without what is garbage.
func live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
