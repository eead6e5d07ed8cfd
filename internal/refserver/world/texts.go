package world

import (
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// followProducts puts the names in all languages, the tags and the SKUs.
func followProducts(was, now *Tables, put func(int64, ...string)) {
	changed := changedProducts(was, now)
	if len(changed) == 0 {
		return
	}
	skus := skusIn(now, len(changed))
	for _, id := range changed {
		if p, ok := now.Products.Get(id); ok {
			put(id, append(skus(id), slices.AppendSeq([]string{p.Tags}, maps.Values(p.Name))...)...)
		} else {
			put(id)
		}
	}
}

// changedProducts lists, in ascending order, the ids of the products whose texts may
// have changed.
func changedProducts(was, now *Tables) []int64 {
	if was.Products.Len() == 0 { // all are new, whatever the variants
		all := make([]int64, 0, now.Products.Len())
		for id := range now.Products.All() {
			all = append(all, id)
		}
		return all
	}
	changed := map[int64]bool{}
	for id, p := range now.Products.Since(was.Products) {
		if p.Before.Tags != p.After.Tags || !maps.Equal(p.Before.Name, p.After.Name) {
			changed[id] = true
		}
	}
	for _, v := range now.Variants.Since(was.Variants) {
		if v.Before.SKU != v.After.SKU || v.Before.ProductID != v.After.ProductID {
			changed[v.Before.ProductID], changed[v.After.ProductID] = true, true
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// skusIn returns a function that lists the SKUs of a product. For many products it reads
// all variants once, which is much faster than a look-up for each product.
func skusIn(now *Tables, products int) func(product int64) []string {
	if products < now.Products.Len()/8 {
		return func(product int64) []string {
			var of []string
			for _, v := range now.Variants.Where("product", strconv.FormatInt(product, 10)) {
				of = append(of, v.SKU)
			}
			return of
		}
	}
	of := make(map[int64][]string, products)
	for _, v := range now.Variants.All() {
		if v.SKU != "" {
			of[v.ProductID] = append(of[v.ProductID], v.SKU)
		}
	}
	return func(product int64) []string { return of[product] }
}

// putTexts puts the records whose own texts changed.
func putTexts[T any](changes iter.Seq2[int64, table.Change[T]], put func(int64, ...string), texts func(T) []string) {
	for id, c := range changes {
		if after := texts(c.After); !slices.Equal(texts(c.Before), after) {
			put(id, after...)
		}
	}
}

// followCustomers puts the names, emails and identifications.
func followCustomers(was, now *Tables, put func(int64, ...string)) {
	putTexts(now.Customers.Since(was.Customers), put, func(c Customer) []string {
		return []string{c.Name, c.Email, c.Identification}
	})
}

// followCoupons puts the codes of the coupons that exist.
func followCoupons(was, now *Tables, put func(int64, ...string)) {
	putTexts(now.Coupons.Since(was.Coupons), put, func(c Coupon) []string {
		if !c.DeletedAt.IsZero() {
			return nil
		}
		return []string{c.Code}
	})
}

// followOrders puts the contacts of the orders and the names and emails of their customers.
func followOrders(was, now *Tables, put func(int64, ...string)) {
	changed := map[int64]bool{}
	for id, o := range now.Orders.Since(was.Orders) {
		if o.Before.ContactName != o.After.ContactName || o.Before.ContactEmail != o.After.ContactEmail ||
			o.Before.CustomerID != o.After.CustomerID {
			changed[id] = true
		}
	}
	for id, c := range now.Customers.Since(was.Customers) {
		if c.Before.Name != c.After.Name || c.Before.Email != c.After.Email {
			for order := range now.Orders.Where("customer", strconv.FormatInt(id, 10)) {
				changed[order] = true
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		o, _ := now.Orders.Get(id)
		c, _ := now.Customers.Get(o.CustomerID)
		put(id, o.ContactName, o.ContactEmail, c.Name, c.Email)
	}
}
