package shipping

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// Forms in which members of some types are not read. Null is read as a missing value by all of them.
const (
	notID     = "text number array object true"
	notObject = "text number array true"
	notText   = "number array object true"
	notCode   = "array object true"
	notNumber = "text array object true"
)

// requiredOfLabels are the members that must have the form of the contract, with the forms for which a label fails.
func requiredOfLabels() map[string]string {
	all := map[string]string{
		"id": "null " + notID, "fulfillment_order_info": notObject, "fulfillment_order_info.id": notID,
		"fulfillment_order_info.total_weight": notNumber,
	}
	add := func(prefix, form string, names ...string) {
		for _, name := range names {
			all["fulfillment_order_info."+prefix+name] = form
		}
	}
	add("", notObject, "recipient", "destination", "assigned_location", "shipping", "line_items.0", "shipping.option",
		"shipping.pickup_details", "line_items.0.unit_dimension")
	add("", notID, "line_items", "line_items.0.id", "assigned_location.location_id")
	add("shipping.", notText, "type", "option.code", "option.reference")
	add("shipping.pickup_details.", notCode, "store_branch_id")
	add("shipping.pickup_details.", notID, "location_id")
	add("line_items.0.", notNumber, "quantity")
	add("line_items.0.unit_dimension.", notNumber, "weight", "width", "height", "depth")
	add("recipient.", notText, "name", "phone", "email")
	add("recipient.", notCode, "identifier")
	for _, place := range []string{"destination", "assigned_location.address", "shipping.pickup_details.address"} {
		add("", notObject, place)
		add(place+".", notText, "street", "floor", "locality", "city", "reference", "between_streets")
		add(place+".", notCode, "zipcode", "number")
		for _, named := range []string{".province", ".region", ".country"} {
			add(place, notObject, named)
			add(place+named, notText, ".name", ".code")
		}
	}
	return all
}

// A member of a label that is neither an id nor about the parcel may have any form. It is reported once, and the label
// is made. One that is required fails its label, or the request if that is its only id.
func TestLabelMembersInAnyForm(t *testing.T) {
	forms := map[string]string{"null": `null`, "text": `"Ana Gómez"`, "number": `7`, "array": `[["Ana Gómez"]]`, "object": `{"0":{"a":[]}}`, "true": `true`}
	sample, required := document(t, "label_request"), requiredOfLabels()
	good, _, _, err := readLabels(slices.Concat([]byte("["), sample, []byte("]")))
	if err != nil {
		t.Fatal(err)
	}
	paths, reported := pathsIn("", generic(t, sample)), 0
	for _, path := range slices.Sorted(maps.Keys(required)) {
		if !slices.Contains(paths, path) {
			t.Errorf("the sample has no member %s", path)
		}
	}
	for _, path := range paths {
		for form, value := range forms {
			var got []Label
			var failed []*Failure
			h := &LabelHandler{
				Access: Access{Guarded: true}, OnFailure: func(_ context.Context, f *Failure) { failed = append(failed, f) },
				Generate: func(_ context.Context, labels []Label) ([]LabelFailure, error) { got = labels; return nil, nil },
			}
			w := postTo(h, "/7/generate", slices.Concat([]byte("["), changed(t, sample, path, raw(value)), []byte("]")))
			bad, status := slices.Contains(strings.Fields(required[path]), form), 202
			if bad {
				status = map[bool]int{true: 400, false: 207}[path == "id"]
			}
			if w.Code != status || len(failed) > 1 || bad && len(failed) == 0 || (len(got) == 1) == bad {
				t.Errorf("%s = %s: got %d, %d labels, reported %v, want %d", path, value, w.Code, len(got), failed, status)
				continue
			}
			reported += len(failed)
			for _, f := range failed {
				if !errors.Is(f, ErrMalformed) || strings.Contains(f.Error(), "Ana") || !naming(f.Err, path) || len(f.Labels) != 1 && path != "id" {
					t.Errorf("%s = %s: reported %v about %v", path, value, f.Err, f.Labels)
				}
			}
			if required[path] == "" && !reflect.DeepEqual(parcel(got[0]), parcel(good[0])) {
				t.Errorf("%s = %s: got %+v", path, value, got[0])
			}
		}
	}
	t.Logf("%d members in %d forms: %d reports", len(paths), len(forms), reported)
}

// naming reports whether an error names a member or an item of it, or the member that it is in.
func naming(err error, path string) bool {
	path = strings.ReplaceAll(path, ".0", "[0]")
	text := strings.ReplaceAll(err.Error(), "[0]:", ":")
	for path = strings.TrimSuffix(path, "[0]"); !strings.Contains(text, " "+path+":"); path = path[:strings.LastIndexAny(path, ".[")] {
		if !strings.ContainsAny(path, ".[") {
			return false
		}
	}
	return true
}

// parcel is what is required of a label.
func parcel(l Label) []any {
	f := l.FulfillmentOrder
	all := []any{l.ID, f.ID, f.TotalWeight, f.Recipient, f.Destination, f.Shipping.Type, f.Shipping.Option.Code, f.AssignedLocation.Address}
	for _, line := range f.LineItems {
		all = append(all, line.ID, line.Quantity, line.UnitDimension)
	}
	return all
}

// pathsIn returns the paths to all members of a document.
func pathsIn(path string, v any) (all []string) {
	if path != "" {
		all = append(all, path)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, pathsIn(strings.TrimPrefix(path+"."+name, "."), v[name])...)
		}
	case []any:
		if len(v) > 0 {
			all = append(all, pathsIn(path+".0", v[0])...)
		}
	}
	return all
}

// The items of a list that cannot be read are left out, and members of several labels are in one report.
func TestManyMembersOfLabels(t *testing.T) {
	one := changed(t, document(t, "label_request"), "fulfillment_order_info.discounts", raw(`[7,{"type":"PROMOTION"},"x"]`))
	one = changed(t, one, "status", raw(`{}`))
	body := slices.Concat([]byte("["), one, []byte(","), changed(t, one, "id", secondLabel), []byte("]"))
	labels, failed, ignored, err := readLabels(body)
	const wrong = ": malformed call: members on which no answer depends could not be read: "
	if err != nil || len(failed) > 0 || len(labels) != 2 || len(labels[0].FulfillmentOrder.Discounts) != 1 ||
		labels[0].FulfillmentOrder.Discounts[0].Type != client.FulfillmentDiscountPromotion || labels[0].Status != "" {
		t.Fatalf("got %+v, %v, %v", labels, failed, err)
	}
	const each = "fulfillment_order_info.discounts[0]: a number: must be an object; fulfillment_order_info.discounts[2]: a string of 1 bytes: must be an object; status: an object: must be a string"
	if want := fmt.Sprint("label 0", wrong, each, "\nlabel 1", wrong, each); ignored == nil || ignored.Error() != want {
		t.Errorf("got  %v\nwant %s", ignored, want)
	}
}
