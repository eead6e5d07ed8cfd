package api

import (
	"slices"
	"strings"
	"testing"
)

func nearestRows() []Op {
	ops := rows(
		"GET /products", "POST /products", "GET /products/{id}", "PUT /products/{id}", "GET /products/sku/{sku}",
		"GET /products/{product_id}/variants", "PUT /products/{product_id}/variants/{id}", "PATCH /products/stock-price",
		"GET /orders/{id}", "POST /orders/{id}/cancel", "POST /orders/{id}/close", "GET /metafields/{owner_resource}",
		"GET /kits", "POST /kits", "GET /store",
	)
	ops[12].Versions, ops[13].Versions = []string{V202503, Unstable}, []string{Unstable}
	return ops
}

func TestNearest(t *testing.T) {
	r := NewRouter(nearestRows())
	for _, tc := range []struct{ method, path, want string }{
		{"GET", "/product", "GET /products"},
		{"GET", "/product/7", "GET /products/{id}"},
		{"POST", "/prodcuts", "POST /products"},
		{"PATCH", "/product/7", "GET /products/{id}"},
		{"POST", "/orders/7/cancell", "POST /orders/{id}/cancel"},
		{"POST", "/order/7/closed", "POST /orders/{id}/close"},
		{"GET", "/products/7/variant", "GET /products/{product_id}/variants"},
		{"PUT", "/products/7/variants/8/", "PUT /products/{product_id}/variants/{id}"},
		{"PUT", "//products//7", "PUT /products/{id}"},
		{"GET", "/products/price-tables", "GET /products"},
		{"PATCH", "/products/stock_price", "PATCH /products/stock-price"},
		{"GET", "/products/%zz", "GET /products"},
		{"GET", "/stores", "GET /store"},
		{"POST", "/kit", "POST /kits"},
		{"GET", "/xyzzy", ""},
		{"GET", "/", ""},
		{"GET", "", ""},
		{"GET", "/orders/7/" + strings.Repeat("cancel/", 100), ""},
	} {
		got := ""
		if op := r.Nearest(V1, tc.method, tc.path); op != nil {
			got = op.Method + " " + op.Path
		}
		if got != tc.want {
			t.Errorf("%s %s: got %q, want %q", tc.method, tc.path, got, tc.want)
		}
	}
}

// FuzzNearest: whatever is asked for, the router neither fails nor invents a row, and a path that leads to a row is
// nearest to one of its path.
func FuzzNearest(f *testing.F) {
	for _, path := range []string{"/products/7", "/products/%zz", "//", "/\x00/é", strings.Repeat("/a", 3000), "/products/" + strings.Repeat("é", 3000)} {
		f.Add("GET", path)
	}
	ops := nearestRows()
	r := NewRouter(ops)
	f.Fuzz(func(t *testing.T, method, path string) {
		m := r.Find(V1, method, path)
		nearest := r.Nearest(V1, method, path)
		if nearest != nil && !slices.ContainsFunc(r.ops, func(op *Op) bool { return op == nearest }) {
			t.Fatalf("%s %q: %v is no row", method, path, nearest)
		}
		if m.Op != nil && !m.Word && strings.Count(path, "/") < mostSegments && len(path) < mostBytes && nearest == nil {
			t.Fatalf("%s %q leads to %s, and none is near", method, path, m.Op.Path)
		}
	})
}
