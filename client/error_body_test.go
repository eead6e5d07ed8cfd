package client_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// TestErrorBodiesLoseNoMessage: the shapes of the platform, and what gateways and newer services make of them.
func TestErrorBodiesLoseNoMessage(t *testing.T) {
	type said struct {
		code, message, description, fields string
	}
	for _, test := range []struct {
		status int
		body   string
		want   said
	}{
		// The code as a number or a text, and numbers for texts.
		{404, `{"code":"404","message":"Not Found","description":"no such product"}`, said{"404", "Not Found", "no such product", "map[]"}},
		{422, `{"code":4.22e2,"message":17,"description":-1}`, said{"422", "17", "-1", "map[]"}},
		{404, `{"code":"404.0","message":"Not Found"}`, said{"404", "Not Found", "", "map[]"}},
		{403, `{"error":{"status":403,"code":1203,"detail":"no scope"}}`, said{"1203", "1203", "no scope", "map[]"}},
		{403, `{"error":{"status":"403","detail":["a","b"],"message":"Forbidden for you"}}`, said{"403", "Forbidden for you", "a; b", "map[]"}},
		// Fields: a text for a list, numbers among texts, fields within fields.
		{422, `{"name":"can't be blank","sku":["is taken",255,null,true]}`, said{"", "", "", "map[name:[can't be blank] sku:[is taken 255]]"}},
		{422, `{"code":422,"message":"Unprocessable Entity","description":"Validation error","price":"too low"}`, said{"422", "Unprocessable Entity", "Validation error", "map[price:[too low]]"}},
		{404, `{"code":404,"message":"Not Found","request":"abc","retry":false,"duplicate_ids":[1,2]}`, said{"404", "Not Found", "", "map[]"}},
		{422, `{"variants":[{"sku":["is taken"]},{},{"price":"too low","values":[["no",["never"]]]}]}`, said{"", "", "", "map[variants[0].sku:[is taken] variants[2].price:[too low] variants[2].values:[no never]]"}},
		{422, `{"variants":{"0":{"sku":["is taken"]}}}`, said{"", "", "", "map[variants.0.sku:[is taken]]"}},
		{422, `{"description":"bad","messages":{"shipping":{"carrier":["is unknown"],"days":[3,"or more"]},"/a/b":"no","c":5}}`, said{"", "", "bad", "map[/a/b:[no] c:[5] shipping.carrier:[is unknown] shipping.days:[3 or more]]"}},
		{500, `{"messages":["one","two"]}`, said{"", "", "", "map[messages:[one two]]"}},
		{500, `{"messages":"one"}`, said{"", "", "", "map[messages:[one]]"}},
		{500, `{"message":{"name":["is blank"]}}`, said{"", "", "", "map[name:[is blank]]"}},
		// The member errors.
		{400, `{"errors":["one","two"]}`, said{"", "", "", "map[errors:[one two]]"}},
		{400, `{"errors":"one"}`, said{"", "", "", "map[errors:[one]]"}},
		{400, `{"errors":{"name":["is blank","is short"],"sku":"is taken"}}`, said{"", "", "", "map[name:[is blank is short] sku:[is taken]]"}},
		{400, `{"errors":[{"field":"name","message":"is blank"},{"field":"name","message":"is short"},{"message":"and more"}]}`, said{"", "", "", "map[errors:[and more] name:[is blank is short]]"}},
		{400, `{"errors":[{"code":"blank","attribute":"sku"}]}`, said{"", "", "", "map[errors[0].attribute:[sku] errors[0].code:[blank]]"}},
		{422, `{"errors":[{"status":"422","source":{"pointer":"/data/name"},"title":"Invalid","detail":"is blank"}]}`, said{"", "", "", "map[/data/name:[Invalid is blank]]"}},
		{422, `{"detail":[{"loc":["body","items",0,"name"],"msg":"field required","type":"missing"}]}`, said{"", "", "", "map[body.items.0.name:[field required]]"}},
		{422, `{"errors":[{"field":"name","messages":["a","b"]},{"path":"x","errors":{"y":["c"]}}]}`, said{"", "", "", "map[name:[a b] x.y:[c]]"}},
		{422, `{"error":{"code":"Invalid","errors":[{"field":"name","message":"is blank"}]}}`, said{"Invalid", "Invalid", "", "map[name:[is blank]]"}},
		// The member error.
		{400, `{"error":["one","two"]}`, said{"", "", "", "map[error:[one two]]"}},
		{400, `{"error":"invalid_grant","error_description":"the code was used"}`, said{"invalid_grant", "the code was used", "", "map[]"}},
		{400, `{"code":7,"error":"the name is taken","message":"Bad Request"}`, said{"7", "Bad Request", "the name is taken", "map[]"}},
		{400, `{"timestamp":1,"status":400,"error":"Bad Request","message":"the name is taken"}`, said{"400", "the name is taken", "", "map[]"}},
		{409, `{"type":"about:blank","title":"Conflict of names","status":409,"detail":"the name is taken"}`, said{"409", "Conflict of names", "the name is taken", "map[]"}},
		{500, `{"msg":"down"}`, said{"", "down", "", "map[]"}},
		{500, `{"message":"down","reason":"maintenance"}`, said{"", "down", "maintenance", "map[]"}},
		// No object.
		{400, `["one",{"field":"name","message":"is blank"}]`, said{"", "", "", "map[errors:[one] name:[is blank]]"}},
		{400, `"one"`, said{"", "", "one", "map[]"}},
		{400, `7`, said{"", "", "7", "map[]"}},
		{400, `true`, said{"", "", "true", "map[]"}},
		{400, `[1,2]`, said{"", "", "", "map[errors:[1 2]]"}},
		{400, `[[]]`, said{"", "", "[[]]", "map[]"}},
		{400, `null`, said{"", "", "", "map[]"}},
		{400, `{}`, said{"", "", "", "map[]"}},
		// Names that differ in what is not visible only.
		{422, "{\"na\u200bme\":[\"one\"],\"name\":[\"two\"]}", said{"", "", "", "map[name:[two one]]"}},
		{422, `{"name":["\u200b"]}`, said{"", "", "", "map[]"}},
	} {
		_, err := v202503.Products(typed(t, test.status, test.body, "Content-Type", "application/json")).Get(t.Context(), 7)
		e, ok := errors.AsType[*client.Error](err)
		if !ok {
			t.Fatalf("%s: %v", test.body, err)
		}
		if got := (said{e.Code, e.Message, e.Description, fmt.Sprint(e.Fields)}); got != test.want || string(e.Body) != test.body {
			t.Errorf("%s: got %+v, want %+v", test.body, got, test.want)
		}
	}
}
