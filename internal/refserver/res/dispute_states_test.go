package res_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// waysOfDisputes is the contract's table: what each status may lead to.
func waysOfDisputes() map[string]string {
	return map[string]string{
		"needs_response":     "documentation_sent under_review insured won lost",
		"documentation_sent": "under_review",
		"under_review":       "won lost insured",
		"insured":            "under_review won lost",
		"won":                "",
		"lost":               "",
	}
}

func TestTableOfDisputes(t *testing.T) {
	want := map[string]string{}
	for from, ways := range waysOfDisputes() {
		want[from] = ""
		for to := range strings.FieldsSeq(ways) {
			want[from] += to + ":" + to + " "
		}
	}
	wantTable(t, res.DisputeStates(), want)
	if got := res.DisputeStates().Initial; got != "needs_response" {
		t.Errorf("a dispute starts in %q", got)
	}
}

// TestDisputeStates plays every status in every status, of a dispute that was
// insured before and of one that was not, with what may be withheld and what may
// not. What the table does not have is refused and leaves nothing behind.
func TestDisputeStates(t *testing.T) {
	f := open(t)
	token := f.payer()
	path := f.dispute(token, f.charged(), nil)
	key := path[strings.LastIndex(path, "/")+1:]
	begin, played, accepted := f.World().Snapshot(), 0, 0
	for from := range waysOfDisputes() {
		for to := range waysOfDisputes() {
			for _, insured := range []bool{false, true} {
				for _, retained := range []string{"0.00", "40.00", "100.00", "100.01"} {
					f.World().Restore(begin)
					f.alter(func(tx *world.Tx) error {
						d, _ := tx.Disputes.Get(key)
						d.Status, d.Retained = world.DisputeStatus(from), decimal.NewFromInt(40)
						d.History = slices.Clone(d.History)
						if insured || from == "insured" {
							d.History = append(d.History, world.DisputeStep{Status: "insured"})
						}
						d.History = append(d.History, world.DisputeStep{Status: d.Status, Retained: d.Retained})
						return tx.Disputes.Put(key, d)
					})
					before := f.moment()
					w := f.send(token, "PUT "+path, ruling(to, retained, nil))
					leads := slices.Contains(strings.Fields(waysOfDisputes()[from]), to)
					ok := leads && !(to == "insured" && insured) && retained != "100.01"
					what := fmt.Sprintf("%s to %s, insured before: %t, %s withheld", from, to, insured, retained)
					played++
					switch {
					case ok && w.Code != http.StatusNoContent:
						t.Errorf("%s: %d %s", what, w.Code, w.Body)
					case ok:
						accepted++
						f.want(f.as(token, "GET "+path, nil), object{"status": to, "retained_total": usd(retained)})
					case w.Code != http.StatusUnprocessableEntity:
						t.Errorf("%s: %d %s, want 422", what, w.Code, w.Body)
					case f.left(before):
						t.Errorf("%s was refused and changed something", what)
					}
				}
			}
		}
	}
	// Of the 12 ways, the 2 that lead to insured are open once: 12 + 10, times 3 amounts.
	if played != 36*2*4 || accepted != 22*3 {
		t.Errorf("played %d, of which %d were accepted", played, accepted)
	}
}

// disputeRefusals has every fault of the two bodies and every place that is not there.
func disputeRefusals(f *shop) []refusal {
	token, stranger := f.payer(), f.payer()
	disputes, full := f.charged(), f.charged()
	path, won, again := f.dispute(token, disputes, nil), f.dispute(token, disputes, nil), f.dispute(token, disputes, nil)
	for range 3 {
		f.dispute(token, full, nil)
	}
	f.change(token, won, ruling("won", "0.00", nil))
	f.change(token, again, ruling("insured", "0.00", nil))
	f.change(token, again, ruling("under_review", "0.00", nil))
	foreign := f.dispute(stranger, f.charged(), nil)
	room := f.charged()
	order, _, _ := strings.Cut(disputes, "/transactions/")
	other := fmt.Sprintf("/orders/%d", f.order(0, nil))

	var out []refusal
	add := func(op string, status int, text, call string, body any) {
		out = append(out, refusal{op: "disputes." + op, status: status, text: text, call: call, body: body, token: token})
	}
	create := func(text string, more object) { add("create", 422, text, "POST "+room, chargeback(more)) }
	update := func(text string, more object) {
		add("update", 422, text, "PUT "+path, with(ruling("under_review", "0.00", nil), more))
	}
	for _, nowhere := range []string{
		"/orders/1" + strings.TrimPrefix(disputes, order), other + strings.TrimPrefix(disputes, order), order + "/transactions/" + provider + "/disputes", order + "/transactions/x/disputes",
	} {
		add("create", 404, "null", "POST "+nowhere, chargeback(nil))
		add("get", 404, "null", "GET "+nowhere+path[len(disputes):], nil)
		add("update", 404, "null", "PUT "+nowhere+path[len(disputes):], ruling("won", "0.00", nil))
	}
	for _, none := range []string{disputes + "/67654a1d7f0000f100f03533", foreign, full + path[len(disputes):]} {
		add("get", 404, "null", "GET "+none, nil)
		add("update", 404, "null", "PUT "+none, ruling("won", "0.00", nil))
	}
	add("create", 422, "A transaction cannot have more than 3 disputes", "POST "+full, chargeback(nil))
	out = append(out, refusal{op: "disputes.create", status: 422, text: "A transaction cannot have more than 0 disputes", call: "POST " + room, body: chargeback(nil),
		token: token, limits: func(l *world.Limits) { l.Disputes = 0 }})
	for text, faults := range retainedFaults() {
		for _, fault := range faults {
			create(text, fault)
			update(text, fault)
		}
	}
	for text, faults := range disputeFaults() {
		for _, fault := range faults {
			create(text, fault)
		}
	}
	for _, member := range []string{"reason_code", "external_reason_code", "amount", "retained_total", "initiated_at"} {
		missing := chargeback(nil)
		delete(missing, member)
		add("create", 422, member+": should not be empty", "POST "+room, missing)
	}
	for _, member := range []string{"status", "retained_total"} {
		missing := ruling("under_review", "0.00", nil)
		delete(missing, member)
		add("update", 422, member+": should not be empty", "PUT "+path, missing)
	}
	update("status: must be one of the following values: needs_response, documentation_sent, insured, under_review, won, lost", object{"status": "pondering"})
	for _, end := range []string{"won", "lost"} {
		for _, closed := range []any{nil, ""} {
			update("closed_at: should not be empty when the status is won or lost", object{"status": end, "closed_at": closed})
		}
		missing := ruling(end, "0.00", nil)
		delete(missing, "closed_at")
		add("update", 422, "closed_at: should not be empty when the status is won or lost", "PUT "+path, missing)
		update("closed_at: must be a valid ISO 8601 date string", object{"status": end, "closed_at": "yesterday"})
	}
	add("update", 422, "A dispute cannot go from won to lost", "PUT "+won, ruling("lost", "0.00", nil))
	add("update", 422, "A dispute can be insured only once", "PUT "+again, ruling("insured", "0.00", nil))
	return out
}

// retainedFaults are members of either body by what is wrong with them.
func retainedFaults() map[string][]object {
	const settled = "retained_settled_amount."
	const beMoney, beCode = "must be a string with two decimals, 0.00 or more", "must be an ISO 4217 code"
	paid := func(more object) object {
		return object{"retained_settled_amount": with(object{"value": "9.00", "currency": "EUR", "exchange_rate": object{"value": "0.9", "from": "USD"}}, more)}
	}
	retained := func(value any) object { return object{"retained_total": object{"value": value, "currency": "USD"}} }
	var values []object
	for _, v := range []any{"-0.01", "1", "1.0", "1.000", "1,00", "1e2", " 1.00", "", ".50", "+1.00", 1.25, nil, strings.Repeat("9", 16) + ".00"} {
		values = append(values, retained(v))
	}
	return map[string][]object{
		"retained_total: should not be empty":                                      {{"retained_total": nil}, {"retained_total": ""}},
		"retained_total: must be an object":                                        {{"retained_total": "0.00"}, {"retained_total": 1}},
		"retained_total.value: " + beMoney:                                         values,
		"retained_total.value: must be between 0.00 and the amount of the dispute": {retained("100.01"), retained("999999999999999.99")},
		"retained_total.currency: " + beCode:                                       {{"retained_total": object{"value": "0.00"}}, {"retained_total": object{"value": "0.00", "currency": "usd"}}},
		"retained_total.currency: must be the currency of the dispute":             {{"retained_total": object{"value": "0.00", "currency": "EUR"}}},
		"retained_settled_amount: must be an object":                               {{"retained_settled_amount": "9.00"}},
		settled + "value: " + beMoney:                                              {paid(object{"value": 9}), paid(object{"value": "-9.00"})},
		settled + "currency: " + beCode:                                            {paid(object{"currency": "E"})},
		settled + "currency: must be another currency than that of the dispute":    {paid(object{"currency": "USD"})},
		settled + "exchange_rate: should not be empty":                             {paid(object{"exchange_rate": nil})},
		settled + "exchange_rate.value: must be a decimal number greater than 0": {
			paid(object{"exchange_rate": object{"value": "0", "from": "USD"}}), paid(object{"exchange_rate": object{"value": "dear", "from": "USD"}}), paid(object{"exchange_rate": object{"from": "USD"}}),
		},
		settled + "exchange_rate.from: " + beCode:                           {paid(object{"exchange_rate": object{"value": "0.9"}})},
		settled + "exchange_rate.from: must be the currency of the dispute": {paid(object{"exchange_rate": object{"value": "0.9", "from": "BRL"}})},
		"evidence_url: must be an HTTPS URL":                                {{"evidence_url": "http://files.pay.example/1.pdf"}, {"evidence_url": "files/1.pdf"}},
		"evidence_sent_at: must be a valid ISO 8601 date string":            {{"evidence_sent_at": "soon"}, {"evidence_sent_at": 1735689600}},
	}
}

// disputeFaults are members of the body of a create by what is wrong with them.
func disputeFaults() map[string][]object {
	const beMoney, beCode, beTime = "must be a string with two decimals, 0.00 or more", "must be an ISO 4217 code", "must be a valid ISO 8601 date string"
	fee := func(more object) object {
		return object{"fees": array{with(object{"type": "processing_fee", "amount": usd("5.00")}, more)}}
	}
	out := map[string][]object{
		"reason_code: must be one of the reason codes": {{"reason_code": "bad_mood"}, {"reason_code": 1}},
		"external_reason_code: must be a string":       {{"external_reason_code": 104}},
		"amount: must be an object":                    {{"amount": "100.00"}},
		"amount.value: " + beMoney:                     {{"amount": usd("100")}, {"amount": usd("-1.00")}},
		"amount.currency: " + beCode:                   {{"amount": object{"value": "100.00", "currency": "dollars"}}},
		"fees: must be an array":                       {{"fees": object{}}},
		"fees.0.type: must be processing_fee":          {fee(object{"type": "tip"}), fee(object{"type": nil})},
		"fees.0.amount: should not be empty":           {fee(object{"amount": nil})},
		"fees.0.amount.value: " + beMoney:              {fee(object{"amount": usd("5")})},
		"fees.0.amount.currency: " + beCode:            {fee(object{"amount": object{"value": "5.00"}})},
		"initiated_at: " + beTime:                      {{"initiated_at": "yesterday"}},
		"evidence_due_at: " + beTime:                   {{"evidence_due_at": "2024-13-01"}},
	}
	for _, member := range []string{"reason_code", "external_reason_code", "amount", "initiated_at"} {
		out[member+": should not be empty"] = []object{{member: nil}, {member: ""}}
	}
	return out
}
