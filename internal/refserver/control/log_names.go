package control

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// place is a record of a store.
type place struct {
	store  int64
	record traffic.Record
}

// nameCache returns a function that names records: the number of an order, or a name, e-mail address or code. The name
// is empty if there is no such record.
func (c *call) nameCache() func(place) string {
	tables := map[int64]map[string]resource{}
	return func(p place) string {
		if tables[p.store] == nil {
			tables[p.store] = map[string]resource{}
			all, _ := c.tables(p.store) // a store that is gone has none
			for _, r := range all {
				tables[p.store][r.name] = r
			}
		}
		r, ok := tables[p.store][p.record.Resource]
		if !ok {
			return ""
		}
		record := r.find(p.record.Key)
		if !record.IsValid() {
			return ""
		}
		return nameOf(p.record.Resource, record)
	}
}

// nameOf is the name of a record.
func nameOf(resource string, record reflect.Value) string {
	if resource == "orders" {
		return fmt.Sprintf("#%d", record.FieldByName("Number").Int())
	}
	for _, member := range []string{"Name", "Email", "Code", "Title"} {
		switch f := record.FieldByName(member); {
		case !f.IsValid():
		case f.Kind() == reflect.String && f.Len() > 0:
			return f.String()
		case f.Kind() == reflect.Map && f.Len() > 0:
			keys := f.MapKeys()
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
			if first := f.MapIndex(keys[0]); first.Kind() == reflect.String {
				return first.String()
			}
		}
	}
	return ""
}

// mostNamed bounds how many orders, customers and carts of a store a word with an e-mail address is looked for in, from
// the newest on.
const mostNamed = 1000

// recordsNamed are the orders with a number, and the newest orders, carts and customers with an e-mail address that has
// the word in it.
func (c *call) recordsNamed(word string) map[place]bool {
	out := map[place]bool{}
	number, err := strconv.ParseInt(strings.TrimPrefix(word, "#"), 10, 64)
	mail := strings.ContainsAny(word, "@.")
	if err != nil && !mail {
		return out
	}
	for _, st := range c.server.World().Stores() {
		add := func(resource string, id int64) {
			out[place{st.ID, traffic.Record{Resource: resource, Key: text(id)}}] = true
		}
		_ = c.server.World().View(0, st.ID, func(tx *world.Tx) error {
			// Numbers are in the order of ids.
			i := sort.Search(tx.Orders.Len(), func(i int) bool { return tx.Orders.At(i).Number >= number })
			if err == nil && i < tx.Orders.Len() && tx.Orders.At(i).Number == number {
				add("orders", tx.Orders.At(i).ID)
			}
			if mail {
				withMail(tx.Orders.Backward(), word, func(o world.Order) string { return o.ContactEmail }, "orders", add)
				withMail(tx.Customers.Backward(), word, func(c world.Customer) string { return c.Email }, "customers", add)
				withMail(tx.Visits.Backward(), word, func(v world.Visit) string { return v.Contact.Email }, "carts", add)
			}
			return nil
		})
	}
	return out
}

// withMail adds those of mostNamed records whose e-mail address has a word in lower case.
func withMail[T any](newest iter.Seq2[int64, T], word string, mail func(T) string, resource string, add func(string, int64)) {
	looked := 0
	for id, record := range newest {
		if looked++; looked > mostNamed {
			return
		}
		if strings.Contains(strings.ToLower(mail(record)), word) {
			add(resource, id)
		}
	}
}
