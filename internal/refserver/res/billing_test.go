package res_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// biller is an app that bills stores.
type biller struct {
	token, secret string
	id            int64
	// plans, subscription and charges are its paths.
	plans, subscription, charges string
}

func (f *shop) biller() biller {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "Billing"})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, world.Scopes{"read_products"})
	if err != nil {
		f.Fatal(err)
	}
	return biller{in.Token, app.Secret, app.ID, fmt.Sprintf("/apps/%d/plans", app.ID),
		fmt.Sprintf("/concepts/app-cost/services/%d/subscriptions", app.ID), fmt.Sprintf("/services/%d/charges", app.ID)}
}

func extra(more object) object {
	return with(object{"description": "Extra seats", "from_date": "2025-01-01", "to_date": "2025-01-31", "amount_value": 12.5, "amount_currency": "USD", "concept_code": "app-cost"}, more)
}

func TestPlansOfAnApp(t *testing.T) {
	f := open(t)
	b, other := f.biller(), f.biller()
	basic := f.as(b.secret, "2025-03 POST "+b.plans, object{"code": "basic"})
	f.want(basic, object{"code": "basic", "external_reference": nil, "description": nil, "default": true})
	pro := f.as(b.secret, "unstable POST "+b.plans, object{"code": "pro", "external_reference": "p-1", "description": "All of it"})
	f.want(pro, object{"code": "pro", "external_reference": "p-1", "description": "All of it", "default": false})
	f.want(f.as(b.secret, "2025-03 PATCH "+b.plans+"/p-1", object{"description": "Nearly all"}), object{"id": pro["id"], "code": "pro", "description": "Nearly all", "external_reference": "p-1"})
	f.want(f.as(b.secret, fmt.Sprintf("2025-03 PATCH %s/%s", b.plans, pro["id"]), object{"external_reference": "p-1"}), object{"external_reference": "p-1"})
	f.want(f.as(other.secret, "2025-03 POST "+other.plans, object{"code": "x", "external_reference": "p-1"}), object{"default": true})
	for _, c := range []struct {
		token, call string
		want        int
	}{
		{b.token, "2025-03 POST " + b.plans, 401},
		{other.secret, "2025-03 POST " + b.plans, 401},
		{b.secret, "v1 POST " + b.plans, 404},
		{other.secret, fmt.Sprintf("2025-03 DELETE %s/%s", other.plans, pro["id"]), 404},
		{b.secret, fmt.Sprintf("2025-03 DELETE %s/%s", b.plans, pro["id"]), 204},
		{b.secret, fmt.Sprintf("2025-03 DELETE %s/%s", b.plans, pro["id"]), 404},
	} {
		if w := f.send(c.token, c.call, object{"code": "c"}); w.Code != c.want {
			t.Errorf("%s: %d %s, want %d", c.call, w.Code, w.Body, c.want)
		}
	}
}

func TestSubscriptionTellsOfChanges(t *testing.T) {
	f := open(t)
	b := f.biller()
	if w := f.send(b.token, "2025-03 GET "+b.subscription, nil); w.Code != http.StatusNotFound {
		t.Errorf("without a plan: %d", w.Code)
	}
	basic := f.as(b.secret, "2025-03 POST "+b.plans, object{"code": "basic", "external_reference": "b-1"})
	pro := f.as(b.secret, "2025-03 POST "+b.plans, object{"code": "pro", "external_reference": "p-1"})
	f.want(f.as(b.token, "2025-03 GET "+b.subscription, nil), object{
		"external_reference": "b-1", "description": nil, "recurring_frequency": "month", "recurring_interval": 1, "amount_currency": "USD", "amount_value": 0,
		"concept_code": "app-cost", "store_id": f.store.ID, "next_execution": "2025-02-01T00:00:00+0000", "last_execution": nil,
		"plan": object{"id": basic["id"], "code": "basic"},
	})
	before := len(f.happened)
	for _, nothing := range []object{{}, {"amount_value": "0.00", "plan_id": basic["id"]}} {
		f.as(b.token, "2025-03 PATCH "+b.subscription, nothing)
	}
	f.want(f.as(b.token, "2025-03 PATCH "+b.subscription, object{"amount_currency": "USD", "amount_value": 19.9, "plan_external_id": "p-1"}),
		object{"amount_value": 19.9, "plan.code": "pro"})
	f.as(b.token, "2025-03 PATCH "+b.subscription, object{"amount_value": "19.90", "plan_id": pro["id"]})
	f.as(b.token, "2025-03 PATCH "+b.subscription, object{"amount_value": "20.00"})
	var told []string
	sent := f.happened[before:]
	for _, e := range sent {
		told = append(told, e.Name)
	}
	if want := []string{"subscription/updated", "app_subscription/updated", "subscription/updated"}; !reflect.DeepEqual(told, want) {
		t.Fatalf("told %v, want %v", told, want)
	}
	f.want(plain(sent[0].Fields), object{"concept_code": "app-cost", "service_id": b.id, "id": "absent"})
	f.want(plain(sent[1].Fields), object{"id": b.id, "topic": "plan_changed", "plan": object{"id": pro["id"], "code": "pro", "external_reference": "p-1"}})
	f.as(b.secret, fmt.Sprintf("2025-03 PATCH %s/p-1", b.plans), object{"code": "pro-2"})
	f.want(f.as(b.token, "2025-03 GET "+b.subscription, nil), object{"plan.code": "pro-2", "amount_value": 20})
	if w := f.send(b.secret, "2025-03 DELETE "+b.plans+"/p-1", nil); w.Code != http.StatusNoContent {
		t.Errorf("deleting a plan in use: %d", w.Code)
	}
	f.want(f.as(b.token, "2025-03 GET "+b.subscription, nil), object{"plan.code": "basic"})
}

func TestChargesArePaidOrFail(t *testing.T) {
	f := open(t)
	b := f.biller()
	before := len(f.happened)
	made := f.as(b.token, "2025-03 POST "+b.charges, extra(object{"external_reference": "c-1"}))
	f.want(made, object{"description": "Extra seats", "external_reference": "c-1", "from_date": "2025-01-01T00:00:00+0000", "to_date": "2025-01-31T00:00:00+0000",
		"amount_value": 12.5, "amount_currency": "USD", "concept_code": "app-cost", "created_at": "2025-01-01T12:00:00+0000", "updated_at": "2025-01-01T12:00:00+0000"})
	key := fmt.Sprint(made["id"])
	for _, step := range []struct {
		how func(int64, string) error
		ok  bool
	}{{f.FailCharge, true}, {f.PayCharge, true}, {f.PayCharge, false}, {f.FailCharge, false}} {
		if err := step.how(f.store.ID, key); (err == nil) != step.ok {
			t.Errorf("got %v, want success: %t", err, step.ok)
		}
	}
	if f.PayCharge(f.store.ID, provider) == nil {
		t.Error("a charge that is not there was paid")
	}
	var told []string
	sent := f.happened[before:]
	for _, e := range sent {
		told = append(told, e.Name)
	}
	if want := []string{"charge/created", "charge/failed", "charge/paid"}; !reflect.DeepEqual(told, want) {
		t.Fatalf("told %v, want %v", told, want)
	}
	if got, want := plain(sent[0].Fields), plain(object{"id": key, "app_id": b.id}); !reflect.DeepEqual(got, want) {
		t.Errorf("charge/created has %v, want %v", got, want)
	}
	block := object{"id": key, "concept_code": "app-cost", "from_date": "2025-01-01T00:00:00+0000", "to_date": "2025-01-31T00:00:00+0000", "amount_value": json.Number("12.50"), "amount_currency": "USD"}
	if got, want := plain(sent[2].Fields), plain(object{"id": key, "app_id": b.id, "charge": block}); !reflect.DeepEqual(got, want) {
		t.Errorf("charge/paid has %v, want %v", got, want)
	}
	wantTable(t, res.ChargeStates(), map[string]string{"pending": "pay:paid fail:failed", "failed": "pay:paid fail:failed", "paid": ""})
}

func billingRefusals(f *shop) []refusal {
	b := f.biller()
	basic := f.as(b.secret, "2025-03 POST "+b.plans, object{"code": "basic", "external_reference": "b-1"})
	f.as(b.secret, "2025-03 POST "+b.plans, object{"code": "pro", "external_reference": "p-1"})
	const blank = ": should not be empty"
	secret := func(op string, status int, text, call string, body any) refusal {
		return refusal{op: "billing." + op, status: status, text: text, call: "2025-03 " + call, body: body, token: b.secret}
	}
	token := func(op string, status int, text, call string, body any) refusal {
		return refusal{op: "billing." + op, status: status, text: text, call: "2025-03 " + call, body: body, token: b.token}
	}
	out := []refusal{
		secret("createPlan", 422, "code"+blank, "POST "+b.plans, object{"description": "x"}),
		secret("createPlan", 400, "Duplicated external reference", "POST "+b.plans, object{"code": "x", "external_reference": "b-1"}),
		secret("updatePlan", 422, "code"+blank, "PATCH "+b.plans+"/p-1", object{"code": ""}),
		secret("updatePlan", 400, "Duplicated external reference", "PATCH "+b.plans+"/p-1", object{"external_reference": "b-1"}),
		secret("updatePlan", 404, "null", "PATCH "+b.plans+"/none", object{"code": "x"}),
		secret("deletePlan", 404, "null", "DELETE "+b.plans+"/none", nil),
		secret("deletePlan", 400, "Could not delete a default plan", fmt.Sprintf("DELETE %s/%s", b.plans, basic["id"]), nil),
		token("getSubscription", 404, "null", "GET /concepts/app-cost/services/1/subscriptions", nil),
		token("updateSubscription", 404, "null", "PATCH /concepts/app-cost/services/1/subscriptions", object{}),
		token("updateSubscription", 404, "null", "PATCH "+b.subscription, object{"plan_id": "none"}),
		token("updateSubscription", 400, "Invalid currency for store", "PATCH "+b.subscription, object{"amount_currency": "EUR"}),
		token("updateSubscription", 422, "amount_value: must be a decimal number, 0 or more", "PATCH "+b.subscription, object{"amount_value": -1}),
		token("createCharge", 404, "null", "POST /services/1/charges", extra(nil)),
		token("createCharge", 400, "Invalid currency for store", "POST "+b.charges, extra(object{"amount_currency": "EUR"})),
	}
	for text, more := range map[string]object{
		"description" + blank: {"description": nil}, "concept_code" + blank: {"concept_code": ""}, "amount_currency" + blank: {"amount_currency": nil},
		"from_date" + blank: {"from_date": nil}, "from_date: must be a valid ISO 8601 date string": {"from_date": "now"},
		"to_date" + blank: {"to_date": ""}, "to_date: must be a valid ISO 8601 date string": {"to_date": "soon"},
		"to_date: must not be before from_date": {"to_date": "2024-12-31"}, "amount_value" + blank: {"amount_value": nil},
		"amount_value: must be a decimal number greater than 0": {"amount_value": 0.004},
	} {
		out = append(out, token("createCharge", 422, text, "POST "+b.charges, extra(more)))
	}
	return out
}
