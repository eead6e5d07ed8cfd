package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func rows(lines ...string) []Op {
	var ops []Op
	for i, l := range lines {
		method, path, _ := strings.Cut(l, " ")
		path, digits := strings.CutSuffix(path, "!")
		ops = append(ops, Op{
			ID: fmt.Sprint(i), Method: method, Path: path, Digits: digits,
			Handler: func(*world.Tx, *In) (any, error) { return nil, nil },
		})
	}
	return ops
}

func TestFind(t *testing.T) {
	ops := rows(
		"GET /products",
		"GET /products/{id}",
		"GET /products/sku/{sku}",
		"GET /products/{product_id}/variants",
		"PUT /products/{product_id}/variants",
		"GET /products/{product_id}/variants/{id}",
		"GET /products/custom-fields/{id}",
		"GET /products/{id}/custom-fields",
		"GET /products/variants/{id}/custom-fields",
		"DELETE /products/{id}",
		"GET /metafields/{owner}",
		"GET /metafields/{id}!",
	)
	r := NewRouter(ops)
	for _, tc := range []struct{ method, path, want string }{
		{"GET", "/products", "GET /products"},
		{"GET", "/products/", "GET /products"},
		{"HEAD", "/products", "GET /products"},
		{"GET", "/products/7", "GET /products/{id} id=7"},
		{"DELETE", "/products/sku", "DELETE /products/{id} id=sku"},
		{"GET", "/products/sku/variants", "GET /products/sku/{sku} sku=variants"},
		{"PUT", "/products/sku/variants", "PUT /products/{product_id}/variants product_id=sku"},
		{"GET", "/products/7/variants", "GET /products/{product_id}/variants product_id=7"},
		{"GET", "/products/7/variants/8", "GET /products/{product_id}/variants/{id} id=8 product_id=7"},
		{"GET", "/products/variants/8/custom-fields", "GET /products/variants/{id}/custom-fields id=8"},
		{"GET", "/products/7/custom-fields", "GET /products/{id}/custom-fields id=7"},
		{"GET", "/products/sku/a%2Fb", "GET /products/sku/{sku} sku=a/b"},
		{"GET", "/products/sku/%2e%2e", "GET /products/sku/{sku} sku=.."},
		{"GET", "/products/sku/a%3Fb%23c%20d", "GET /products/sku/{sku} sku=a?b#c d"},
		{"GET", "/products/sku/100%25", "GET /products/sku/{sku} sku=100%"},
		{"GET", "/metafields/7", "GET /metafields/{id} id=7"},
		{"GET", "/metafields/products", "GET /metafields/{owner} owner=products"},
		{"POST", "/products/7/variants", "405 GET PUT"},
		{"PATCH", "/products/7", "405 DELETE GET"},
		{"POST", "/products/price-tables", "404"},
		{"POST", "/products/price-tables/variants", "405 GET PUT"},
		{"GET", "/nothing", "404"},
		{"GET", "/products/7/nothing", "404"},
		{"GET", "/products//variants", "404"},
		{"GET", "/", "404"},
		{"GET", "/products/%zz", "404"},
	} {
		if got := describe(r.Find(V1, tc.method, tc.path)); got != tc.want {
			t.Errorf("%s %s: got %q, want %q", tc.method, tc.path, got, tc.want)
		}
	}
}

// What a version lacks was 405 there, and told of methods that no version had in common.
func TestAllowIsOfTheVersion(t *testing.T) {
	ops := rows("GET /a/{id}", "POST /a/{id}", "POST /b")
	ops[1].Versions, ops[2].Versions = []string{Unstable}, []string{Unstable}
	r := NewRouter(ops)
	for _, tc := range []struct{ version, call, want string }{
		{Unstable, "PUT /a/1", "405 GET POST"},
		{V1, "PUT /a/1", "405 GET"},
		{V1, "POST /a/1", "POST /a/{id} id=1"},
		{Unstable, "GET /b", "405 POST"},
		{V1, "GET /b", "404"},
	} {
		method, path, _ := strings.Cut(tc.call, " ")
		if got := describe(r.Find(tc.version, method, path)); got != tc.want {
			t.Errorf("%s in %s: got %q, want %q", tc.call, tc.version, got, tc.want)
		}
	}
}

func describe(m Match) string {
	switch {
	case m.Op != nil:
		out := []string{m.Op.Method + " " + m.Op.Path}
		for k, v := range m.Vars {
			out = append(out, k+"="+v)
		}
		slices.Sort(out[1:])
		return strings.Join(out, " ")
	case len(m.Allow) > 0:
		return "405 " + strings.Join(m.Allow, " ")
	}
	return "404"
}

func TestCheck(t *testing.T) {
	good := rows("GET /a/{id}", "GET /a/b", "PUT /a/{id}")
	if err := Check(good); err != nil {
		t.Errorf("a good table: %v", err)
	}
	for name, ops := range map[string][]Op{
		"same row twice":   rows("GET /a/{id}", "GET /a/{other}"),
		"unknown method":   rows("FETCH /a"),
		"same id":          {{ID: "x", Method: "GET", Path: "/a", Handler: good[0].Handler}, {ID: "x", Method: "GET", Path: "/b", Handler: good[0].Handler}},
		"no handler":       {{ID: "x", Method: "GET", Path: "/a"}},
		"unknown version":  {{ID: "x", Method: "GET", Path: "/a", Versions: []string{"v9"}, Handler: good[0].Handler}},
		"unknown evidence": {{ID: "x", Method: "GET", Path: "/a", Provenance: "rumour", Handler: good[0].Handler}},
	} {
		if Check(ops) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
