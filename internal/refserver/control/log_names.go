package control

import (
	"fmt"
	"reflect"
	"slices"
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

// recordsNamed are the orders with a number, and the orders, carts and customers with an e-mail address that has the
// word in it.
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
		has := func(address string) bool { return mail && strings.Contains(strings.ToLower(address), word) }
		_ = c.server.World().View(0, st.ID, func(tx *world.Tx) error {
			for id, o := range tx.Orders.All() {
				if err == nil && o.Number == number || has(o.ContactEmail) {
					add("orders", id)
				}
			}
			for id, customer := range tx.Customers.All() {
				if has(customer.Email) {
					add("customers", id)
				}
			}
			for id, v := range tx.Visits.All() {
				if has(v.Contact.Email) {
					add("carts", id)
				}
			}
			return nil
		})
	}
	return out
}
