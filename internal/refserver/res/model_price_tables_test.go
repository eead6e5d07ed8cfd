package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// tariff is a price table of the model: its exceptions, as they are shown.
type tariff struct {
	discount   string
	auto       bool
	categories map[int64]string
	variants   map[int64][2]string // discount and price
}

// tariffs is the model of the price tables of a store. A customer is in one at most.
type tariffs struct {
	*play
	tables map[int64]*tariff
	// tied is the table of a customer, approved whether the customer is.
	tied       map[int64]int64
	approved   map[int64]bool
	customers  []int64
	categories []int64
	product    int64
	variants   []int64
}

func digitsOf(n int64) string { return strconv.FormatInt(n, 10) }

// one draws a table and its path; now and then it is one that there is not.
func (m *tariffs) one() (*tariff, int64, string) {
	at := pick(m.play, "table", append(sorted(m.tables), missing)...)
	return m.tables[at], at, path("%s/%d", tables, at)
}

// found is the status of a call about a table.
func (m *tariffs) found(t *tariff, otherwise int) int {
	if t == nil {
		return http.StatusNotFound
	}
	return otherwise
}

// percent draws a discount, and whether it is one that is refused.
func (m *tariffs) percent() (discount string, refused bool) {
	discount = pick(m.play, "discount", "0.00", "12.50", "33.33", "100.00", "100.01", "1.001")
	return discount, discount == "100.01" || discount == "1.001"
}

func (m *tariffs) create(*rapid.T) {
	discount, refused := m.percent()
	auto := pick(m.play, "auto approve", true, false)
	made := m.want(status(refused, http.StatusCreated), "POST "+tables, object{"name": "T", "default_discount": discount, "auto_approve_customers": auto})
	if !refused {
		n, _ := strconv.ParseInt(ulid(made), 10, 64)
		m.tables[n] = &tariff{discount: discount, auto: auto, categories: map[int64]string{}, variants: map[int64][2]string{}}
	}
}

func (m *tariffs) update(*rapid.T) {
	t, _, call := m.one()
	discount, refused := m.percent()
	auto := pick(m.play, "auto approve", true, false)
	m.want(m.found(t, status(refused, http.StatusNoContent)), "PUT "+call, object{"default_discount": discount, "auto_approve_customers": auto})
	if t != nil && !refused {
		t.discount, t.auto = discount, auto
	}
}

func (m *tariffs) remove(*rapid.T) {
	t, id, call := m.one()
	m.want(m.found(t, http.StatusNoContent), "DELETE "+call, nil)
	delete(m.tables, id)
	for customer, at := range m.tied {
		if at == id {
			delete(m.tied, customer)
		}
	}
}

func (m *tariffs) setCategories(t *rapid.T) {
	table, _, call := m.one()
	body, next, refused := array{}, map[int64]string{}, false
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		k := pick(m.play, "category", append(m.categories, missing)...)
		discount, wrong := m.percent()
		refused = refused || wrong || k == missing
		next[k] = discount
		body = append(body, object{"category_id": digitsOf(k), "discount": discount})
	}
	m.want(m.found(table, status(refused, http.StatusNoContent)), "PUT "+call+"/categories", body)
	if table != nil && !refused {
		for k, discount := range next {
			table.categories[k] = discount
		}
	}
}

func (m *tariffs) setVariants(t *rapid.T) {
	table, _, call := m.one()
	body, next, refused := array{}, map[int64][2]string{}, false
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		v := pick(m.play, "variant", append(m.variants, missing)...)
		discount, wrong := m.percent()
		price := pick(m.play, "price", "", "", "7.00", "-1.00")
		refused = refused || wrong || v == missing || price == "-1.00"
		next[v] = [2]string{discount, price}
		item := object{"product_id": digitsOf(m.product), "product_variant_id": digitsOf(v), "discount": discount}
		if price != "" {
			item["price"] = price
		}
		body = append(body, item)
	}
	m.want(m.found(table, status(refused, http.StatusNoContent)), "PUT "+call+"/product-variants", body)
	if table != nil && !refused {
		for v, exception := range next {
			table.variants[v] = exception
		}
	}
}

func (m *tariffs) removeException(*rapid.T) {
	t, _, call := m.one()
	has := false
	if k := pick(m.play, "category", m.categories...); pick(m.play, "kind", "category", "variant") == "category" {
		call += "/categories/" + digitsOf(k)
		if t != nil {
			_, has = t.categories[k]
			delete(t.categories, k)
		}
	} else {
		v := pick(m.play, "variant", m.variants...)
		call += "/product-variants/" + digitsOf(v)
		if t != nil {
			_, has = t.variants[v]
			delete(t.variants, v)
		}
	}
	if !has {
		m.want(http.StatusNotFound, "DELETE "+call, nil)
		return
	}
	m.want(http.StatusNoContent, "DELETE "+call, nil)
}

// some draws ids of customers, repeated ones too.
func (m *tariffs) some(t *rapid.T) (ids []int64, body array) {
	body = array{}
	for range rapid.IntRange(0, 3).Draw(t, "customers") {
		id := pick(m.play, "customer", append(m.customers, missing)...)
		ids, body = append(ids, id), append(body, digitsOf(id))
	}
	return ids, body
}

func (m *tariffs) add(t *rapid.T) {
	table, at, call := m.one()
	ids, body := m.some(t)
	taken := slices.ContainsFunc(ids, func(id int64) bool { return m.tied[id] != 0 })
	want := status(slices.Contains(ids, missing), http.StatusNoContent)
	if taken && want == http.StatusNoContent {
		want = http.StatusConflict
	}
	m.want(m.found(table, want), "PUT "+call+"/customers", body)
	if table != nil && want == http.StatusNoContent {
		for _, id := range ids {
			m.tied[id], m.approved[id] = at, table.auto
		}
	}
}

func (m *tariffs) approve(t *rapid.T) {
	table, at, call := m.one()
	ids, body := m.some(t)
	m.want(m.found(table, http.StatusNoContent), "POST "+call+"/approve-customers", body)
	for _, id := range ids {
		m.approved[id] = m.approved[id] || m.tied[id] == at
	}
}

func (m *tariffs) untie(*rapid.T) {
	_, at, call := m.one()
	id := pick(m.play, "customer", m.customers...)
	if m.tied[id] != at {
		m.want(http.StatusNotFound, fmt.Sprintf("DELETE %s/customers/%d", call, id), nil)
		return
	}
	m.want(http.StatusNoContent, fmt.Sprintf("DELETE %s/customers/%d", call, id), nil)
	delete(m.tied, id)
}

func (m *tariffs) compare(*rapid.T) {
	var all struct {
		Tables []struct {
			ID string `json:"id"`
		} `json:"price_tables"`
		Total int
	}
	m.get(tables, &all)
	m.equal("tables", all.Total, len(m.tables))
	for _, id := range sorted(m.tables) {
		at, t := path("%s/%d", tables, id), m.tables[id]
		var shown struct {
			Table struct {
				Discount      string `json:"default_discount"`
				HasCategories bool   `json:"has_categories"`
				HasVariants   bool   `json:"has_products_variants"`
				HasCustomers  bool   `json:"has_customers"`
				Categories    []struct {
					ID       string `json:"category_id"`
					Discount string
				}
				Variants []struct {
					ID       string `json:"product_variant_id"`
					Discount string
					Price    string
				} `json:"product_variants"`
				Customers []struct {
					ID       string
					Approved *string `json:"approved_at"`
				}
			} `json:"price_table"`
		}
		for _, part := range []string{"categories", "product-variants", "customers"} {
			m.get(at+"/"+part, &shown)
		}
		categories, variants, customers, tied := map[string]string{}, map[string][2]string{}, map[string]bool{}, map[string]bool{}
		for _, c := range shown.Table.Categories {
			categories[c.ID] = c.Discount
		}
		for _, v := range shown.Table.Variants {
			variants[v.ID] = [2]string{v.Discount, v.Price}
		}
		for _, c := range shown.Table.Customers {
			customers[c.ID] = c.Approved != nil
		}
		for customer, of := range m.tied {
			if of == id {
				tied[digitsOf(customer)] = m.approved[customer]
			}
		}
		m.equal("discount", shown.Table.Discount, t.discount)
		m.equal("categories", categories, texts(t.categories))
		m.equal("variants", variants, texts(t.variants))
		m.equal("customers", customers, tied)
		m.equal("what it has", [3]bool{shown.Table.HasCategories, shown.Table.HasVariants, shown.Table.HasCustomers},
			[3]bool{len(t.categories) > 0, len(t.variants) > 0, len(tied) > 0})
	}
	for _, customer := range m.customers {
		var of struct {
			Tables []struct {
				ID string `json:"id"`
			} `json:"price_tables"`
		}
		m.get(path("%s/customers/%d", tables, customer), &of)
		var want []string
		if at := m.tied[customer]; at != 0 {
			want = append(want, digitsOf(at))
		}
		var got []string
		for _, t := range of.Tables {
			got = append(got, t.ID)
		}
		m.equal("tables of a customer", got, want)
	}
}

// texts is the map with its keys as they are shown.
func texts[V any](by map[int64]V) map[string]V {
	out := map[string]V{}
	for id, v := range by {
		out[digitsOf(id)] = v
	}
	return out
}

func TestProofModelOfPriceTables(t *testing.T) {
	f := open(t)
	p := f.sized("P", "S", "M")
	var customers, categories []int64
	for _, name := range []string{"a", "b", "c"} {
		n, _ := strconv.ParseInt(f.customer(name), 10, 64)
		customers = append(customers, n)
		categories = append(categories, id(f.object("POST /categories", object{"name": name})))
	}
	sequences(f, f.token, func(p1 *play) map[string]func(*rapid.T) {
		m := &tariffs{play: p1, tables: map[int64]*tariff{}, tied: map[int64]int64{}, approved: map[int64]bool{}, customers: customers,
			categories: categories, product: id(p), variants: []int64{id(p, "variants.0"), id(p, "variants.1")}}
		return map[string]func(*rapid.T){"create": m.create, "update": m.update, "remove": m.remove, "set categories": m.setCategories,
			"set variants": m.setVariants, "remove an exception": m.removeException, "add": m.add, "approve": m.approve, "untie": m.untie, "": m.compare}
	})
}
