package document

import "github.com/commerceplatform/commerce-go/internal/refserver/world"

// Schemas of simple values.
func text() schema      { return schema{"type": "string"} }
func filled() schema    { return schema{"type": "string", "minLength": 1} }
func boolean() schema   { return schema{"type": "boolean"} }
func integer() schema   { return schema{"type": "integer"} }
func anything() schema  { return schema{"description": "Any JSON value."} }
func anyObject() schema { return schema{"type": "object"} }

func list(items schema) schema         { return schema{"type": "array", "items": items} }
func some(items schema) schema         { return schema{"type": "array", "items": items, "minItems": 1} }
func constant(value string) schema     { return schema{"const": value} }
func oneOf(all ...schema) schema       { return schema{"oneOf": all} }
func pattern(expression string) schema { return schema{"type": "string", "pattern": expression} }

func enum(values ...any) schema { return schema{"type": "string", "enum": values} }

// commands is the answer to a cart. Members without a schema are refused, because their meaning would be lost.
func commands() schema {
	amount := schema{
		"type": "string", "pattern": `^(0|[1-9][0-9]{0,14})\.[0-9]{2}$`,
		"description": "Two decimals and a point. A percentage is at most 100.00.",
	}
	discount := members("type", enum("fixed", "percentage"), "amount", amount).closed()
	texts := schema{
		"type": "object", "additionalProperties": filled(),
		"propertyNames": schema{"pattern": `^[a-z]{2,3}(-[a-z]{2})?$`}, "description": "Texts by language id, such as es-ar.",
	}
	create := func(name string, about schema) schema {
		specs := members("promotion_id", filled(), "currency", pattern("^[A-Z]{3}$"), "display_text?", texts, name, about)
		return members("command", constant("create_or_update_discount"), "specs", specs.closed()).closed()
	}
	item := schema{"type": "string", "pattern": "^[0-9]+$", "description": "The id of a line item, as text."}
	remove := func(specs schema) schema {
		return members("command", constant("remove_discount"), "specs", specs.closed()).closed()
	}
	return members("commands", list(oneOf(
		create("discount_specs", discount),
		create("line_items", some(members("line_item", item, "discount_specs", discount).closed())),
		remove(members("scope", constant("cart"), "promotion_ids", some(filled()))),
		remove(members("scope", constant("line_item"), "promotion_id", filled(), "line_items", some(item))),
	))).closed()
}

// ratesAnswer is what a carrier offers. A rate with a fault is not shown; the others are.
func ratesAnswer() schema {
	price := schema{"type": "number", "minimum": 0, "maximum": 1_000_000_000_000}
	optional := func(s schema) schema { return s.nullable() }
	date := func() schema {
		return optional(schema{"type": "string", "description": "ISO 8601, such as 2025-01-02T15:04:05-0300."})
	}
	address := object()
	for _, name := range []string{
		"address", "number", "floor", "locality", "city", "province", "country", "phone", "zipcode", "latitude", "longitude",
	} {
		address.set(name, optional(text()), false)
	}
	clock := pattern("^([01][0-9]|2[0-3])[0-5][0-9]$")
	hours := some(members("day", schema{"type": "integer", "minimum": 0, "maximum": 6}, "start", clock, "end", clock))
	rate := members(
		"code", filled(), "name", filled(), "price", price, "currency", pattern("^[A-Z]{3}$"),
		"type", enum(world.Ship, world.Pickup), "price_merchant?", optional(schema{"type": "number", "minimum": 0}),
		"min_delivery_date?", date(), "max_delivery_date?", date(), "id_required?", optional(boolean()),
		"phone_required?", optional(boolean()), "accepts_cod?", optional(boolean()), "reference?", optional(text()),
		"availability?", optional(boolean()), "address?", optional(address), "hours?", schema{
			"anyOf": []schema{hours, {"type": "null"}}, "description": "Day 0 is Sunday. Times are HHMM.",
		},
	)
	rate["if"] = schema{"properties": map[string]schema{"type": constant(world.Pickup)}}
	rate["then"] = schema{"properties": map[string]schema{"address": anyObject(), "hours": hours}, "required": []string{"address", "hours"}}
	return members("rates", list(rate))
}

// reason is why a carrier refuses a label.
func reason(codes ...any) schema {
	code := text()
	if len(codes) > 0 {
		code = enum(codes...)
	}
	return schema{"anyOf": []schema{text(), members("code?", code, "type?", code, "message?", text())}}
}

func labelStatus() schema { return enum("OK", "FAILED") }

// generated is the answer 207 to a request for labels.
func generated() schema {
	return list(members("id", text(), "status", labelStatus(), "reason?", reason()))
}

// undone is the answer 207 to the other calls about labels.
func undone(codes ...any) schema {
	return members("labels", list(members(
		"label_id", text(), "fulfillment_order_id?", text(), "status", labelStatus(), "reason?", reason(codes...),
	)))
}

// rule is the answer to a question about a purchase. An empty object is no rule.
func rule(command string, detail schema) schema {
	none := schema{"type": "object", "maxProperties": 0}
	return oneOf(none, members("command", constant(command), "detail", detail))
}

// option names a way to pay or of delivery, by the ids that the platform shows.
func option(more ...any) schema {
	return members(append([]any{"id", text(), "option_id", text()}, more...)...)
}
