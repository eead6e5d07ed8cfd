package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shipper is an app that the platform has enabled for shipping.
func (f *shop) shipper() string {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Post", Features: []string{"shipping"}})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, world.AllScopes())
	if err != nil {
		f.Fatal(err)
	}
	return in.Token
}

func carrierBody(more object) object {
	return with(object{"name": "Post", "callback_url": "https://post.example/rates", "types": "ship,pickup"}, more)
}

// carries adds a carrier and returns its path.
func (f *shop) carries(token string, more object) string {
	f.Helper()
	return fmt.Sprint("/shipping_carriers/", id(f.as(token, "POST /shipping_carriers", carrierBody(more))))
}

func TestCarriers(t *testing.T) {
	f := open(t)
	token, stranger := f.shipper(), f.shipper()
	f.events()
	if w := f.send(token, "GET /shipping_carriers", nil); w.Code != http.StatusOK || w.Body.String() != "[]" {
		t.Errorf("no carriers: %d %s", w.Code, w.Body)
	}
	made := f.as(token, "POST /shipping_carriers", carrierBody(object{"id": 1, "created_at": "x"}))
	f.want(made, object{"name": "Post", "callback_url": "https://post.example/rates", "callback_labels_url": nil, "types": "ship,pickup", "active": true,
		"created_at": "2025-01-01T12:00:00+0000", "updated_at": "2025-01-01T12:00:00+0000"})
	path := fmt.Sprint("/shipping_carriers/", id(made))
	if len(made) != 8 || id(made) == 1 {
		t.Errorf("members %v", made)
	}
	for _, version := range []string{"v1 ", "2025-03 ", "unstable "} {
		f.want(f.as(token, version+"GET "+path, nil), made)
	}
	f.clock.Advance(3e9)
	changed := f.as(token, "PUT "+path, object{"name": "Mail", "types": " pickup , ship", "active": false, "callback_url": "https://mail.example/r", "callback_labels_url": "https://mail.example/l"})
	f.want(changed, object{"id": id(made), "name": "Mail", "types": "pickup,ship", "active": false, "callback_url": "https://mail.example/r", "callback_labels_url": "https://mail.example/l",
		"created_at": "2025-01-01T12:00:00+0000", "updated_at": "2025-01-01T12:00:03+0000"})
	f.want(f.as(token, "PUT "+path, object{"callback_labels_url": nil, "active": nil, "types": "ship"}), object{"callback_labels_url": nil, "active": false, "types": "ship", "name": "Mail"})
	f.want(f.as(token, "PUT "+path, object{"name": "Post"}), object{"name": "Post", "types": "ship"})
	f.as(token, "PUT "+path, f.as(token, "GET "+path, nil)) // an answer may be sent back

	f.carries(token, object{"name": "Second", "active": false, "callback_labels_url": ""})
	foreign := f.carries(stranger, nil)
	if w := f.send(token, "GET /shipping_carriers", nil); w.Code != http.StatusOK || w.Header().Get("X-Total-Count") != "2" {
		t.Errorf("list: %d %v %s", w.Code, w.Header(), w.Body)
	}
	f.wantStatus(http.StatusForbidden, "GET /shipping_carriers", nil) // an app that is not enabled
	if w := f.send(token, "DELETE "+path, nil); w.Code != http.StatusOK || w.Body.String() != "{}" {
		t.Errorf("DELETE: %d %s", w.Code, w.Body)
	}
	for _, gone := range []string{path, foreign} {
		if w := f.send(token, "GET "+gone, nil); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: %d", gone, w.Code)
		}
	}
	f.wantEvents()
}

func TestCarrierOptions(t *testing.T) {
	f := open(t)
	token := f.shipper()
	f.events()
	path, other := f.carries(token, nil), f.carries(token, object{"name": "Other"})
	made := f.as(token, "POST "+path+"/options", object{"code": "std", "name": "Standard", "id": 4})
	f.want(made, object{"code": "std", "name": "Standard", "additional_days": 0, "additional_cost": 0.0, "allow_free_shipping": false, "active": true,
		"created_at": "2025-01-01T12:00:00+0000", "updated_at": "2025-01-01T12:00:00+0000"})
	if len(made) != 9 || id(made) == 4 {
		t.Errorf("members %v", made)
	}
	f.as(token, "POST "+other+"/options", object{"code": "std", "name": "The same code of another carrier"})
	f.as(token, "POST "+path+"/options", object{"code": "STD", "name": "Another code"})
	one := fmt.Sprintf("%s/options/%d", path, id(made))
	f.clock.Advance(3e9)
	f.want(f.as(token, "PUT "+one, object{"additional_days": "3", "additional_cost": 12.5, "allow_free_shipping": true, "active": false, "name": "Slow", "code": "std"}), object{
		"id": id(made), "code": "std", "name": "Slow", "additional_days": 3, "additional_cost": 12.5, "allow_free_shipping": true, "active": false,
		"created_at": "2025-01-01T12:00:00+0000", "updated_at": "2025-01-01T12:00:03+0000"})
	f.want(f.as(token, "PUT "+one, object{"additional_days": nil, "additional_cost": "7", "allow_free_shipping": nil, "active": nil}), object{
		"additional_days": 0, "additional_cost": 7, "allow_free_shipping": true, "active": false})
	f.as(token, "PUT "+one, f.as(token, "2025-03 GET "+one, nil)) // an answer may be sent back
	if w := f.send(token, "GET "+path+"/options", nil); w.Code != http.StatusOK || w.Header().Get("X-Total-Count") != "2" {
		t.Errorf("list: %d %v %s", w.Code, w.Header(), w.Body)
	}
	for i := range 40 {
		f.as(token, "POST "+path+"/options", object{"code": fmt.Sprint("c", i), "name": "One of many"})
	}
	var all array
	if w := f.send(token, "GET "+path+"/options?per_page=5", nil); json.Unmarshal(w.Body.Bytes(), &all) != nil || len(all) != 42 {
		t.Errorf("%d of 42 options are listed", len(all))
	}
	if w := f.send(token, "DELETE "+one, nil); w.Code != http.StatusOK || w.Body.String() != "{}" {
		t.Errorf("DELETE: %d %s", w.Code, w.Body)
	}
	if w := f.send(token, "GET "+one, nil); w.Code != http.StatusNotFound {
		t.Errorf("a deleted option: %d", w.Code)
	}
	f.as(token, "POST "+path+"/options", object{"code": "std", "name": "The code is free again"})
	f.as(token, "DELETE "+path, nil)
	f.alter(func(tx *world.Tx) error {
		if n := tx.CarrierOptions.Len(); n != 1 {
			t.Errorf("%d options after their carrier was deleted, want that of the other", n)
		}
		return nil
	})
	f.wantEvents()
}

// TestCarriersOfTheStore lists those of all apps in the store, and the native one.
func TestCarriersOfTheStore(t *testing.T) {
	f := open(t)
	const call = "GET /shipping_carriers/options"
	native := object{"id": "custom", "name": "Custom shipping", "options": array{object{"id": "custom", "name": "Custom shipping", "code": "custom", "allow_free_shipping": true}}}
	list := func() array { a, _ := f.do(call, nil).(array); return a }
	if got := list(); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	token := f.shipper()
	path := f.carries(token, object{"active": false})
	f.as(token, "POST "+path+"/options", object{"code": "std", "name": "Standard", "active": false})
	empty := f.carries(f.shipper(), object{"name": "Empty"})
	got := list()
	if len(got) != 3 {
		t.Fatalf("got %v", got)
	}
	f.want(got, object{"0.name": "Post", "0.options.0.code": "std", "0.options.0.name": "Standard", "0.options.0.allow_free_shipping": false,
		"1": object{"id": empty[len("/shipping_carriers/"):], "name": "Empty", "options": array{}}, "2": native})
	f.want(got, object{"0.id": path[len("/shipping_carriers/"):]})
	in, _ := f.World().ByToken(token)
	if err := f.Uninstall(in.App, f.store.ID); err != nil {
		t.Fatal(err)
	}
	if got := list(); len(got) != 2 {
		t.Errorf("after the app was uninstalled: %v", got)
	}
	if w := f.send(f.install(world.Scopes{"read_products"}), call, nil); w.Code != http.StatusForbidden {
		t.Errorf("without read_shipping: %d", w.Code)
	}
}

func TestCarrierScopes(t *testing.T) {
	f := open(t)
	token := f.shipper()
	path := f.carries(token, nil)
	option := fmt.Sprint(path, "/options/", id(f.as(token, "POST "+path+"/options", object{"code": "std", "name": "Standard"})))
	in, _ := f.World().ByToken(token)
	reader, err := f.Install(in.App, f.store.ID, world.Scopes{"read_shipping"})
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{"POST /shipping_carriers", "PUT " + path, "POST " + path + "/options", "PUT " + option, "DELETE " + option, "DELETE " + path} {
		if w := f.send(reader.Token, call, carrierBody(nil)); w.Code != http.StatusForbidden {
			t.Errorf("%s with read_shipping: %d", call, w.Code)
		}
	}
	for _, call := range []string{"GET /shipping_carriers", "GET " + path, "GET " + path + "/options", "GET " + option, "GET /shipping_carriers/options"} {
		if w := f.send(reader.Token, call, nil); w.Code != http.StatusOK {
			t.Errorf("%s with read_shipping: %d %s", call, w.Code, w.Body)
		}
	}
}

func carrierRefusals(f *shop) []refusal {
	token, stranger := f.shipper(), f.shipper()
	path := f.carries(token, nil)
	options, elsewhere := path+"/options", f.carries(token, nil)+"/options"
	f.as(token, "POST "+options, object{"code": "taken", "name": "Taken"})
	one := fmt.Sprint("/", id(f.as(token, "POST "+options, object{"code": "std", "name": "Standard"})))
	const noCarrier, noOption = "Shipping carrier with such id does not exist", "Shipping carrier option with such id does not exist"
	var out []refusal
	add := func(op, text string, status int, call, token string, body any) {
		out = append(out, refusal{op: op, status: status, text: text, call: call, token: token, body: body})
	}
	for act, call := range map[string]string{"get": "GET ", "update": "PUT ", "delete": "DELETE "} {
		add("shipping_carriers."+act, noCarrier, 404, call+path, stranger, object{})
		add("shipping_carriers."+act, noCarrier, 404, call+"/shipping_carriers/1", token, object{})
		add("shipping_carriers."+act, noCarrier, 404, call+"/shipping_carriers/n0ne", token, object{})
		add("carrier_options."+act, noCarrier, 404, call+options+one, stranger, object{})
		add("carrier_options."+act, noOption, 404, call+options+"/1", token, object{})
		add("carrier_options."+act, noOption, 404, call+elsewhere+one, token, object{})
	}
	add("carrier_options.list", noCarrier, 404, "GET "+options, stranger, nil)
	add("carrier_options.create", noCarrier, 404, "POST "+options, stranger, object{"code": "x", "name": "X"})
	const secure = "must be an HTTPS URL of a public host"
	const types = "types: must be ship, pickup or both, separated by a comma"
	for text, bodies := range map[string][]object{
		"name: should not be empty":         {{"name": ""}, {"name": nil}},
		"callback_url: should not be empty": {{"callback_url": ""}, {"callback_url": nil}},
		"types: should not be empty":        {{"types": ""}, {"types": nil}},
		"callback_url: " + secure:           {{"callback_url": "http://post.example/r"}, {"callback_url": "https://localhost/r"}, {"callback_url": "post.example"}},
		"callback_labels_url: " + secure:    {{"callback_labels_url": "http://post.example/l"}, {"callback_labels_url": "https://127.0.0.1/l"}},
		types:                               {{"types": "drone"}, {"types": "ship,"}, {"types": "ship,ship"}, {"types": "Ship"}, {"types": array{"ship"}}, {"types": "ship;pickup"}},
		"active: must be a boolean value":   {{"active": "yes"}, {"active": 1}},
	} {
		for _, body := range bodies {
			add("shipping_carriers.create", text, 422, "POST /shipping_carriers", token, carrierBody(body))
			add("shipping_carriers.update", text, 422, "PUT "+path, token, body)
		}
	}
	for _, member := range []string{"name", "callback_url", "types"} {
		body := carrierBody(nil)
		delete(body, member)
		add("shipping_carriers.create", member+": should not be empty", 422, "POST /shipping_carriers", token, body)
	}
	for text, bodies := range map[string][]object{
		"code: should not be empty":                            {{"code": ""}, {"code": nil}},
		"name: should not be empty":                            {{"name": ""}, {"name": nil}},
		"code: has already been taken":                         {{"code": "taken"}},
		"additional_days: must be an integer from 0 to 999":    {{"additional_days": -1}, {"additional_days": 1.5}, {"additional_days": 1000}, {"additional_days": "soon"}, {"additional_days": array{}}},
		"additional_cost: must be a decimal number, 0 or more": {{"additional_cost": -0.01}, {"additional_cost": "much"}, {"additional_cost": object{}}},
		"allow_free_shipping: must be a boolean value":         {{"allow_free_shipping": "no"}},
		"active: must be a boolean value":                      {{"active": 0}},
	} {
		for _, body := range bodies {
			add("carrier_options.create", text, 422, "POST "+options, token, with(object{"code": "new", "name": "New"}, body))
			add("carrier_options.update", text, 422, "PUT "+options+one, token, body)
		}
	}
	for member, body := range map[string]object{"code": {"name": "New"}, "name": {"code": "new"}} {
		add("carrier_options.create", member+": should not be empty", 422, "POST "+options, token, body)
	}
	return out
}
