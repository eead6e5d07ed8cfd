package client

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

type wireOption = wire.Option

// Drift is a difference between a response and the contract that was tolerated.
type Drift struct {
	// Path is the JSON pointer of the member, such as "/3/variants/0/price", or the name of a header, such as "Date".
	// Invisible characters are removed from Path and Got.
	Path string
	// Want describes the value that the contract requires. Got is the received value: JSON that is cut to a short
	// length, or the value of an enumeration.
	Want, Got string
}

// watchers returns the options that report tolerated values in a response of the type out.
func (c *Config) watchers() func(ctx context.Context, out reflect.Type) []wireOption {
	report := c.OnDrift
	if report == nil {
		return func(context.Context, reflect.Type) []wireOption { return nil }
	}
	return func(ctx context.Context, out reflect.Type) []wireOption {
		return []wireOption{wire.Watching(func(pointer, form string, raw []byte) {
			if !isOpen(out, pointer) {
				report(ctx, Drift{Path: wire.Line(pointer, wire.MaxText), Want: form, Got: cut(string(raw))})
			}
		}, append(value.Watches(), wire.Watched[MoneyNumber]("an amount of six decimals at most", isWhole))...)}
	}
}

// open lists the members that the contract itself shows in another form than the type of their field. A name is that of
// the member. Before it can be the member or the type that contains it.
var open = map[string]bool{
	"seo_title": true, "seo_description": true, "alt": true, "assigned_location/name": true, // texts as one string or an empty list
	"cost": true, "min_price": true, "Coupon/value": true, // amounts as numbers
	"store_id": true, "Dispute/app_id": true, "Dispute/order_id": true, "InventoryLevel/id": true, "inventory_levels/id": true, // integers as strings
	"variant_id": true, "number": true, "quantity": true, // integers as numbers and as strings
}

// isOpen reports whether the contract shows the member at the pointer in several forms. The response has the type out.
func isOpen(out reflect.Type, pointer string) bool {
	for out.Kind() == reflect.Pointer || out.Kind() == reflect.Slice {
		out = out.Elem()
	}
	in, name := out.Name(), ""
	for step := range strings.SplitSeq(pointer, "/") {
		switch _, err := strconv.Atoi(step); {
		case err == nil || step == "":
		case name == "":
			name = step
		default:
			in, name = name, step
		}
	}
	return open[name] || open[in+"/"+name]
}

// reportUnknown calls OnDrift for members without a field and for enumeration values that this version does not know.
func (c *codec) reportUnknown(ctx context.Context, v any) {
	if c.config.OnDrift != nil {
		walk(reflect.ValueOf(v), "", func(d Drift) { c.config.OnDrift(ctx, d) })
	}
}

// enumeration is implemented by the typed strings of records.
type enumeration interface{ Known() bool }

// shaped is implemented by types that read and write themselves and contain members. onWire returns a value with the
// members of the JSON.
type shaped interface{ onWire() any }

func (l Nullable[T]) onWire() any    { return l.V }
func (a Amount) onWire() any         { return amount{MoneyNumber{a.Value}, a.Currency, a.Extra} }
func (r FulfillmentRef) onWire() any { return r.Order }

func (o CustomFieldOwners) onWire() any {
	return struct {
		CustomField
		Owners map[string][]CustomFieldOwner `json:",embed"`
	}{o.CustomField, map[string][]CustomFieldOwner{o.OwnerResource.member(): o.Owners}}
}

func walk(v reflect.Value, path string, report func(Drift)) {
	if k := v.Kind(); (k == reflect.Slice || k == reflect.Array) && v.Type().Elem().Kind() == reflect.Uint8 {
		return // JSON as it was received, or an id
	}
	if v.CanInterface() {
		switch known := v.Interface().(type) {
		case Extra:
			for _, name := range sortedKeys(known) {
				report(Drift{Path: wire.Line(path+"/"+pointerToken(name), wire.MaxText), Want: "no such member", Got: cut(string(known[name]))})
			}
			return
		case enumeration:
			if v.Kind() == reflect.String && v.Len() > 0 && !known.Known() {
				report(Drift{Path: wire.Line(path, wire.MaxText), Want: "a known value", Got: cut(v.String())})
			}
			return
		case shaped:
			if v.Kind() != reflect.Pointer {
				v = reflect.ValueOf(known.onWire())
			}
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), path, report)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), path+"/"+strconv.Itoa(i), report)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if it.Key().Kind() == reflect.String {
				walk(it.Value(), path+"/"+pointerToken(it.Key().String()), report)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				walk(v.Field(i), path+member(f), report)
			}
		}
	}
}

// member returns the pointer step of a field; empty for embedded fields.
func member(f reflect.StructField) string {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous && name == "" || options == "embed" {
		return ""
	}
	if name == "" {
		name = f.Name
	}
	return "/" + pointerToken(name)
}

func pointerToken(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

func cut(s string) string { return wire.Line(s, 80) }
