package res

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// fieldOwner is a type of entity that has custom fields.
type fieldOwner struct {
	// resource is its name in owner_resource, list that of the array of owners.
	resource, list string
	// id begins the ids of the operations, path their paths.
	id, path, scope string
	// unknown is the text for an entity that does not exist, empty for null.
	unknown string
	// exists reports whether the store has the entity.
	exists func(tx *world.Tx, id int64) bool
	// overwrites is set if the values that are sent become the entity's only ones; otherwise the other values stay.
	overwrites bool
	// notifies is set if there are events.
	notifies bool
	// limited is set if the lengths of texts are.
	limited bool
}

// fieldOwners are the five types in the order of the contract.
func fieldOwners() []fieldOwner {
	return []fieldOwner{
		{resource: "product", list: "products", id: "productCustomFields", path: "/products", scope: "products",
			unknown: noSuchProduct, overwrites: true, limited: true,
			exists: func(tx *world.Tx, id int64) bool { return tx.Products.Has(id) }},
		{resource: "product_variant", list: "product-variants", id: "variantCustomFields", path: "/products/variants", scope: "products",
			overwrites: true, notifies: true,
			exists: func(tx *world.Tx, id int64) bool { return tx.Variants.Has(id) }},
		{resource: "customer", list: "customers", id: "customerCustomFields", path: "/customers", scope: "customers",
			overwrites: true,
			exists:     func(tx *world.Tx, id int64) bool { return tx.Customers.Has(id) }},
		{resource: "category", list: "categories", id: "categoryCustomFields", path: "/categories", scope: "products",
			unknown: noSuchCategory,
			exists:  func(tx *world.Tx, id int64) bool { return tx.Categories.Has(id) }},
		{resource: "order", list: "orders", id: "orderCustomFields", path: "/orders", scope: "orders",
			overwrites: true, notifies: true,
			exists: func(tx *world.Tx, id int64) bool { return tx.Orders.Has(id) }},
	}
}

// missing is the text of the 404 as the table of errors has it.
func (o fieldOwner) missing() string {
	if o.unknown == "" {
		return "null"
	}
	return o.unknown
}

// The types of values that have a form.
const (
	textList = "text_list"
	numeric  = "numeric"
	date     = "date"
)

// Texts about values; all are assumed.
const (
	notADate     = "The value is not a valid date."
	valueMissing = "The value field must be present."
)

func (o fieldOwner) valueErrors() []api.ErrCase {
	return []api.ErrCase{
		{Status: 404, Text: o.missing()},
		{Status: 400, Text: "Invalid input format"},
		{Status: 422, Text: "id: " + body.NotSelectable("id")},
		{Status: 422, Text: "value: " + body.NotSelectable("value")},
		{Status: 422, Text: "value: " + body.NotNumber("value")},
		{Status: 422, Text: "value: " + notADate},
		{Status: 422, Text: "value: " + body.IsInvalid},
		{Status: 422, Text: "value: " + valueMissing},
	}
}

// fieldValue is a field with the value that one entity has for it.
type fieldValue struct {
	field world.CustomField
	value string
}

type fieldValueJSON struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	OwnerResource string  `json:"owner_resource"`
	ValueType     string  `json:"value_type"`
	Source        string  `json:"source"`
	Description   *string `json:"description"`
	ReadOnly      bool    `json:"read_only"`
	Value         string  `json:"value"`
}

func showFieldValue(_ *world.Tx, _ *api.In, v fieldValue) any {
	return fieldValueJSON{
		ID:            v.field.ID,
		Name:          v.field.Name,
		OwnerResource: v.field.Owner,
		ValueType:     v.field.ValueType,
		Source:        sourceOf(v.field),
		Description:   api.TextOrNil(v.field.Description),
		ReadOnly:      v.field.ReadOnly,
		Value:         v.value,
	}
}

func (o fieldOwner) findValues(tx *world.Tx, in *api.In) ([]fieldValue, error) {
	if !o.exists(tx, in.ID("id")) {
		return nil, api.NotFound(o.unknown)
	}
	return fieldValuesOf(tx, o.resource, in.ID("id")), nil
}

// fieldValuesOf are the values of an entity, those of the oldest fields first.
func fieldValuesOf(tx *world.Tx, resource string, id int64) []fieldValue {
	var out []fieldValue
	for _, v := range tx.CustomFieldValues.Where("owner", world.OwnedBy(resource, id)) {
		f, _ := tx.CustomFields.Get(v.Field)
		out = append(out, fieldValue{field: f, value: v.Value})
	}
	sortBy(out, "ascending", func(a, b fieldValue) int { return a.field.CreatedAt.Compare(b.field.CreatedAt) })
	return out
}

// valueIn is one element of the body: a field and the value for it, which null
// takes away.
type valueIn struct {
	ID    body.Scalar             `json:"id"`
	Value body.Opt[body.Verbatim] `json:"value"`
}

// setValues sends an event for the entity if any of its values changed.
func (o fieldOwner) setValues(tx *world.Tx, in *api.In) (any, error) {
	id := in.ID("id")
	if !o.exists(tx, id) {
		return nil, api.NotFound(o.unknown)
	}
	var list []valueIn
	if err := body.DecodeArray(in, &list); err != nil {
		return nil, err
	}
	wrong := &body.Problems{}
	before := map[string]string{}
	after := map[string]string{}
	for _, v := range tx.CustomFieldValues.Where("owner", world.OwnedBy(o.resource, id)) {
		before[v.Field] = v.Value
		if !o.overwrites {
			after[v.Field] = v.Value
		}
	}
	for _, v := range list {
		f, ok := o.field(tx, v.ID.Text)
		switch {
		case !ok:
			wrong.Add("id", body.NotSelectable("id"))
		case !v.Value.Present:
			wrong.Add("value", valueMissing)
		case v.Value.Null:
			delete(after, f.ID)
		default:
			checkValue(wrong, f, string(v.Value.Value))
			after[f.ID] = string(v.Value.Value)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	if same(before, after) {
		return nil, nil
	}
	for field := range before {
		tx.CustomFieldValues.Delete(world.CustomFieldValue{Field: field, OwnerID: id}.Key())
	}
	for field, value := range after {
		v := world.CustomFieldValue{Field: field, Owner: o.resource, OwnerID: id, Value: value}
		if err := tx.CustomFieldValues.Put(v.Key(), v); err != nil {
			return nil, err
		}
	}
	if o.notifies {
		tx.Emit(o.resource+"/custom_fields_updated", ids(id))
	}
	return nil, nil
}

// checkValue requires a value that its field allows.
func checkValue(wrong *body.Problems, f world.CustomField, value string) {
	switch f.ValueType {
	case textList:
		wrong.Choice("value", value, f.Values)
	case numeric:
		if _, ok := (body.Scalar{Text: value}).Decimal(); !ok {
			wrong.Add("value", body.NotNumber("value"))
		}
	case date:
		if _, err := api.ParseTime(value); err != nil {
			wrong.Add("value", notADate)
		}
	}
}

// fieldOwnersJSON is a field with everything that has a value for it.
type fieldOwnersJSON struct {
	customFieldJSON
	list   string
	owners []ownerJSON
}

type ownerJSON struct {
	ID    int64  `json:"id"`
	Value string `json:"value"`
}

// MarshalJSON writes the owners as a member named after their type.
func (j fieldOwnersJSON) MarshalJSON() ([]byte, error) {
	field, err := api.Encode(j.customFieldJSON)
	if err != nil {
		return nil, err
	}
	owners, err := api.Encode(map[string]any{j.list: j.owners})
	if err != nil {
		return nil, err
	}
	return slices.Concat(field[:len(field)-1], []byte{','}, owners[1:]), nil
}

// owners answers a field with every entity that has a value for it.
func (o fieldOwner) owners(tx *world.Tx, in *api.In) (any, error) {
	f, ok := o.field(tx, in.Var("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	out := fieldOwnersJSON{customFieldJSON: customFieldOnWire(f, existing(f.Values)), list: o.list, owners: []ownerJSON{}}
	out.fieldDetails = detailsOf(f)
	for _, v := range tx.CustomFieldValues.Where("field", f.ID) {
		if o.exists(tx, v.OwnerID) {
			out.owners = append(out.owners, ownerJSON{ID: v.OwnerID, Value: v.Value})
		}
	}
	return out, nil
}
