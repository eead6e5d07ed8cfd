package webhook

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

func TestStoreID(t *testing.T) {
	tests := []struct {
		value string
		want  client.ID // 0: malformed
	}{
		{`123`, 123}, {`"123"`, 123}, {`1`, 1}, {`"1"`, 1}, {`9007199254740993`, 9007199254740993},
		{`9223372036854775807`, 9223372036854775807}, {`"9223372036854775807"`, 9223372036854775807},
		{`0`, 0}, {`"0"`, 0}, {`-0`, 0}, {`-1`, 0}, {`"-1"`, 0}, {`"+1"`, 0}, {`1.0`, 0}, {`"1.0"`, 0}, {`1e2`, 0},
		{`"1e2"`, 0},
		{`9223372036854775808`, 0}, {`"9223372036854775808"`, 0}, {`18446744073709551617`, 0}, {`1e999`, 0},
		{`null`, 0}, {`true`, 0}, {`false`, 0}, {`""`, 0}, {`" 1"`, 0}, {`"1 "`, 0}, {`"1\n"`, 0}, {`"\u0031"`, 0},
		{`"0x1"`, 0}, {`"1_0"`, 0},
		{"\"\uff11\"", 0}, {`"null"`, 0}, {`[1]`, 0}, {`{"id":1}`, 0}, {`{}`, 0}, {`[]`, 0},
		{`"` + strings.Repeat("9", 100) + `"`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.value, func(t *testing.T) {
			p := newProbe(t, nil)
			w := send(p, signed(`{"store_id":`+tt.value+`,"event":"order/paid","id":5}`))
			if w.Code != http.StatusOK {
				t.Errorf("got status %d, want 200", w.Code)
			}
			if tt.want != 0 {
				if len(p.calls) != 1 || p.calls[0].StoreID != tt.want {
					t.Errorf("got calls %v, want one for store %d", p.calls, tt.want)
				}
				return
			}
			if len(p.calls) != 0 || len(p.kept) != 1 || p.kept[0].StoreID != 0 ||
				!errors.Is(p.kept[0].Payload.Reason, ErrMalformed) {
				t.Errorf("got calls %v, kept %v; want only a malformed body of no store", p.calls, p.kept)
			}
		})
	}
}

// TestStoreIDCannotBeOverridden: other spellings of the name are other members.
func TestStoreIDCannotBeOverridden(t *testing.T) {
	for _, other := range []string{"STORE_ID", "Store_Id", "store_iD", "storeId", "store-id", "\u017ftore_id",
		" store_id", "store_id ", `store_id\u0000`} {
		for _, body := range []string{
			`{"` + other + `":999,"store_id":123,"event":"order/paid","id":5}`,
			`{"store_id":123,"event":"order/paid","id":5,"` + other + `":999}`,
		} {
			p := newProbe(t, nil)
			if w := send(p, signed(body)); w.Code != http.StatusOK || len(p.calls) != 1 || p.calls[0].StoreID != 123 {
				t.Errorf("%s: got status %d, calls %v; want one for store 123", body, w.Code, p.calls)
			}
		}
		p := newProbe(t, nil)
		if send(p, signed(`{"`+other+`":999,"event":"order/paid","id":5}`)); len(p.calls) != 0 || len(p.kept) != 1 {
			t.Errorf("%s alone: got calls %v, want none", other, p.calls)
		}
	}
}

// TestHostileBodies: bodies that are signed and must not reach a handler.
func TestHostileBodies(t *testing.T) {
	const head = `{"store_id":123,"event":"order/paid","id":5`
	nested := func(n int) string {
		return head + `,"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	malformed := map[string]string{
		"nothing":                   "",
		"white space":               " \n\t",
		"NUL":                       "\x00",
		"null":                      "null",
		"number":                    "1",
		"text":                      `"order/paid"`,
		"array":                     `[{"store_id":123,"event":"order/paid","id":5}]`,
		"empty object":              "{}",
		"BOM":                       "\ufeff" + paidBody,
		"UTF-16":                    "{\x00}\x00",
		"two values":                paidBody + paidBody,
		"text behind":               paidBody + "x",
		"single quotes":             `{'store_id':123}`,
		"comment":                   `{"store_id":123,/**/"event":"order/paid","id":5}`,
		"comma at the end":          head + ",}",
		"store twice":               `{"store_id":123,"store_id":124,"event":"order/paid","id":5}`,
		"same store twice":          `{"store_id":123,"store_id":123,"event":"order/paid","id":5}`,
		"store twice, once escaped": `{"store_id":123,"stor\u0065_id":124,"event":"order/paid","id":5}`,
		"event twice":               `{"store_id":123,"event":"order/paid","event":"app/uninstalled","id":5}`,
		"id twice":                  head + `,"id":6}`,
		"inner member twice":        head + `,"x":{"a":1,"a":2}}`,
		"invalid UTF-8 in a value":  head + ",\"x\":\"\xff\"}",
		"invalid UTF-8 in a name":   head + ",\"\xff\":1}",
		"lone surrogate":            head + `,"x":"\ud800"}`,
		"raw control character":     head + ",\"x\":\"\n\"}",
		"depth 65":                  nested(64),
		"depth 10,000":              nested(10_000),
		"open brackets":             strings.Repeat("[", 1_000_000),
		"60,000 members":            head + members(60_000) + "}",
		"350,000 objects":           head + `,"x":[{}` + strings.Repeat(",{}", 340_000) + "]}",
		"no event":                  `{"store_id":123,"id":5}`,
		"event null":                `{"store_id":123,"event":null,"id":5}`,
		"event empty":               `{"store_id":123,"event":"","id":5}`,
		"event number":              `{"store_id":123,"event":1,"id":5}`,
		"event array":               `{"store_id":123,"event":["order/paid"],"id":5}`,
		"EVENT":                     `{"store_id":123,"EVENT":"order/paid","id":5}`,
		"no store":                  `{"event":"order/paid","id":5}`,
		"no id":                     `{"store_id":123,"event":"order/paid"}`,
		"ID":                        `{"store_id":123,"event":"order/paid","ID":5}`,
		"id null":                   `{"store_id":123,"event":"order/paid","id":null}`,
		"id empty":                  `{"store_id":123,"event":"order/paid","id":""}`,
		"id zero":                   `{"store_id":123,"event":"order/paid","id":0}`,
		"id negative":               `{"store_id":123,"event":"order/paid","id":-5}`,
		"id fraction":               `{"store_id":123,"event":"order/paid","id":5.5}`,
		"id exponent":               `{"store_id":123,"event":"order/paid","id":1e-3}`,
		"id 2^63":                   `{"store_id":123,"event":"order/paid","id":9223372036854775808}`,
		"id of a million digits": `{"store_id":123,"event":"order/paid","id":` + strings.Repeat("9", 1_000_000) +
			`}`,
		"id 1e999999999": `{"store_id":123,"event":"order/paid","id":1e999999999}`,
		"id object":      `{"store_id":123,"event":"order/paid","id":{}}`,
		"id true":        `{"store_id":123,"event":"order/paid","id":true}`,
		"ULID short":     `{"store_id":123,"event":"location/created","id":"01JB2Y6Q3T0M8R5V7W9X1Z2A3"}`,
		"ULID of a path": `{"store_id":123,"event":"location/created","id":"../../../../etc/passwd/../"}`,
		"ULID too large": `{"store_id":123,"event":"location/created","id":"8ZZZZZZZZZZZZZZZZZZZZZZZZZ"}`,
		"ULID number":    `{"store_id":123,"event":"location/created","id":5}`,
		"ULID missing":   `{"store_id":123,"event":"location/created"}`,
		"UUID without dashes": `{"store_id":123,"event":"order_custom_field/created",` +
			`"id":"6f1f8bd34a354d6b9b602f2a7a2f4f11"}`,
		"UUID in braces": `{"store_id":123,"event":"order_custom_field/created",` +
			`"id":"{6f1f8bd3-4a35-4d6b-9b60-2f2a7a2f4f11}"}`,
		"UUID as URN": `{"store_id":123,"event":"order_custom_field/created",` +
			`"id":"urn:uuid:6f1f8bd3-4a35-4d6b-9b60-2f2a7a2f4f11"}`,
		"label without label": `{"store_id":123,"event":"fulfillment_order/label_status_updated",` +
			`"order_id":7,"fulfillment_id":"` + aULID + `","status":"x"}`,
		"amount of many digits": `{"store_id":123,"event":"charge/paid","id":"1",` +
			`"charge":{"amount_value":1e10000}}`,
		"redact without a customer": `{"store_id":123,"event":"customers/redact","orders_to_redact":[1]}`,
		"redact of an order text": `{"store_id":123,"event":"customers/redact","customer":{"id":1},` +
			`"orders_to_redact":["x"]}`,
		"request without an id":  `{"store_id":123,"event":"customers/data_request","customer":{"id":1}}`,
		"customer without an id": `{"store_id":123,"event":"customer/created","event_launch_ts":1744136380}`,
		"customer with an id of text": `{"store_id":123,"event":"customer/created","id":"x",` +
			`"event_launch_ts":1744136380}`,
		"service that is a word": `{"store_id":123,"event":"subscription/updated","concept_code":"plan",` +
			`"service_id":"x"}`,
		"concept that is a number": `{"store_id":123,"event":"subscription/updated","concept_code":5,"service_id":7}`,
	}
	for i := range len(paidBody) {
		malformed["cut at "+paidBody[:i]] = paidBody[:i]
	}
	for name, body := range malformed {
		t.Run(name, func(t *testing.T) {
			p := newProbe(t, nil)
			if w := send(p, signed(body)); w.Code != http.StatusOK {
				t.Errorf("got status %d, want 200", w.Code)
			}
			if len(p.calls) != 0 || len(p.kept) != 1 || !errors.Is(p.kept[0].Payload.Reason, ErrMalformed) ||
				string(p.kept[0].Raw) != body {
				t.Errorf("got %d calls, %d kept; want the body kept as malformed", len(p.calls), len(p.kept))
			}
		})
	}
	for name, body := range map[string]string{
		"depth 64":        nested(63),
		"unknown members": head + `,"x":{"a":null},"y":[1.5e300],"z":"\u0000"}`,
		"white space":     "\n\t " + paidBody + "\r\n",
	} {
		p := newProbe(t, nil)
		if w := send(p, signed(body)); w.Code != http.StatusOK || len(p.calls) != 1 {
			t.Errorf("%s: got status %d, %d calls, kept %v; want a call", name, w.Code, len(p.calls), p.kept)
		}
	}
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"m`)
		b.WriteString(client.ID(i).String())
		b.WriteString(`":0`)
	}
	return b.String()
}
