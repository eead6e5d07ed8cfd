package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// cart is the contract's, with what people put where it does not belong.
const cart = `{"cart_id":"9001","store_id":"1001","execution_tier":"line_item","customer":{"id":"12","email":"juan.perez@correo.com",
"name":"Juan Pérez"},"currency":"ARS","language":"es","shipping":{"country":"AR","city":"9 de Julio","postalcode":"C1425ABC","cost":"0.0",
"address":"Av. Corrientes 1234","floor":"3"},"package":{"weight":"0.500"},"payment":{"credit_card_company":"visa","method":"credit_card",
"installments":"3","card_number":"4111111111111111","cvv":123},"products":[{"id":717394929,"price":"250.00","compare_at_price":"300.00",
"product_id":77,"quantity":2,"free_shipping":true,"variant_id":78,"variant_values":["Rojo","500 ml","para Juan 30.123.456"],
"categories":[{"id":5,"parent":null,"subcategories":[6,7]}],"properties":{"Grabado":"Para José Pérez","maria":{"dni":30123456}},
"name":"Taza de Juan"}],"totals":{"subtotal":"500.00","total_discount":"0.00","total":"500.00"},
"promotions":[{"id":"0b0e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10","line_items":["717394929"]}],"coupons":["VERANO10","juan@correo.com","DNI30123456","+5491155551234"],
"utm":[{"utm_source":"google","utm_medium":"cpc","utm_campaign":"verano","utm_term":"juan perez","utm_content":"juan@correo.com","timestamp":1735689600}],
"sold_by":"88","loyalty":{"tier":"gold","juan@correo.com":true},"customer_note":"llamar al 11 5555-1234","customer":{"phone":"+54 9 11 5555-1234"}}`

const quote = `{"cart_id":"1234567890","store_id":123456,"currency":"ARS","language":"es","total_price":40.00,
"origin":{"name":"Depósito","location_id":"01GQ0000000000000000000000","address":"Calle Falsa","number":"742","floor":null,"locality":"Nuñez",
"city":"C.A.B.A.","province":"Buenos Aires","country":"AR","postal_code":"1602","phone":"+541155551234"},
"destination":{"name":"Ana Gómez","address":"San Martín","number":"1830","floor":"2 B","locality":"Florida","city":"Vicente López",
"province":"Buenos Aires","country":"AR","postal_code":"B1638","phone":"+541144443333"},
"items":[{"id":1,"product_id":2,"name":"Remera de Ana","sku":"REM-1","quantity":1,"free_shipping":true,"grams":1000,"price":20.00,"cost":9.5,
"dimensions":{"width":12.0,"height":10.0,"depth":10.0}}],
"carrier":{"id":"1234567","name":"Correo","options":[{"id":"14349849","name":"Std","code":"standard","allow_free_shipping":false,
"additional_cost":{"amount":1500,"currency":"ARS"},"additional_days":3}]}}`

const labelRequest = `[{"id":"01J9ZX3Q4V5W6Y7Z8A9B0C1D2E","status":"STARTED","requested_by":{"app_id":7,"user_id":null},"documents":[],
"created_at":"2026-01-05T10:00:00+00:00","fulfillment_order_info":{"id":"01J9ZX3Q4V5W6Y7Z8A9B0C1D2F","number":"1","total_quantity":1,
"total_weight":0.5,"total_price":{"value":20.5,"currency":"BRL"},"recipient":{"name":"Ana Souza","phone":"+5511988887777",
"identifier":"123.456.789-09","email":"ana@souza.br"},"destination":{"zipcode":"01310-100","street":"Av. Paulista","number":"1578","floor":"12",
"locality":"Bela Vista","city":"São Paulo","reference":"portão azul","between_streets":"A e B","province":{"code":"SP","name":"São Paulo"},
"country":{"code":"BR","name":"Brasil"}},"line_items":[{"id":"01J9","external_id":"55","quantity":1,"custom_fields":{"f1":{"value":"Presente para Ana"}}}],
"shipping":{"type":"ship","carrier":{"carrier_id":"9","code":"api_9"},"option":{"code":"sedex","reference":"ana@souza.br"}}}}]`

const redact = `{"store_id":123,"customer":{"id":1,"email":"ana@souza.br","phone":"+5511988887777","identification":"12345678909"},
"orders_to_redact":[213,3415]}`

const process = `{"store_id":1,"order_id":2,"payment_provider_id":"0b0e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10",
"payment_attempt_id":"1c1e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10","payment_method":{"type":"credit_card","id":"visa1"},
"amount":{"value":"25.50","currency":"ARS"},"card":{"number":"4111111111111111","holder":"ANA GOMEZ","cvv":"123","expiration_month":11},
"token":"tok_4eC39HqLyjWDarjtT1zdp7dc","customer":{"document":"30123456","birth_date":"1990-05-12"}}`

// What decides an answer stays, and what is a person's does not, whatever member it stands in.
func TestContractBodies(t *testing.T) {
	masks := maskers()
	for name, tc := range map[string]struct {
		kind         Kind
		body         string
		stays, leaks []string
	}{
		"cart": {Carts, cart,
			[]string{`"cart_id":"9001"`, `"id":"12"`, `"9 de Julio"`, `"C1425ABC"`, `"AR"`, `"visa"`, `"installments":"3"`, `"250.00"`, `"Rojo"`,
				`"500 ml"`, `"subcategories":[6,7]`, `"VERANO10"`, `"google"`, `"verano"`, `"timestamp":1735689600`, `"sold_by":"88"`,
				`"0b0e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10"`, `"loyalty":{`, `"properties":{`, `"customer_note":`},
			[]string{"juan", "Juan", "José", "Pérez", "30123456", "30.123.456", "Corrientes", "1234", "4111", "gold", "maria", "dni", "llamar", "correo",
				"5555", "Grabado", "Taza", `"cvv":123`, `"floor":"3"`}},
		"rates": {Rates, quote,
			[]string{`"1602"`, `"B1638"`, `"Buenos Aires"`, `"Vicente López"`, `"C.A.B.A."`, `"Nuñez"`, `"01GQ0000000000000000000000"`, `"grams":1000`,
				`"price":20.00`, `"standard"`, `"amount":1500`, `"REM-1"`, `"width":12.0`, `"floor":null`},
			[]string{"Ana", "Gómez", "Calle", "742", "San Mart", "1830", "2 B", "+5411", "Remera", "Depósito"}},
		"labels": {Labels, labelRequest,
			[]string{`"01310-100"`, `"São Paulo"`, `"SP"`, `"STARTED"`, `"01J9ZX3Q4V5W6Y7Z8A9B0C1D2E"`, `"value":20.5`, `"sedex"`, `"2026-01-05T10:00:00+00:00"`},
			[]string{"Ana", "ana", "Souza", "souza", "98888", "123.456", "Paulista", "1578", `"floor":"12"`, "portão", "A e B", "Presente", `"f1"`}},
		"redact":  {Deliveries, redact, []string{`"store_id":123`, `"id":1`, `[213,3415]`}, []string{"ana", "souza", "98888", "12345678909"}},
		"payment": {Payments, process, []string{`"credit_card"`, `"25.50"`, `"1c1e2c52-`, `"visa1"`}, []string{"4111", "ANA", "GOMEZ", `"123"`, "tok_", "30123456", "1990-05-12"}},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := masks.request(t, tc.kind, tc.body)
			for _, got := range recorded {
				for _, s := range tc.stays {
					if !strings.Contains(got, s) {
						t.Errorf("%s is gone:\n%s", s, got)
					}
				}
				if shape(t, got) != shape(t, tc.body) {
					t.Errorf("the types changed:\n%s\n%s", shape(t, got), shape(t, tc.body))
				}
			}
			for _, s := range tc.leaks {
				if inEach(recorded, s) {
					t.Errorf("%s is recorded:\n%s", s, recorded[0])
				}
			}
		})
	}
}

// keyed are maskers that have nothing but their members in common. What one of them makes up can be anything, also a
// number that a body had. What is in the records of all of them was not replaced.
type keyed [5]*Masker

func maskers() (out keyed) {
	for i := range out {
		out[i] = NewMasker()
	}
	return out
}

func (k keyed) request(t *testing.T, kind Kind, body string) []string {
	t.Helper()
	var out []string
	for _, m := range k {
		got, err := m.request(kind, []byte(body))
		if err != nil {
			t.Fatalf("%.80q: %v", body, err)
		}
		out = append(out, got)
	}
	return out
}

func inEach(recorded []string, text string) bool {
	return !slices.ContainsFunc(recorded, func(s string) bool { return !strings.Contains(s, text) })
}

// shape is a JSON text without its values and names.
func shape(t *testing.T, body string) string {
	t.Helper()
	blank := func(*node, string, string) string { return "" }
	zero := func(*node, string, string) string { return "0" }
	out, err := rewrite([]byte(body), nil, visitor{name: func(*node, string) string { return "" }, text: blank, number: zero})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Hostile bodies neither leak nor break the recorder.
func TestHostileBodies(t *testing.T) {
	masks := maskers()
	for _, body := range []string{
		`{"st\u006fre_id":"ju\u0061n@correo.com","x":"\u004a\u0075an"}`,      // escapes
		`{"store_id":1,"store_id":"Juan"}`,                                   // twice, the second time something else
		`{"event":{"Juan":["Juan"]},"id":["Juan",{"Juan":"Juan"}]}`,          // a text where an object is
		`{"event":"order/paid Juan","status":"Juan Perez","topic":"a@Juan"}`, // a text where a word is
		`{"url":"https://x.example/?email=Juan@correo.com#Juan"}`,
		"{\"a\":\"Juan\xff\xfe\"}", // not UTF-8
		`{"id":"` + strings.Repeat("Juan", 100) + `"}`, `{"id":"Juan1990","order_id":"12-Juan-1"}`,
		strings.Repeat(`{"a":[`, 4000) + `"Juan"` + strings.Repeat(`]}`, 4000),
		`["Juan","Juan@correo.com"]`, `"Juan"`, `{"":"Juan"}`, `{"Juan":1}`, `{"customer":{"id":"Juan"}}`,
	} {
		recorded := masks.request(t, Deliveries, body)
		if inEach(recorded, "Juan") || inEach(recorded, "juan") || inEach(recorded, "4a") {
			t.Errorf("%.80q became %.200q", body, recorded[0])
		}
		for _, got := range recorded {
			if !json.Valid([]byte(got)) {
				t.Errorf("%.80q became %.200q, not JSON", body, got)
			}
		}
	}
	m := masks[0]
	big := `{"id":` + strings.Repeat("9", 400) + `,"x":1e999999,"y":-0.0}`
	if got, err := m.request(Deliveries, []byte(big)); err != nil || len(got) != len(big) || strings.Contains(got, "99999999999999") {
		t.Errorf("big numbers became %.80q, %v", got, err)
	}
	for _, body := range []string{"Juan", "{", `{"a":Juan}`, "\xff", "a=Juan", strings.Repeat("[", 20000)} {
		if got, err := m.request(Carts, []byte(body)); err == nil || got != "" {
			t.Errorf("%.20q was recorded as %q", body, got)
		}
	}
}

// Equal values are equal in all bodies, so that a plan that compares addresses finds what it found.
func TestEqualStaysEqual(t *testing.T) {
	m := NewMasker()
	type place struct{ Address, Number string }
	var got struct{ Origin, Destination, Billing place }
	const body = `{"origin":{"address":"San Martín","number":"18"},"destination":{"address":"San Martín","number":"18"},"billing":{"address":"San Martin","number":"19"}}`
	out, err := m.request(Rates, []byte(body))
	if err == nil {
		err = json.Unmarshal([]byte(out), &got)
	}
	if err != nil || got.Origin != got.Destination || got.Origin.Address == got.Billing.Address || got.Origin.Number == got.Billing.Number {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, pair := range [][2]string{
		{m.text("a", "ana@souza.br"), m.text("b", "ana@souza.br")}, {m.text("a", "+541155551234"), m.text("b", "+541155551234")},
	} {
		if pair[0] != pair[1] {
			t.Errorf("got %q and %q", pair[0], pair[1])
		}
	}
}

// E-mail addresses, times and https addresses stay what they are, and no address of anybody comes out.
func TestFormsStay(t *testing.T) {
	m := NewMasker()
	if got := m.text("email", "ana.maria@souza.com.br"); !email.MatchString(got) || !strings.HasSuffix(got, ".example") {
		t.Errorf("got %q, want an e-mail address that is nobody's", got)
	}
	for _, l := range layout {
		was := time.Date(1990, 2, 28, 23, 59, 58, 0, time.UTC).Format(l)
		got := m.text("birth_date", was)
		if _, err := time.Parse(l, got); err != nil || got == was {
			t.Errorf("%s became %s: %v", was, got, err)
		}
	}
	if got := m.text("url", "https://juan.example/a"); !strings.HasPrefix(got, "https://") || strings.Contains(got, "juan") {
		t.Errorf("got %q", got)
	}
	if got := m.text("id", "1c1e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10"); !hexForm.MatchString(got) {
		t.Errorf("got %q, want a UUID", got)
	}
}

// Keep names members that stay, with what is in them.
func TestKeep(t *testing.T) {
	m := NewMasker("products.properties.size", "loyalty", "?v")
	const body = `{"products":[{"properties":{"size":"XL 1234567","color":"rojo"}}],"loyalty":{"tier":["gold",{"A":1}]},"note":"gold"}`
	got, err := m.request(Carts, []byte(body))
	if err != nil || !strings.Contains(got, `"size":"XL 1234567"`) || !strings.Contains(got, `"loyalty":{"tier":["gold",{"A":1}]}`) ||
		strings.Contains(got, "rojo") || strings.Count(got, "gold") != 1 {
		t.Errorf("got %s, %v", got, err)
	}
	if got := m.target("/a?v=juan&w=juan"); !strings.HasPrefix(got, "/a?v=juan&w=") || strings.HasSuffix(got, "juan") {
		t.Errorf("got %s", got)
	}
}

// Of an address the words stay, and neither tokens nor what stands in a query.
func TestTargets(t *testing.T) {
	m := NewMasker()
	for target, stays := range map[string]bool{
		"/": true, "/hooks/orders": true, "/data-protection/customers-redact": true, "/v1/stores/1001/carts.php": true,
		"/labels/generate": true, "/cancel?payment_attempt_id=1c1e2c52-5f0e-4d3a-9a55-3c1d6c1f7a10": true, "/status?order_id=5": true,
		"/rates/4f1c2ab09d3e": false, "/rates/AbCdEfGhIjKlMnOp": false, "/rates/abcdefghijklmnopq": false, "/rates/sk_live_4242": false,
		"/a?email=juan%40correo.com": false, "/a?juan%40correo.com": false, "/a?token=x": false, "/a/%6auan%40correo": false, "/a?%zz=1": false,
		"/status?order_id=juan": false,
	} {
		got := m.target(target)
		if (got == target) != stays || strings.Contains(got, "juan") || strings.Contains(got, "correo") {
			t.Errorf("%s became %s, want it to stay: %v", target, got, stays)
		}
	}
	for host, want := range map[string]string{"pay.example:8443": "pay.example:8443", "a b": "", "x@y": ""} {
		if got := m.hostname(host); got != want {
			t.Errorf("%q became %q", host, got)
		}
	}
}

// No header but Host is in a line, and the secret parts of a call are in none of its members.
func TestRecordHasNoSecret(t *testing.T) {
	c := Call{Method: "POST", Host: "app.example", Target: "/rates/0123456789abcdef0123456789abcdef?access=hunter2", Body: []byte(quote), Header: map[string][]string{
		"Authorization": {"Bearer hunter2"}, SignatureHeader: {"hunter2"}, "X-Api-Key": {"hunter2"}, "Cookie": {"hunter2"},
	}}
	a := Answer{Status: 200, Body: []byte(`{"rates":[{"name":"Hola Ana","code":"standard","price":10,"reference":"hunter2","x":"hunter2"}]}`)}
	var lines, printed []string
	for _, m := range maskers() {
		r, err := m.Record(time.Now(), Rates, "", c, a)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		var tape Tape
		if err := tape.Write(&out, r); err != nil {
			t.Fatal(err)
		}
		lines, printed = append(lines, out.String()), append(printed, fmt.Sprintf("%+v", r))
		if !strings.Contains(r.Answer, `"code":"standard","price":10`) {
			t.Errorf("the answer lost its rate: %s", r.Answer)
		}
	}
	for _, secret := range []string{"hunter2", "0123456789abcdef", "Ana", "Authorization"} {
		if inEach(lines, secret) || inEach(printed, secret) {
			t.Errorf("%s is recorded: %s", secret, lines[0])
		}
	}
}
