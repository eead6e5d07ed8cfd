package carrier_test

import (
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestCartParcel(t *testing.T) {
	p := open(t)
	there := p.warehouse()
	line := func(id int64, grams string) world.Line {
		return world.Line{ID: 10 * id, ProductID: id, VariantID: 100 * id, Name: fmt.Sprint("Article ", id), SKU: fmt.Sprint("S", id), Price: amount("5"), Quantity: id,
			Weight: amount(grams), Width: amount("1"), Height: amount("2"), Depth: amount("3"), FreeShipping: id == 2}
	}
	p.update(func(tx *world.Tx) error {
		for id := range int64(3) {
			_ = tx.Products.Put(id+1, world.Product{ID: id + 1, RequiresShipping: id != 2})
		}
		_ = tx.InventoryLevels.Put(1, world.InventoryLevel{ID: 1, VariantID: 200, LocationID: p.home.ID, Stock: 1})
		_ = tx.InventoryLevels.Put(2, world.InventoryLevel{ID: 2, VariantID: 200, LocationID: there, Stock: 2})
		_ = tx.Coupons.Put(9, world.Coupon{ID: 9, Code: "FREE", Type: "shipping"})
		_ = tx.Carts.Put(6, world.Cart{ID: 6, Converted: true})
		return tx.Carts.Put(5, world.Cart{ID: 5, Language: "pt", Lines: []world.Line{line(1, "0.25"), line(2, "1.0006"), line(3, "1")}})
	})
	c, err := p.desk.CartParcel(p.store.ID, 5, parcel().To, nil)
	if err != nil || c.CartID != 5 || c.Language != "pt" || c.FreeShipping || c.To != parcel().To || len(c.Items) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	a, b := c.Items[0], c.Items[1]
	if a.ID != 100 || a.ProductID != 1 || a.SKU != "S1" || a.Quantity != 1 || a.Grams != 250 || a.Location != "" || a.FreeShipping || a.Depth.String() != "3" {
		t.Errorf("item %+v", a)
	}
	if b.Grams != 1001 || b.Location != there || !b.FreeShipping {
		t.Errorf("item %+v", b)
	}
	p.update(func(tx *world.Tx) error {
		k, _ := tx.Carts.Get(5)
		k.Coupons = []int64{9}
		return tx.Carts.Put(5, k)
	})
	if c, err := p.desk.CartParcel(p.store.ID, 5, parcel().To, nil); err != nil || !c.FreeShipping {
		t.Errorf("with a coupon: %+v, %v", c, err)
	}
	for _, id := range []int64{6, 7} {
		if _, err := p.desk.CartParcel(p.store.ID, id, parcel().To, nil); err == nil {
			t.Errorf("cart %d has a parcel", id)
		}
	}
}
