package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

func TestMirror(t *testing.T) {
	p := startPlatform(t, clienttest.Options{Demo: true})
	shop := p.fill(t, 25, 12)
	play(t, p.env).check(t, exitEqual, "products: the crawl is complete", "orders: the crawl is complete", complete)
	p.equal(t)
	if info, err := os.Stat(p.db); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v and error %v, want a file with mode 0600", info, err)
	}
	last, err := p.api.Orders.Get(t.Context(), shop.orders[11])
	if err != nil {
		t.Fatal(err)
	}
	got := p.query(t, "SELECT number || ' ' || total || ' ' || currency || ' ' || status FROM orders WHERE id = ?", last.ID)
	if want := fmt.Sprintf("%d %s ARS open", last.Number, last.Total); got != want {
		t.Errorf("got order %q, want %q", got, want)
	}
	if got := p.query(t, "SELECT count(*) FROM products WHERE brand = 'Clay & Sons' AND published"); got != "25" {
		t.Errorf("got %s products of the brand, want 25", got)
	}

	p.Clock().Advance(4 * time.Hour)
	if _, err := shop.work(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	play(t, p.env).check(t, exitEqual, "products: read again what was changed since 2025-01-01T12:", ": 2 removed, 0 read again")
	p.equal(t)
	play(t, p.env).check(t, exitEqual)
	play(t, p.env).check(t, exitEqual, "products: read again what was changed since 2025-01-01T16:")
}

// What changes while it is crawled is read by the pass behind the crawl, not only by the comparison at the end.
func TestChangedDuringCrawl(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	shop := p.fill(t, 35, 12)
	p.Clock().Advance(time.Hour)
	change := once(func(r *http.Request) bool { return r.URL.Query().Get("since_id") == shop.products[19].String() }, func() {
		_, err := p.api.Products.Update(t.Context(), shop.products[3], client.ProductInput{Brand: client.Set("Changed")})
		if err != nil {
			t.Error(err)
		}
	})
	p.watch(change, nil)
	play(t, p.env).check(t, exitEqual, "products: compared 35 records: 0 removed, 0 read again")
	p.equal(t)
}

// The price of a kit changes with that of a component, and neither time nor webhook of the kit tells of it.
func TestDerived(t *testing.T) {
	p := startPlatform(t, clienttest.Options{Demo: true})
	p.fill(t, 20, 3) // later than the kit
	play(t, p.env).check(t, exitEqual)
	mug, err := p.api.Products.List(client.ProductFilter{Handle: "enamel-mug", Language: "en"}).Page(t.Context())
	if err != nil || len(mug.Items) != 1 {
		t.Fatalf("got %v and error %v, want one mug", mug, err)
	}
	p.Clock().Advance(time.Hour)
	v := mug.Items[0].Variants[0]
	if _, err := p.api.Variants.Update(t.Context(), v.ProductID, v.ID, client.VariantInput{Price: client.Set(client.Cents(77_00))}); err != nil {
		t.Fatal(err)
	}
	play(t, p.env).check(t, exitEqual, ": 0 removed, 1 read again")
	p.equal(t)
}

// rewrite replaces text in every answer.
func (p *platform) rewrite(from, to string) {
	p.watch(nil, func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		body = bytes.ReplaceAll(body, []byte(from), []byte(to))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		return err
	})
}

func TestMembersWithoutField(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	p.fill(t, 1, 1)
	p.rewrite(`"free_shipping":`, `"novelty":{"exact":12345678901234567890.10},"free_shipping":`)
	play(t, p.env).check(t, exitEqual)
	if got := p.query(t, "SELECT document -> '$.novelty' FROM products"); got != `{"exact":12345678901234567890.10}` {
		t.Errorf("got %s", got)
	}
}

// A record that cannot be read is told of, and costs no other.
func TestUnreadableRecord(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	shop := p.fill(t, 25, 3)
	begin := `{"id":` + shop.products[24].String() + `,"name":`
	p.rewrite(begin, begin+`{"es":{}},"label":`)
	play(t, p.env).check(t, exitDiffers, " NO products: GET /products: ", "products: the crawl is complete: 24 records", complete)
	p.watch(nil, nil)
	play(t, p.env).check(t, exitEqual)
	p.equal(t)
}

func TestPlatformFails(t *testing.T) {
	tests := []struct {
		name  string
		fault clienttest.Fault
		line  string
	}{
		{"takes the token away", clienttest.Fault{Operation: "GET /products", Skip: 2, Status: http.StatusUnauthorized}, "catalogsync: GET /products: 401"},
		{"refuses orders", clienttest.Fault{Operation: "GET /orders", Status: http.StatusForbidden}, "catalogsync: GET /orders: 403"},
		{"breaks down", clienttest.Fault{Operation: "GET /products/{id}", Status: http.StatusConflict}, "catalogsync: GET /products/{id}: 409"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := startPlatform(t, clienttest.Options{})
			shop := p.fill(t, 25, 3)
			if tt.fault.Operation == "GET /products/{id}" { // which is needed only for what differs
				play(t, p.env).check(t, exitEqual)
				if err := shop.deleteProduct(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			p.fault(t, tt.fault)
			r := play(t, p.env)
			r.check(t, exitFailed, tt.line)
			if strings.Contains(r.out, p.env["COMMERCE_TOKEN"]) {
				t.Error("the token is in the transcript")
			}
		})
	}
}

// An answer that is lost costs nothing: reading is repeated.
func TestLostAnswers(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	p.fill(t, 25, 12)
	p.fault(t, clienttest.Fault{Operation: "GET /products", Skip: 2, Count: 1, Reset: true})
	p.fault(t, clienttest.Fault{Operation: "GET /orders", Skip: 1, Count: 1, Truncate: true})
	play(t, p.env).check(t, exitEqual)
	p.equal(t)
}

// once calls do with the first request that is wanted.
func once(wanted func(*http.Request) bool, do func()) func(*http.Request) {
	done := false
	return func(r *http.Request) {
		if !done && wanted(r) {
			done = true
			do()
		}
	}
}

func TestEmptyStore(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	play(t, p.env).check(t, exitEqual, "products: the crawl is complete: 0 records")
	p.fill(t, 12, 3)
	play(t, p.env).check(t, exitEqual, "products: read again what was changed: 12 records", "products: compared 12 records: 0 removed, 0 read again")
	p.equal(t)
}

func TestFileOfAnotherStore(t *testing.T) {
	p := startPlatform(t, clienttest.Options{})
	play(t, p.env).check(t, exitEqual)
	play(t, p.env, "-store-id", "7").check(t, exitFailed, "the file mirrors store 1001 of ", ", not 7 of ")
	p.query(t, "PRAGMA user_version") // opens
	m, err := openMirror(t.Context(), p.db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.db.ExecContext(t.Context(), "PRAGMA user_version = 9"); err != nil {
		t.Error(err)
	}
	if err := m.close(); err != nil {
		t.Error(err)
	}
	play(t, p.env).check(t, exitFailed, "schema version 9: want 1")
}
