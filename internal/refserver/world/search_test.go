package world_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// wordList has words for random texts, and parts to search for.
var wordList = []string{
	"Remera", "REMERA", "remeras", "azul", "Ñandú", "ñandu", "İzmir", "Straße", "STRAẞE", "日本", "日",
	"a", "Z", "é", "1", "12", "-", "%", "_", "\\", "ana@mail.example", "MAIL.example", "\x00", "\xff", "no such word",
}

// clerk makes random changes to a store.
type clerk struct {
	*rand.Rand
	store int64
}

func (c *clerk) word() string { return wordList[c.IntN(len(wordList))] }

func (c *clerk) text() string {
	if c.IntN(4) == 0 {
		return ""
	}
	return c.word() + " " + c.word() + strconv.Itoa(c.IntN(20))
}

// change puts or deletes a record of any list that has a search.
func (c *clerk) change(tx *world.Tx) error {
	id := 1 + c.Int64N(90)
	gone := c.IntN(4) == 0
	switch c.IntN(5) {
	case 0:
		return put(&tx.Products, id, gone, world.Product{
			ID: id, Name: map[string]string{"es": c.text(), "pt": c.text()}, Tags: c.text(), Brand: c.text(),
		})
	case 1:
		sku := c.text() // of one variant at most
		if _, taken := tx.Variants.Find("sku", sku); taken {
			sku = ""
		}
		v := world.Variant{ID: 1000 + id, ProductID: 1 + c.Int64N(90), SKU: sku, Barcode: c.text()}
		return put(&tx.Variants, v.ID, gone, v)
	case 2:
		return put(&tx.Customers, id, gone, world.Customer{
			ID: id, Name: c.text(), Email: c.text(), Identification: c.text(), Note: c.text(),
		})
	case 3:
		deleted := []time.Time{{}, clock.Start}[c.IntN(2)]
		return put(&tx.Coupons, id, gone, world.Coupon{ID: id, Code: fmt.Sprint(c.text(), id), DeletedAt: deleted})
	}
	o := world.Order{ID: id, Number: id, CustomerID: c.Int64N(90), OwnerNote: c.text()}
	o.ContactName, o.ContactEmail = c.text(), c.text()
	return put(&tx.Orders, id, gone, o)
}

func put[T any](t *table.Table[int64, T], id int64, gone bool, record T) error {
	if gone {
		t.Delete(id)
		return nil
	}
	return t.Put(id, record)
}

// linear finds with a look at every record.
func linear[T any](t *table.Table[int64, T], q string, texts func(T) []string) []int64 {
	var out []int64
	for id, record := range t.All() {
		has := func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(q)) }
		if slices.ContainsFunc(texts(record), has) {
			out = append(out, id)
		}
	}
	return out
}

// compare compares each search of a store with a look at every record. It returns how many were found.
func (c *clerk) compare(tx *world.Tx) (found int, err error) {
	q := []rune(c.word() + " ")
	from := c.IntN(len(q) - 1)
	part := string(q[from : from+1+c.IntN(len(q)-from-1)])
	customer := func(id int64) []string {
		k, _ := tx.Customers.Get(id)
		return []string{k.Name, k.Email}
	}
	for _, list := range []struct {
		name      string
		got, want []int64
	}{
		{"products", tx.ProductsWith(part), linear(&tx.Products, part, func(p world.Product) []string {
			texts := append(slices.Collect(maps.Values(p.Name)), p.Tags)
			for _, v := range tx.Variants.Where("product", strconv.FormatInt(p.ID, 10)) {
				texts = append(texts, v.SKU)
			}
			return texts
		})},
		{"customers", tx.CustomersWith(part), linear(&tx.Customers, part, func(k world.Customer) []string {
			return []string{k.Name, k.Email, k.Identification}
		})},
		{"coupons", tx.CouponsWith(part), slices.DeleteFunc(
			linear(&tx.Coupons, part, func(k world.Coupon) []string { return []string{k.Code} }),
			func(id int64) bool { k, _ := tx.Coupons.Get(id); return !k.DeletedAt.IsZero() })},
		{"orders", tx.OrdersWith(part), linear(&tx.Orders, part, func(o world.Order) []string {
			return append(customer(o.CustomerID), o.ContactName, o.ContactEmail)
		})},
	} {
		if !slices.Equal(list.got, list.want) {
			err = errors.Join(err, fmt.Errorf("%s with %q: got %v, want %v", list.name, part, list.got, list.want))
		}
		found += len(list.want)
	}
	return found, err
}

// Whatever happens to a world, a search finds what a look at every record finds.
func TestSearchIsLinear(t *testing.T) {
	found := 0
	for seed := range uint64(5) {
		f := setup(t)
		c := &clerk{rand.New(rand.NewPCG(seed, 0)), f.store.ID}
		w, begun := f.World, f.Snapshot()
		try := func(tx *world.Tx) error {
			n, err := c.compare(tx)
			found += n
			return err
		}
		many := func(tx *world.Tx) error {
			for range c.IntN(40) {
				if err := c.change(tx); err != nil {
					return err
				}
			}
			return nil
		}
		failed := errors.New("failed")
		for step := range 400 {
			var err error
			switch c.IntN(9) {
			case 0: // a search in the midst of a change that then fails
				if err = w.Update(0, c.store, func(tx *world.Tx) error {
					return errors.Join(many(tx), try(tx), failed)
				}); err.Error() == failed.Error() {
					err = nil
				}
			case 1: // a search in what was there before a commit
				err = w.View(0, c.store, func(tx *world.Tx) error {
					return errors.Join(w.Update(0, c.store, many), try(tx))
				})
			case 2:
				err = w.Update(0, c.store, many)
			case 3:
				if c.IntN(4) == 0 {
					w.Restore(begun)
				} else if c.IntN(2) == 0 {
					begun = w.Snapshot()
				}
			case 4:
				if c.IntN(4) == 0 {
					w = w.Fork()
				}
			default:
				err = w.Update(0, c.store, c.change)
			}
			if err = errors.Join(err, w.View(0, c.store, try)); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
	}
	if found < 5000 {
		t.Errorf("the searches found %d, so the test shows little", found)
	}
}

// Searches that happen while the store changes are those of the moment at which they began.
func TestSearchWhileChanging(t *testing.T) {
	f := setup(t)
	var all sync.WaitGroup
	for i := range uint64(4) {
		c := &clerk{rand.New(rand.NewPCG(i, 1)), f.store.ID}
		all.Go(func() {
			for range 200 {
				if err := f.Update(0, c.store, c.change); err != nil {
					t.Error(err)
				}
				try := func(tx *world.Tx) error { _, err := c.compare(tx); return err }
				if err := f.View(0, c.store, try); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// An index that is not asked again does not hold on to the records of its time.
func TestSearchHoldsNothing(t *testing.T) {
	f := setup(t)
	change := func(change func(tx *world.Tx) error) {
		if err := f.Update(0, f.store.ID, change); err != nil {
			t.Fatal(err)
		}
	}
	held := func() weak.Pointer[map[string]string] {
		attributes := []map[string]string{{"es": "Color"}}
		change(func(tx *world.Tx) error {
			p := world.Product{ID: 1, Name: map[string]string{"es": "Remera"}, Attributes: attributes}
			return tx.Products.Put(p.ID, p)
		})
		return weak.Make(&attributes[0])
	}()
	_ = f.View(0, f.store.ID, func(tx *world.Tx) error {
		if got := tx.ProductsWith("rem"); !slices.Equal(got, []int64{1}) {
			t.Errorf("got %v, want 1", got)
		}
		return nil
	})
	if runtime.GC(); held.Value() == nil {
		t.Error("the product is in no memory, so the test shows nothing")
	}
	change(func(tx *world.Tx) error { tx.Products.Delete(1); return nil })
	if runtime.GC(); held.Value() != nil {
		t.Error("the product was deleted and is held")
	}
	runtime.KeepAlive(f)
}
