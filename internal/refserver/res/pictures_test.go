package res_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// picture is every record of the store, spelled out. Two snapshots share the memory of
// their records: what is written into a slice or a map that is stored is in both, and
// only what was spelled out before tells of it.
func (f *shop) picture() string {
	f.Helper()
	var out strings.Builder
	err := f.World().View(0, f.store.ID, func(tx *world.Tx) error {
		tables := reflect.ValueOf(&tx.Tables).Elem()
		for i := range tables.NumField() {
			records := tables.Field(i).Addr().MethodByName("Values").Call(nil)[0]
			if records.Len() == 0 {
				continue
			}
			raw, err := json.Marshal(records.Interface())
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, "%s %s\n", tables.Type().Field(i).Name, raw)
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	return out.String()
}

// moment is a snapshot with the picture of its records.
type moment struct {
	world   world.Snapshot
	records string
}

func (f *shop) moment() moment {
	f.Helper()
	return moment{f.World().Snapshot(), f.picture()}
}

// left reports whether something is not as it was at the moment.
func (f *shop) left(m moment) bool {
	f.Helper()
	return !reflect.DeepEqual(m.world, f.World().Snapshot()) || m.records != f.picture()
}

// TestNothingIsChangedInPlace restores what was there before calls that change parts of
// records: lines, claims and fulfillment orders.
func TestNothingIsChangedInPlace(t *testing.T) {
	f := open(t)
	token := f.cashier()
	p := f.sized("P", "S", "M")
	o := f.bought(id(p, "variants.0"), 3, object{"inventory_behaviour": "claim", "currency": "USD"})
	order := fmt.Sprintf("/orders/%d", id(o))
	f.pay(token, order, payment(happening("authorization", "success", "30.00")))
	list, _ := f.do("GET "+order+"/fulfillment-orders", nil).(array)
	if len(list) != 1 {
		t.Fatalf("%d fulfillment orders, want 1", len(list))
	}
	part := fmt.Sprint(order, "/fulfillment-orders/", at(list[0], "id"))
	begin := f.moment()
	for name, act := range map[string]func(){
		"cancel": func() { f.do("POST "+order+"/cancel", object{}) },
		"edit": func() {
			f.do("unstable POST "+order+"/edit", object{"products": array{
				object{"line_item_id": id(o, "products.0"), "quantity": 1, "modify_stock": true},
				object{"product_id": id(p), "variant_id": id(p, "variants.1"), "quantity": 1, "modify_stock": true},
			}})
		},
		"change of a fulfillment order": func() {
			f.do("2025-03 PATCH "+part, object{"status": "DISPATCHED", "tracking_info": object{"code": "T1"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			act()
			if !f.left(begin) {
				t.Error("the call changed nothing")
			}
			f.World().Restore(begin.world)
			if got := f.picture(); got != begin.records {
				t.Errorf("restored:\n%swant\n%s", got, begin.records)
			}
		})
	}
}
