package control

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// stir puts and deletes records whose texts are of few words. The keys of transactions have no order.
func stir(t *testing.T, d *desk, rnd *rand.Rand, n int) {
	t.Helper()
	words := []string{"Ana", "Paz", "Ñandú", "ana@mail.example", "ß", "12.50", "2000", "Mitre"}
	word := func() string { return words[rnd.IntN(len(words))] }
	err := d.server.World().Update(0, seed.DemoStore, func(tx *world.Tx) error {
		for range n {
			id := 5_000_000 + rnd.Int64N(3*fewEntities)
			p := world.Page{ID: id, Name: map[string]string{"en": word() + " " + word(), "es": word()}, CreatedAt: tx.Now()}
			if err := tx.Pages.Put(id, p); err != nil {
				return err
			}
			tx.Pages.Delete(5_000_000 + rnd.Int64N(9*fewEntities))
			paid := world.Transaction{
				ID: fmt.Sprintf("%08x", rnd.Uint32N(3*fewEntities)*2654435761), OrderID: id, MethodType: word(),
				CreatedAt: tx.Now().Add(-time.Duration(rnd.IntN(9)) * time.Hour),
			}
			if err := tx.Transactions.Put(paid.ID, paid); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A search finds all that a look at all records finds, in both orders and after any of them, also after changes. It
// does so before the index is made, and looks at few records once it is.
func TestSearchIsLinear(t *testing.T) {
	d, rnd := open(t), rand.New(rand.NewPCG(1, 2))
	stir(t, d, rnd, 3*fewEntities)
	var search entitySearch
	found, looked, all := 0, 0, 0
	for range 50 {
		stir(t, d, rnd, rnd.IntN(20))
		r := tableOf(t, d, []string{"pages", "transactions"}[rnd.IntN(2)])
		filters := []string{"paz", "mitre 2000", "ñand", "12.5", "@mail paz", "00000", "zebra", `"2025-`, "500 mit", "ß"}
		words := strings.Fields(filters[rnd.IntN(len(filters))])
		newest, after := rnd.IntN(2) == 0, ""
		whole, _ := r.from("", newest)
		if keys := keysWith(whole, func(string, reflect.Value) bool { return rnd.IntN(9) == 0 }); rnd.IntN(2) == 0 {
			after = keys[rnd.IntN(len(keys))]
		}
		in, _ := r.from(after, newest)
		want := keysWith(in, func(key string, record reflect.Value) bool {
			all++
			raw, _ := encode(plain(record))
			return contains(strings.ToLower(key+" "+string(raw)), words)
		})
		texts := texterOf(r.recordType())
		for _, counts := range []int{0, 1} { // the first one may have the index made
			in, ok := search.among(t.Context(), seed.DemoStore, r, words, after, newest)
			if !ok {
				t.Fatalf("nothing begins after %q", after)
			}
			got := keysWith(in, func(key string, record reflect.Value) bool {
				looked += counts
				return contains(texts.searchedText(reflect.ValueOf(key), record), words)
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%s with %q after %q, newest %t: got %d %.200q, want %d %.200q", r.name, words, after, newest, len(got), got, len(want), want)
			}
			if search.made.Wait(); search.making {
				t.Fatal("the index is never made")
			}
		}
		found += len(want)
	}
	if found < 300 || looked > all/2 {
		t.Errorf("the searches found %d and looked at %d of %d records", found, looked, all)
	}
	if _, ok := search.among(t.Context(), seed.DemoStore, tableOf(t, d, "transactions"), []string{"paz"}, "gone", false); ok {
		t.Error("a page begins after a record that is not there")
	}
}

// An update that is ended is begun again by the next search.
func TestSearchEndsWithTheAPI(t *testing.T) {
	d := open(t)
	stir(t, d, rand.New(rand.NewPCG(1, 2)), 3*fewEntities)
	var search entitySearch
	r, words := tableOf(t, d, "pages"), []string{"paz"}
	ended, end := context.WithCancel(t.Context())
	end()
	for _, ctx := range []context.Context{ended, t.Context()} {
		if _, indexed := search.find(ctx, seed.DemoStore, r, words); indexed {
			t.Fatalf("with %v, there is an index already", ctx)
		}
		search.made.Wait()
	}
	if keys, indexed := search.find(t.Context(), seed.DemoStore, r, words); !indexed || len(keys) == 0 {
		t.Errorf("got %d keys, indexed %t", len(keys), indexed)
	}
}

// tableOf is a resource as it is now.
func tableOf(t *testing.T, d *desk, name string) resource {
	t.Helper()
	all, err := d.tables(seed.DemoStore)
	i := slices.IndexFunc(all, func(r resource) bool { return r.name == name })
	if err != nil || i < 0 {
		t.Fatal(name, err)
	}
	return all[i]
}

func keysWith(in iter.Seq2[reflect.Value, reflect.Value], keep func(key string, record reflect.Value) bool) (keys []string) {
	for key, record := range in {
		if keep(keyText(key), record) {
			keys = append(keys, keyText(key))
		}
	}
	return keys
}

// BenchmarkEntities searches 100,000 orders with all their members, a page of 50. "first" makes the index.
func BenchmarkEntities(b *testing.B) {
	d := open(b)
	err := d.server.World().Update(0, seed.DemoStore, func(tx *world.Tx) error {
		o := tx.Orders.At(0)
		for i := range 100_000 {
			o.ID, o.Number = tx.NewID(), tx.NextOrderNumber()
			o.Token, o.ContactName = tx.NewHex(20), fmt.Sprintf("Ana Paz %d", i)
			o.ContactEmail = fmt.Sprintf("ana.%d@mail.example", i)
			if err := tx.Orders.Put(o.ID, o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	search := func(filter string, want int) {
		status, answer := d.call("GET", "stores/1001/entities/orders?order=newest&filter="+url.QueryEscape(filter), "")
		if items, _ := get(answer, "items").([]any); status != http.StatusOK || len(items) != want {
			b.Fatalf("%d with %d orders", status, len(items))
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			d.search.of.name = ""
			search("ana.99123@mail", 1)
			d.search.made.Wait()
		}
	})
	for name, c := range map[string]struct {
		filter string
		want   int
	}{"rare": {"ana.99123@mail", 1}, "digits": {"paz 99123", 4}, "common": {"paz", 50}, "none": {"zebra", 0}} {
		b.Run(name, func(b *testing.B) {
			search(c.filter, c.want) // the first one may have the index made
			d.search.made.Wait()
			for b.Loop() {
				search(c.filter, c.want)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
		})
	}
}
