package document

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// openapi is the document of the API.
func openapi(src *source, used map[string]bool) (map[string]any, error) {
	seen, err := ReadObserved(src.root)
	if err != nil {
		return nil, err
	}
	schemas := map[string]schema{"Error": refusal()}
	answers, err := src.answers(seen, schemas)
	if err != nil {
		return nil, err
	}
	if err := src.examples(schemas); err != nil {
		return nil, err
	}
	paths, at := map[string]any{}, shapes()
	for _, op := range res.Ops() {
		template, method := at[shape(op)], strings.ToLower(op.Method)
		operation := describe(op, template)
		if answer := answers[op.ID]; answer != nil && op.Status() != 204 {
			operation.answer(op, content(answer, "", nil))
		}
		if op.Writes() && !op.NoBody {
			operation.request(op, seen[op.ID], schemas)
		}
		if paths[template] == nil {
			paths[template] = map[string]any{}
		}
		item := paths[template].(map[string]any)
		if other, taken := item[method].(map[string]any); taken {
			described(other).with(op, operation)
			continue
		}
		item[method] = map[string]any(operation)
	}
	echoed(schemas)
	if rows := lacking(schemas); rows != nil {
		return nil, fmt.Errorf("required: the server accepts requests without %s", strings.Join(rows, ", "))
	}
	words(schemas, used)
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "API of the platform", "version": Version,
			"description": "The API in its three versions. The host of servers is a placeholder, because the platform gives each " +
				"partner its addresses. Members of answers that are not listed may be added. Members of requests that are not " +
				"listed are ignored, and some are required in some requests only, as x-texts says. x-extensible-enum has the known " +
				"words of a member, enum the only ones. " +
				"x-provenance says how well an operation is known.",
		},
		"servers":    []any{map[string]any{"url": "https://api.example.com"}},
		"security":   []any{map[string]any{"token": []string{}}},
		"paths":      paths,
		"components": map[string]any{"schemas": schemas, "responses": commonAnswers(), "securitySchemes": securitySchemes()},
		"x-limits":   numbers(),
	}, nil
}

// answers are the schemas of the answers of operations. It adds the records to schemas.
func (s *source) answers(seen Observed, schemas map[string]schema) (map[string]any, error) {
	shown, err := s.answerTypes()
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for _, op := range res.Ops() {
		r, known := shown[op.ID]
		if resource, isList := strings.CutSuffix(op.ID, ".list"); isList && !known { // of a handler of its own
			r, known = shown[resource+".get"]
		}
		forms := cmp.Or(seen[op.ID], &Forms{})
		if !known || op.Paging.Envelope != nil {
			if len(forms.Answer) > 0 {
				schemas[op.ID+".answer"], out[op.ID] = forms.Answer, ref("schemas", op.ID+".answer")
			}
			continue
		}
		name := strings.TrimSuffix(r.kind, "JSON")
		if schemas[name] == nil {
			if schemas[name], err = s.of("res." + r.kind); err != nil {
				return nil, err
			}
		}
		record, of := forms.Answer, any(ref("schemas", name))
		if r.isList || slices.Equal(forms.Answer.types(), []string{"array"}) {
			record, _ = forms.Answer["items"].(schema)
			of = map[string]any{"type": "array", "items": of}
		}
		schemas[name].merge(record)
		out[op.ID] = of
	}
	return out, nil
}

// echoed gives what the server keeps and answers as it was written the form of the request.
func echoed(schemas map[string]schema) {
	in := schemas["transactions.create.request"]
	shown, event := schemas["transaction"], in.member("first_event")
	for _, one := range []struct{ to, as schema }{{shown, in}, {shown.member("events").item(), event}, {schemas["transactionEvent"], event}} {
		info := one.as.member("info").deep()
		info.walk("", func(_ string, of schema) { delete(of, "required") })
		one.to.set("info", info.nullable(), true)
	}
}

// described is an operation of the document.
type described map[string]any

// request adds the body of a request, whose schema is added to schemas.
func (d described) request(op api.Op, forms *Forms, schemas map[string]schema) {
	of := content(anyObject(), "", nil)
	switch {
	case op.ContentType != "":
		of = map[string]any{op.ContentType: of["application/json"]}
	case forms != nil && len(forms.Request) > 0:
		schemas[op.ID+".request"] = request(op, forms.Request)
		of = content(ref("schemas", op.ID+".request"), "", nil)
	}
	d["requestBody"] = map[string]any{"content": of}
}

// variable matches a part of a path that differs between calls.
var variable = regexp.MustCompile(`\{([^}]*)\}`)

// shape is the path of an operation without the names of its variables.
func shape(op api.Op) string { return variable.ReplaceAllString(path(op), "{}") }

// shapes are the paths of the document by shape. A document has one for each, so rows of a shape share the path of the
// row whose last variable takes digits only.
func shapes() map[string]string {
	out := map[string]string{}
	for _, op := range res.Ops() {
		if out[shape(op)] == "" || op.Digits {
			out[shape(op)] = path(op)
		}
	}
	return out
}

// with makes one operation of two rows of one shape and method: the other one is for digits in the last variable.
func (d described) with(digits api.Op, other described) {
	schemaOf := func(d described) any {
		good := d["responses"].(map[string]any)["200"].(map[string]any)
		return good["content"].(map[string]any)["application/json"].(map[string]any)["schema"]
	}
	both := []any{schemaOf(d), schemaOf(other)}
	d["x-digits"] = digits.ID
	d["responses"].(map[string]any)["200"].(map[string]any)["content"] = content(map[string]any{"anyOf": both}, "", nil)
}

// path is that of an operation with the version and the store.
func path(op api.Op) string {
	if op.Secret {
		return strings.TrimPrefix(op.Path, "{base_url}")
	}
	return "/{version}/{store_id}" + op.Path
}

// describe has everything of an operation but its bodies.
func describe(op api.Op, template string) described {
	resource, _, _ := strings.Cut(op.ID, ".")
	out := described{
		"operationId": op.ID, "tags": []string{resource}, "x-scopes": names(op.Scopes), "x-versions": op.AllVersions(),
		"x-emits": names(op.Emits), "x-provenance": op.Origin(),
	}
	for name, value := range map[string]string{
		"x-scope-note": op.ScopeNote, "x-feature": op.Feature, "x-store-feature": op.StoreFeature,
	} {
		if value != "" {
			out[name] = value
		}
	}
	if op.Secret {
		out["security"] = []any{map[string]any{"secret": []string{}}}
	}
	var parameters []any
	for _, name := range variable.FindAllStringSubmatch(template, -1) {
		of := text()
		if name[1] == "version" {
			of["enum"] = op.AllVersions()
		}
		parameters = append(parameters, map[string]any{"name": name[1], "in": "path", "required": true, "schema": of})
	}
	query := func(name string, of schema) {
		parameters = append(parameters, map[string]any{"name": name, "in": "query", "schema": of})
	}
	for _, name := range op.Query {
		query(name, text())
	}
	if op.Method == "GET" {
		query("fields", text())
	}
	if isList(op) && !op.Paging.Whole {
		limits := world.Contract()
		query("page", schema{"type": "integer", "minimum": 1, "default": 1})
		if !op.Paging.Fixed {
			query("per_page", schema{"type": "integer", "minimum": 1, "maximum": cmp.Or(op.Paging.Max, limits.MaxPageSize),
				"default": cmp.Or(op.Paging.Default, limits.PageSize)})
		}
	}
	out["parameters"] = parameters
	out["responses"] = refusals(op)
	return out
}

// names is a list that is written as [] if it is empty.
func names(all []string) []string { return append([]string{}, all...) }

// isList reports whether an operation answers a page of a list.
func isList(op api.Op) bool {
	return op.Method == "GET" && (strings.HasSuffix(op.ID, ".list") || op.Paging.Envelope != nil)
}

// answer adds the body of a good answer.
func (d described) answer(op api.Op, of map[string]any) {
	good := d["responses"].(map[string]any)[fmt.Sprint(op.Status())].(map[string]any)
	good["content"] = of
	if isList(op) && !op.Paging.Whole {
		good["headers"] = map[string]any{
			"X-Total-Count": map[string]any{"schema": integer()}, "Link": map[string]any{"schema": text()},
		}
	}
}

// refusals are the answers of an operation, each status with the texts of its refusals.
func refusals(op api.Op) map[string]any {
	out := map[string]any{fmt.Sprint(op.Status()): map[string]any{"description": "Success."}}
	texts := map[int][]string{}
	for _, e := range op.Errors {
		texts[e.Status] = append(texts[e.Status], e.Text)
	}
	if isList(op) && !op.Paging.EmptyOK {
		texts[404] = append(texts[404], "Last page is N")
	}
	for status, all := range texts {
		slices.Sort(all)
		all = slices.Compact(all)
		out[fmt.Sprint(status)] = map[string]any{
			"description": "Refused, with one of x-texts.", "x-texts": all,
			"content": content(ref("schemas", "Error"), "", nil),
		}
	}
	for status := range commonAnswers() {
		if out[status] == nil {
			out[status] = ref("responses", status)
		}
	}
	return out
}

// refusal is the body of a refusal in any of the shapes of the API.
func refusal() schema {
	shape := func(pairs ...any) schema { return members(pairs...) }
	texts := func() schema { return schema{"type": []string{"array", "string", "null"}, "items": text()} }
	return schema{"anyOf": []schema{
		shape("code", integer(), "message", text(), "description?", texts()),
		shape("error", schema{"type": []string{"object", "string"}}),
		shape("description", texts(), "message?", text(), "messages?", anyObject()),
		{"type": "object", "additionalProperties": list(text()), "description": "Messages by field."},
	}}
}

// commonAnswers are the refusals of every operation.
func commonAnswers() map[string]any {
	out := map[string]any{}
	for status, does := range map[string]string{
		"400": "The request has no User-Agent, its JSON is malformed, or its query cannot be read.",
		"401": "The access token is missing or invalid.", "402": "The store is suspended.",
		"403": "The token lacks the scope.", "415": "The content type is not that of the operation.",
		"429": "The bucket of the app in the store is full. x-rate-limit-reset has milliseconds.",
	} {
		out[status] = map[string]any{"description": does, "content": content(ref("schemas", "Error"), "", nil)}
	}
	return out
}

func securitySchemes() map[string]any {
	return map[string]any{
		"token":  map[string]any{"type": "http", "scheme": "bearer", "description": "The access token of the app in the store."},
		"secret": map[string]any{"type": "http", "scheme": "bearer", "description": "The client secret of the app."},
	}
}

// numbers are limits of the API that are not part of an operation.
func numbers() map[string]int {
	l := world.Contract()
	return map[string]int{
		"products": l.Products, "categories": l.Categories, "images_of_a_product": l.Images, "variants_of_a_product": l.Variants,
		"attributes_of_a_product": l.Attributes, "image_bytes": l.ImageBytes, "orders_of_a_query": l.OrdersPerQuery,
		"tracking_events_of_a_fulfillment_order": l.TrackingEvents, "disputes_of_a_transaction": l.Disputes,
		"variants_of_a_stock_price_request": l.StockPriceBatch, "customers_of_a_price_table_request": l.TableCustomers,
	}
}
