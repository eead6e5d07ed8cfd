package main

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) {
	proctest.Example(main)
	goleak.VerifyTestMain(m)
}

func TestConsole(t *testing.T) { proctest.Console(t) }

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catalog.db")
	var out strings.Builder
	if err := run(t.Context(), file, "", &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	_, after, _ := strings.Cut(out.String(), "copy of /products: ")
	for _, want := range []string{
		"\nThe next copy continues there\n  products: crawl, 12 records\n", "  products: changes, 1 records\n",
		"\nThe file has 11 products and 5 orders.\n",
	} {
		_, rest, found := strings.Cut(after, want)
		if !found {
			t.Errorf("%q is missing after what came before it:\n%s", want, &out)
		}
		after = rest
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var changed int
	const query = "SELECT count(*) FROM products WHERE brand = 'Changed'"
	if err := db.QueryRow(query).Scan(&changed); err != nil || changed != 1 {
		t.Errorf("%d products of the brand, %v", changed, err)
	}
}

// The price of a kit changes with that of a part, and its updated_at does not. Only the comparison of a run reads it.
func TestCopyOfKits(t *testing.T) {
	ctx, platform := t.Context(), clienttest.New(t, clienttest.Options{Demo: true})
	platform.Clock().Advance(time.Hour) // so that no record has changed recently
	db, err := openFile(ctx, filepath.Join(t.TempDir(), "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := platform.Client()
	s := &copying{db: db, c: c, store: platform.StoreID(), out: new(strings.Builder)}
	if err := s.run(ctx); err != nil {
		t.Fatal(err)
	}
	page, err := v202503.Products(c).List(client.ProductFilter{Handle: "enamel-mug", Language: "en"}).Page(ctx)
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("got %v, %v, want one mug", page, err)
	}
	mug := page.Items[0]
	platform.Clock().Advance(time.Hour)
	price := client.VariantInput{Price: client.Set(client.Cents(77_00))}
	if _, err := v202503.Variants(c).Update(ctx, mug.ID, mug.Variants[0].ID, price); err != nil {
		t.Fatal(err)
	}
	if err := s.run(ctx); err != nil {
		t.Fatal(err)
	}
	for p, err := range v202503.Products(c).List(client.ProductFilter{}).All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(p)
		var got string
		err := db.QueryRow("SELECT document FROM products WHERE id = $1", p.ID).Scan(&got)
		if err != nil || got != string(want) {
			t.Errorf("product %d: %v, got %s, want %s", p.ID, err, got, want)
		}
	}
}
