package document_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

type object = map[string]any

// The schema of a request requires the members without which the server refuses it, in whatever depth, and no other.
func TestRequiredMembersAreRefusedWithout(t *testing.T) {
	server := refserver.New(refserver.Options{Bucket: 1 << 20, Leak: 1 << 20})
	t.Cleanup(server.Close)
	shop, err := seed.Demo(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(path string, body any) (status int, answer object) {
		raw, _ := json.Marshal(body)
		r := httptest.NewRequest(http.MethodPost, fmt.Sprintf("/v1/%d%s", shop.Store.ID, path), bytes.NewReader(raw))
		r.Header = http.Header{"Authorization": {"Bearer " + shop.Install.Token}, "Content-Type": {"application/json"},
			"User-Agent": {"Test (t@app.example)"}}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		_ = json.Unmarshal(w.Body.Bytes(), &answer) // a refusal may be a list
		return w.Code, answer
	}
	options := 0 // each has an id of its own
	provider := func() object {
		options++
		return object{
			"name": "Acme", "description": "Cash", "supported_currencies": []any{"ARS"},
			"checkout_js_url": "https://pay.example/checkout.js",
			"logo_urls":       object{"400x120": "https://pay.example/wide.png", "160x100": "https://pay.example/small.png"},
			"supported_payment_methods": []any{object{
				"payment_method_type": "credit_card", "payment_methods": []any{"visa"},
			}},
			"checkout_payment_options": []any{object{
				"id": fmt.Sprint("card", options), "name": "Card", "supported_billing_countries": []any{"AR"}, "integration_type": "redirect",
				"supported_payment_method_types": []any{"credit_card"},
			}},
		}
	}
	_, made := call("/payment_providers", provider())
	sale := func() object {
		return object{
			"type": "sale", "status": "success", "authorization_code": "A1",
			"amount": object{"value": "10.00", "currency": "ARS"},
		}
	}
	ordered := func(t *testing.T) string {
		pot := object{"name": object{"es": "Pot"}, "variants": []any{object{"price": "10.00"}}}
		_, products := call("/products", pot)
		variant := products["variants"].([]any)[0].(object)["id"]
		status, order := call("/orders", object{
			"gateway": "not-provided", "products": []any{object{"variant_id": variant, "quantity": 1}},
			"customer": object{"name": "Ana", "email": "ana@mail.example"},
		})
		if status != http.StatusCreated {
			t.Fatalf("order: status %d, %v", status, order)
		}
		return fmt.Sprintf("/orders/%.0f/transactions", order["id"])
	}
	// Members that the server requires of some payments only: by card, in installments, or with partial refunds.
	sometimes := []string{"first_event.authorization_code", "info.installments", "info.installments.quantity",
		"info.refund_url", "payment_method.id"}
	required := requiredMembers(t)
	for _, row := range []struct {
		op   string
		at   func(t *testing.T) string
		body func() object
	}{
		{"transactions.create", ordered, func() object {
			return object{
				"payment_provider_id": made["id"], "payment_method": object{"type": "credit_card", "id": "visa"},
				"first_event": sale(), "info": object{
					"external_id": "1", "installments": object{"quantity": 1, "interest": "0.00"},
					"refund_url": "https://pay.example/refunds", "supports_partial_refund": true,
				},
			}
		}},
		{"payment_providers.create", func(*testing.T) string { return "/payment_providers" }, provider},
		{"promotions.create", func(*testing.T) string { return "/promotions" }, func() object {
			return object{"name": "Ten", "allocation_type": "line_item"}
		}},
		{"webhooks.create", func(*testing.T) string { return "/webhooks" }, func() object {
			return object{"event": "order/paid", "url": "https://app.example/hooks"}
		}},
	} {
		t.Run(row.op, func(t *testing.T) {
			if status, answer := call(row.at(t), row.body()); status != http.StatusCreated {
				t.Fatalf("the whole body: status %d, %v", status, answer)
			}
			for _, path := range members("", row.body()) {
				body := row.body()
				remove(body, strings.Split(path, "."))
				status, answer := call(row.at(t), body)
				refused := status >= 400
				if refused != slices.Contains(required[row.op], path) && !slices.Contains(sometimes, path) {
					t.Errorf("without %s: status %d, %v; required are %v", path, status, answer, required[row.op])
				}
			}
		})
	}
}

// members are the paths of all members in a body, with [] after the name of a list.
func members(at string, of any) (out []string) {
	switch of := of.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(of)) {
			path := strings.TrimPrefix(at+"."+name, ".")
			out = append(append(out, path), members(path, of[name])...)
		}
	case []any:
		out = members(at+"[]", of[0])
	}
	return out
}

// remove removes a member from the objects on its path.
func remove(from object, path []string) {
	name, list := strings.CutSuffix(path[0], "[]")
	switch {
	case len(path) == 1:
		delete(from, name)
	case list:
		remove(from[name].([]any)[0].(object), path[1:])
	default:
		remove(from[name].(object), path[1:])
	}
}

// requiredMembers are the paths of the members that openapi.json requires in requests, by operation.
func requiredMembers(t *testing.T) map[string][]string {
	raw, err := os.ReadFile(filepath.Join("../../..", "client/contract/openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			ID      string `json:"operationId"`
			Request struct {
				Content map[string]struct{ Schema object }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]object }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(at string, s object) []string
	walk = func(at string, s object) (out []string) {
		if ref, ok := s["$ref"].(string); ok {
			return walk(at, doc.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		names, _ := s["required"].([]any)
		for _, name := range names {
			out = append(out, strings.TrimPrefix(fmt.Sprintf("%s.%s", at, name), "."))
		}
		properties, _ := s["properties"].(object)
		for name, member := range properties {
			out = append(out, walk(strings.TrimPrefix(at+"."+name, "."), member.(object))...)
		}
		if item, ok := s["items"].(object); ok {
			out = append(out, walk(at+"[]", item)...)
		}
		return out
	}
	out := map[string][]string{}
	for _, path := range doc.Paths {
		for _, op := range path {
			for _, content := range op.Request.Content {
				out[op.ID] = walk("", content.Schema)
			}
		}
	}
	return out
}
