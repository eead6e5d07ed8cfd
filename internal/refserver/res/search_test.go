package res_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// page is a page of a list, and how many records the list has.
func (f *shop) page(path string, query url.Values) (records []object, total int) {
	f.Helper()
	w := f.serve(f.token, "GET "+path+"?"+query.Encode(), nil)
	total, err := strconv.Atoi(w.Header().Get("X-Total-Count"))
	if err != nil {
		f.Fatal(err)
	}
	if w.Code == http.StatusNotFound {
		return nil, total
	}
	if err := json.Unmarshal(w.Body.Bytes(), &records); w.Code != http.StatusOK || err != nil {
		f.Fatalf("%s?%s: %d %s", path, query.Encode(), w.Code, w.Body)
	}
	return records, total
}

// wantFound plays searches of a list, in pages of a size. Each has to have, in their order, those of the
// records without q that match.
func (f *shop) wantFound(
	path, filter string, size int, matches func(q string, record object) bool, searches ...string,
) (found int) {
	f.Helper()
	query, err := url.ParseQuery(filter)
	if err != nil {
		f.Fatal(err)
	}
	query.Set("per_page", "200")
	all, _ := f.page(path, query)
	query.Set("per_page", strconv.Itoa(size))
	for _, q := range searches {
		var want, got []object
		for _, record := range all {
			if q == "" || matches(q, record) {
				want = append(want, record)
			}
		}
		query.Set("q", q)
		for n := 1; n == 1 || len(got) == (n-1)*size; n++ {
			query.Set("page", strconv.Itoa(n))
			records, total := f.page(path, query)
			if total != len(want) {
				f.Errorf("%s?%s: a total of %d, want %d", path, query.Encode(), total, len(want))
			}
			got = append(got, records...)
		}
		if !reflect.DeepEqual(got, want) {
			f.Errorf("%s?%s: got %d records, want %d or another order", path, query.Encode(), len(got), len(want))
		}
		found += len(want)
	}
	return found
}

// anyHas reports whether one of the texts has the part in it, in any case.
func anyHas(part string, texts ...any) bool {
	return slices.ContainsFunc(texts, func(text any) bool {
		s, _ := text.(string)
		return strings.Contains(strings.ToLower(s), strings.ToLower(part))
	})
}

// With q, a list has the records that it has without q and that match, whatever else is asked.
func TestProofSearchIsAFilter(t *testing.T) {
	f, records := open(t), tier.Size(40, 120, 200)
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{
		"Remera", "remeras", "AZUL", "Ñandú", "İzmir", "Straße", "日本", "a", "1-", "%", "box@mail.example", "",
	}
	word := func() string { return words[rnd.IntN(len(words))] }
	var categories, products, customers []int64
	for range 2 {
		categories = append(categories, f.category(object{"name": "K"}))
	}
	for i := range records {
		body := object{
			"name":       object{"en": fmt.Sprint("P", word(), word()), "es": word()},
			"tags":       word(),
			"brand":      "none of a search",
			"published":  i%3 > 0,
			"categories": array{categories[rnd.IntN(2)]},
			"variants":   array{object{"sku": fmt.Sprint(word(), i), "stock": rnd.IntN(5)}},
		}
		products = append(products, id(f.object("POST /products", body)))
		email := fmt.Sprintf("c%d@mail.example", i%(records-20))
		customer := object{"name": "C" + word(), "email": email, "identification": word()}
		customers = append(customers, id(f.object("POST /customers", customer)))
		code := fmt.Sprint([]string{"Remera", "azul", "AZUL"}[i%3], i)
		f.do("POST /coupons", object{"code": code, "type": "percentage", "value": "5"})
		f.order(customers[rnd.IntN(i+1)], func(o *world.Order) { o.ContactName, o.ContactEmail = word(), word() })
	}
	filters := map[string][]string{
		"/products": {
			"", "published=true", "sort_by=alpha-descending", "min_stock=2", fmt.Sprint("since_id=", products[records/2]),
			fmt.Sprint("category_id=", categories[0]),
			fmt.Sprintf("ids=%d,%d,%d", products[9], products[3], products[3]),
			fmt.Sprintf("ids=%d,%d,%d&category_id=%d", products[9], products[3], products[5], categories[1]),
		},
		"/customers": {"", "email=C7@mail.example", fmt.Sprint("since_id=", customers[records/2])},
		"/coupons":   {"", "sort_by=alpha-descending", "valid=true"},
		"/orders":    {"", "status=open", "since_id=5", fmt.Sprint("customer_ids=", customers[0], ",", customers[1])},
	}
	matches := map[string]func(q string, record object) bool{
		"/products": func(q string, p object) bool {
			return anyHas(q, at(p, "name.en"), at(p, "name.es"), p["tags"], at(p, "variants.0.sku"))
		},
		"/customers": func(q string, c object) bool { return anyHas(q, c["name"], c["email"], c["identification"]) },
		"/coupons":   func(q string, c object) bool { return anyHas(q, c["code"]) },
		"/orders": func(q string, o object) bool {
			return anyHas(q, o["contact_name"], o["contact_email"], at(o, "customer.name"), at(o, "customer.email")) ||
				fmt.Sprint(o["number"]) == q
		},
	}
	found := 0
	for list, of := range filters {
		for _, filter := range of {
			searches := append([]string{"MERA", "ñ", "本", "9", fmt.Sprint(records), "\xff", "nothing"}, words...)
			found += f.wantFound(list, filter, records/2, matches[list], searches...)
		}
	}
	// What changes is found as it is then, and what is deleted is not found.
	f.do(path("PUT /products/%d", products[0]), object{"name": object{"en": "Zeppelin"}})
	f.do(path("DELETE /products/%d", products[1]), nil)
	f.do(path("PUT /customers/%d", customers[0]), object{"name": "Zeppelin"})
	for list := range filters {
		f.wantFound(list, "", 200, matches[list], "zeppelin", "P", "C", "a")
	}
	f.wantIDs("GET /products?q=zeppelin", products[0])
	f.wantIDs("GET /customers?q=zeppelin", customers[0])
	if found < 16*records {
		t.Errorf("the searches found %d, so the test shows little", found)
	}
}
