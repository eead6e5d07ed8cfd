package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// discounter puts an app that may register promotions into the store and returns its
// token. It has no scope: none is needed.
func (f *shop) discounter() (app world.App, token string) {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Discounts", Features: []string{"discounts"}})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, nil)
	if err != nil {
		f.Fatal(err)
	}
	return app, in.Token
}

// played sends a call with the token that has to be answered with the status.
func (f *shop) played(token, call string, body any, want int) object {
	f.Helper()
	w := f.send(token, call, body)
	if w.Code != want {
		f.Fatalf("%s %v: %d %s, want %d", call, body, w.Code, w.Body, want)
	}
	var out object
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			f.Fatal(err)
		}
	}
	return out
}

func (f *shop) promote(token string, body object) string {
	f.Helper()
	id, _ := at(f.played(token, "POST /promotions", body, http.StatusCreated), "data.id").(string)
	return id
}

func promotionBody(more object) object {
	return with(object{"name": "3 for 2", "allocation_type": "line_item"}, more)
}

func TestPromotions(t *testing.T) {
	f := open(t)
	_, token := f.discounter()
	if got := f.played(token, "GET /promotions", nil, 200); !reflect.DeepEqual(got, object{"data": array{}}) {
		t.Errorf("no promotions: %v", got)
	}
	first := f.promote(token, promotionBody(nil))
	second := f.promote(token, promotionBody(object{
		"name": "Ten off", "allocation_type": "cross_items", "description": "d", "disclaimer": "t", "active": false,
		"combines_with_quantity_discounts": false, "combines_with_free_shipping": true, "combines_with_cart_amount_discounts": false,
		"combines_with_app_discounts": true, "combines_with_price_discounts": false,
		"translations": array{object{"lang": "es", "name": "Diez", "description": "", "disclaimer": "x"}},
	}))
	for _, version := range []string{"v1", "2025-03", "unstable"} {
		list := f.played(token, version+" GET /promotions", nil, 200)
		f.want(list, object{"data.0": object{
			"id": first, "name": "3 for 2", "allocation_type": "line_item", "active": true,
			"combines_with_quantity_discounts": true, "combines_with_free_shipping": true, "combines_with_cart_amount_discounts": true,
			"combines_with_app_discounts": true, "combines_with_price_discounts": true,
		}, "data.1": object{
			"id": second, "name": "Ten off", "allocation_type": "cross_items", "active": false,
			"combines_with_quantity_discounts": false, "combines_with_free_shipping": true, "combines_with_cart_amount_discounts": false,
			"combines_with_app_discounts": true, "combines_with_price_discounts": false,
		}, "data.2": "absent"})
	}
	// An item may be sent back, with what is to change.
	item := at(f.played(token, "GET /promotions", nil, 200), "data.1").(object)
	item["active"], item["name"], item["combines_with_app_discounts"] = true, "Tenth off", false
	f.played(token, "PATCH /promotions/"+second, item, 204)
	f.want(f.played(token, "GET /promotions", nil, 200), object{"data.1": item})
	// The deprecated setting stands for all the others.
	f.played(token, "PATCH /promotions/"+second, object{"combines_with_other_discounts": true}, 204)
	f.want(f.played(token, "GET /promotions", nil, 200), object{"data.1.combines_with_app_discounts": true, "data.1.combines_with_quantity_discounts": true, "data.1.active": true})
	f.played(token, "PATCH /promotions/"+second, object{}, 204)
	f.played(token, "DELETE /promotions/"+first, nil, 204)
	f.want(f.played(token, "GET /promotions", nil, 200), object{"data.0.id": second, "data.1": "absent"})
	f.wantEvents()
}

func TestTextsOfPromotionsAreKept(t *testing.T) {
	f := open(t)
	app, token := f.discounter()
	text := world.PromotionText{Language: "es", Name: "Diez", Description: "d", Disclaimer: "x"}
	id := f.promote(token, promotionBody(object{
		"description": "for you", "disclaimer": "while it lasts",
		"translations": array{object{"lang": "es", "name": "Diez", "description": "d", "disclaimer": "x"}},
	}))
	check := func(want ...world.PromotionText) {
		t.Helper()
		err := f.World().View(app.ID, f.store.ID, func(tx *world.Tx) error {
			p, _ := tx.Promotions.Get(id)
			if p.Description != "for you" || p.Disclaimer != "while it lasts" || !slices.Equal(p.Translations, want) {
				t.Errorf("got %+v", p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	check(text)
	f.played(token, "PATCH /promotions/"+id, object{"active": false}, 204)
	check(text)
	f.played(token, "PATCH /promotions/"+id, object{"translations": array{}}, 204)
	check()
}

// A promotion is its app's, in its store.
func TestPromotionsBelongToApps(t *testing.T) {
	f := open(t)
	app, token := f.discounter()
	_, stranger := f.discounter()
	f.promote(token, promotionBody(nil))
	if list := f.played(stranger, "GET /promotions", nil, 200); len(list["data"].(array)) != 0 {
		t.Errorf("another app sees %v", list)
	}
	other, err := f.AddStore(world.Store{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.Install(app.ID, other.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.store.ID = other.ID
	if list := f.played(in.Token, "GET /promotions", nil, 200); len(list["data"].(array)) != 0 {
		t.Errorf("another store has %v", list)
	}
}

// Scopes play no part, the permission of the app does; its refusal has the shape of
// the resource.
func TestAppsNeedToBeAllowed(t *testing.T) {
	f := open(t)
	plain := f.install(world.AllScopes())
	for _, call := range []string{"GET /promotions", "POST /promotions", "PATCH /promotions/x", "DELETE /promotions/x", "PUT /discounts/callbacks", "GET /carts/1/discounts"} {
		got := f.played(plain, call, object{}, 403)
		f.want(got, object{"error.status": 403, "error.code": "ForbiddenException", "error.detail": "The app is not enabled for discounts"})
	}
}

func TestDiscountCallback(t *testing.T) {
	f := open(t)
	app, token := f.discounter()
	stored := func() (url string) {
		err := f.World().View(app.ID, f.store.ID, func(tx *world.Tx) error {
			c, _ := tx.DiscountCallbacks.Get(app.ID)
			url = c.URL
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return url
	}
	for _, url := range []string{"https://app.example/carts", "https://app.example/other?a=b"} {
		if w := f.send(token, "PUT /discounts/callbacks", object{"url": url}); w.Code != 204 || w.Body.Len() != 0 || stored() != url {
			t.Errorf("%s: %d %s, stored %s", url, w.Code, w.Body, stored())
		}
	}
	for _, call := range []string{"DELETE /discounts/callbacks", "GET /discounts/callbacks"} {
		if w := f.send(token, call, nil); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", call, w.Code)
		}
	}
}

// What is wrong with a body is told at once, in the order of its members.
func TestComplaintsOfPromotions(t *testing.T) {
	f := open(t)
	_, token := f.discounter()
	got := f.played(token, "POST /promotions", object{"name": 7, "active": "true", "translations": array{object{"name": "x"}}}, 400)
	want := object{"error": object{"status": 400.0, "code": "BadRequestException", "detail": array{
		"name must be a string", "allocation_type must be one of the following values: line_item, cross_items",
		"active must be a boolean value", "translations.0.lang must be a string",
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if w := f.send(token, "POST /promotions", `[]`); w.Code != 400 || !strings.Contains(w.Body.String(), "Problems parsing JSON") {
		t.Errorf("a body that is no object: %d %s", w.Code, w.Body)
	}
}

// The promotions of a store go with the app, and what they take off with them.
func TestUninstallingTakesPromotions(t *testing.T) {
	f := open(t)
	app, token := f.discounter()
	theirs, stranger := f.discounter()
	p, q := f.promote(token, promotionBody(nil)), f.promote(stranger, promotionBody(nil))
	const cart = 77
	err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		if err := tx.Carts.Put(cart, world.Cart{ID: cart, CreatedAt: tx.Now()}); err != nil {
			return err
		}
		off := map[int64]world.Reduction{5: {Amount: decimal.NewFromInt(1)}}
		return tx.KeepVisit(world.Visit{CartID: cart, Discounts: []world.CartDiscount{
			{AppID: app.ID, PromotionID: p, Tier: world.LineItem, Lines: off}, {AppID: theirs.ID, PromotionID: q, Tier: world.LineItem, Lines: off},
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
	discounts := fmt.Sprintf("GET /carts/%d/discounts", cart)
	f.want(f.played(token, discounts, nil, 200), object{"data.0": object{"promotion_id": p, "line_items": array{"5"}}, "data.1": "absent"})
	if err := f.Uninstall(app.ID, f.store.ID); err != nil {
		t.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.want(f.played(in.Token, discounts, nil, 200), object{"data": array{}})
	f.want(f.played(in.Token, "GET /promotions", nil, 200), object{"data": array{}})
	f.want(f.played(stranger, discounts, nil, 200), object{"data.0.promotion_id": q})
	f.want(f.played(stranger, "GET /promotions", nil, 200), object{"data.0.id": q})
	f.played(stranger, "PATCH /promotions/"+q, object{"active": false}, 204)
	f.want(f.played(stranger, discounts, nil, 200), object{"data": array{}})
}

func promotionRefusals(f *shop) []refusal {
	app, token := f.discounter()
	_, stranger := f.discounter()
	mine := "/promotions/" + f.promote(token, promotionBody(nil))
	theirs := "/promotions/" + f.promote(stranger, promotionBody(nil))
	elsewhere, err := f.AddStore(world.Store{})
	if err != nil {
		f.Fatal(err)
	}
	const far = "6a2c1f3e-0000-4000-8000-000000000001"
	if err := f.World().Update(app.ID, elsewhere.ID, func(tx *world.Tx) error {
		return tx.Promotions.Put(far, world.Promotion{ID: far, AppID: app.ID})
	}); err != nil {
		f.Fatal(err)
	}
	var out []refusal
	for op, call := range map[string]string{"promotions.update": "PATCH ", "promotions.delete": "DELETE "} {
		for _, path := range []string{theirs, "/promotions/" + far} {
			out = append(out, refusal{op: op, status: 403, text: "The promotion does not belong to the app and the store", call: call + path, body: object{"active": true}, token: token})
		}
		for _, id := range []string{"02aaa5c6-080a-40e9-a61f-90ca2150d6a2", "7"} {
			out = append(out, refusal{op: op, status: 404, text: "The promotion id does not exist", call: call + "/promotions/" + id, body: object{"active": true}, token: token})
		}
	}
	for text, bodies := range promotionBodies() {
		for _, b := range bodies {
			out = append(out,
				refusal{op: "promotions.create", status: 400, text: text, call: "POST /promotions", body: promotionBody(b), token: token},
				refusal{op: "promotions.update", status: 400, text: text, call: "PATCH " + mine, body: b, token: token})
		}
	}
	const wrongTier = "allocation_type must be one of the following values: line_item, cross_items"
	for _, tier := range []any{"shipping_line", "", nil, 1, "LINE_ITEM"} {
		out = append(out, refusal{op: "promotions.create", status: 400, text: wrongTier, call: "POST /promotions", body: object{"name": "X", "allocation_type": tier}, token: token})
	}
	for _, tier := range []any{"cross_items", "shipping_line", nil} {
		out = append(out, refusal{op: "promotions.update", status: 400, text: "allocation_type cannot be changed", call: "PATCH " + mine, body: object{"allocation_type": tier}, token: token})
	}
	for text, urls := range map[string]array{
		"url must be a string":                      {nil, 7, object{}},
		"url must be an HTTPS URL of a public host": {"", "http://app.example/c", "https://localhost/c", "app.example/c", "https://127.0.0.1/c"},
	} {
		for _, url := range urls {
			out = append(out, refusal{op: "discount_callbacks.replace", status: 400, text: text, call: "PUT /discounts/callbacks", body: object{"url": url}, token: token})
		}
	}
	return append(out,
		refusal{op: "promotions.create", status: 400, text: "name must be a string", call: "POST /promotions", body: object{"allocation_type": "line_item"}, token: token},
		refusal{op: "promotions.create", status: 400, text: wrongTier, call: "POST /promotions", body: object{"name": "X"}, token: token},
		refusal{op: "discount_callbacks.replace", status: 400, text: "url must be a string", call: "PUT /discounts/callbacks", body: object{}, token: token})
}

// promotionBodies are members by what is wrong with them, in a new promotion as in a
// change of one.
func promotionBodies() map[string][]object {
	texts := func(more object) object {
		return object{"translations": array{with(object{"lang": "es", "name": "Diez"}, more)}}
	}
	out := map[string][]object{
		"name must be a string":                       {{"name": 7}, {"name": nil}, {"name": object{"en": "X"}}},
		"name should not be empty":                    {{"name": ""}, {"name": "  "}},
		"description must be a string":                {{"description": 7}, {"description": nil}},
		"disclaimer must be a string":                 {{"disclaimer": array{}}},
		"active must be a boolean value":              {{"active": "true"}, {"active": 1}, {"active": nil}},
		"translations must be an array":               {{"translations": object{}}, {"translations": nil}},
		"translations.0 must be an object":            {{"translations": array{"es"}}, {"translations": array{nil}}},
		"translations.0.lang must be a string":        {{"translations": array{object{"name": "X"}}}, texts(object{"lang": 1})},
		"translations.0.lang should not be empty":     {texts(object{"lang": ""})},
		"translations.0.name must be a string":        {{"translations": array{object{"lang": "es"}}}, texts(object{"name": nil})},
		"translations.0.name should not be empty":     {texts(object{"name": ""})},
		"translations.0.description must be a string": {texts(object{"description": 1})},
		"translations.0.disclaimer must be a string":  {texts(object{"disclaimer": 1})},
	}
	const both = "combines_with_other_discounts must not be sent together with the other combination fields"
	for _, what := range []string{"quantity_discounts", "free_shipping", "cart_amount_discounts", "app_discounts", "price_discounts"} {
		name := "combines_with_" + what
		out[name+" must be a boolean value"] = []object{{name: "yes"}, {name: nil}}
		out[both] = append(out[both], object{name: true, "combines_with_other_discounts": true})
	}
	out["combines_with_other_discounts must be a boolean value"] = []object{{"combines_with_other_discounts": 1}}
	return out
}
