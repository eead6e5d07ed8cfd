package res

import (
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// customFieldOps are the operations of the custom fields of one type of owner. Every type
// has the same.
func customFieldOps(o fieldOwner) []api.Op {
	read, write := []string{"read_" + o.scope}, []string{"write_" + o.scope}
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	emits := func(event string) []string {
		if o.notifies {
			return []string{o.resource + event}
		}
		return nil
	}
	return []api.Op{
		{ID: o.id + ".create", Method: "POST", Path: o.path + "/custom-fields", Scopes: write, Success: 201,
			Emits: emits("_custom_field/created"), Errors: o.createErrors(), Handler: o.create},
		{ID: o.id + ".list", Method: "GET", Path: o.path + "/custom-fields", Scopes: read,
			Paging: api.Paging{Whole: true}, Handler: api.Collection(o.find, showCustomField)},
		{ID: o.id + ".get", Method: "GET", Path: o.path + "/custom-fields/{id}", Scopes: read,
			Errors: missing, Handler: o.get},
		{ID: o.id + ".update", Method: "PUT", Path: o.path + "/custom-fields/{id}", Scopes: write,
			Emits:  emits("_custom_field/updated"),
			Errors: append(missing, unprocessable("values: "+body.Required("values"))...), Handler: o.update},
		{ID: o.id + ".delete", Method: "DELETE", Path: o.path + "/custom-fields/{id}", Scopes: write, Success: 204,
			NoBody: true, Emits: emits("_custom_field/deleted"),
			Errors: append(missing, api.ErrCase{Status: 403, Text: notOwnField}), Handler: o.delete},
		{ID: o.id + ".values", Method: "GET", Path: o.path + "/{id}/custom-fields", Scopes: read,
			Errors: []api.ErrCase{{Status: 404, Text: o.missing()}}, Paging: api.Paging{Whole: true},
			Handler: api.Collection(o.findValues, showFieldValue)},
		{ID: o.id + ".setValues", Method: "PUT", Path: o.path + "/{id}/custom-fields/values", Scopes: write, Success: 204,
			Emits: emits("/custom_fields_updated"), Errors: o.valueErrors(), Handler: o.setValues},
		{ID: o.id + ".owners", Method: "GET", Path: o.path + "/custom-fields/{id}/owners", Scopes: read,
			Errors: missing, Handler: o.owners},
	}
}

// Texts about custom fields. The one about duplicates is the platform's and is
// followed by the value; the others are assumed.
const (
	duplicatedValue = "The custom field value with key is duplicated: "
	notOwnField     = "Only fields created by the calling app can be deleted"
)

func (o fieldOwner) createErrors() []api.ErrCase {
	rows := unprocessable(
		"name: "+body.Required("name"),
		"value_type: "+body.Required("value type"),
		"value_type: "+body.NotSelectable("value type"),
		"values: "+body.Required("values"),
	)
	if o.limited {
		rows = append(rows,
			api.ErrCase{Status: 422, Text: "name: " + body.TooLong("name", 60)},
			api.ErrCase{Status: 422, Text: "description: " + body.TooLong("description", 150)})
	}
	return rows
}

// customFieldJSON is a field with its values as texts or as checkedValues.
type customFieldJSON struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	Description   *string `json:"description"`
	ValueType     string  `json:"value_type"`
	OwnerResource string  `json:"owner_resource"`
	ReadOnly      bool    `json:"read_only"`
	Values        any     `json:"values"`
	*fieldDetails
}

// fieldDetails is what the read of a single field has more.
type fieldDetails struct {
	Source    string `json:"source"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
}

// checkedValue is a value in the answer to a create or an update.
type checkedValue struct {
	Value   string `json:"value"`
	Created bool   `json:"created"`
	Error   string `json:"error,omitempty"`
}

func customFieldOnWire(f world.CustomField, values any) customFieldJSON {
	return customFieldJSON{
		ID:            f.ID,
		Name:          f.Name,
		Description:   api.TextOrNil(f.Description),
		ValueType:     f.ValueType,
		OwnerResource: f.Owner,
		ReadOnly:      f.ReadOnly,
		Values:        values,
	}
}

func showCustomField(_ *world.Tx, _ *api.In, f world.CustomField) any {
	return customFieldOnWire(f, orEmpty(f.Values))
}

func detailsOf(f world.CustomField) *fieldDetails {
	return &fieldDetails{Source: sourceOf(f), CreatedAt: api.Stamp(f.CreatedAt), UpdatedAt: api.Stamp(f.UpdatedAt)}
}

// sourceOf returns who created a field.
func sourceOf(f world.CustomField) string {
	if f.App == 0 {
		return "admin"
	}
	return "app"
}

// create answers 201 even if some of the values are refused.
func (o fieldOwner) create(tx *world.Tx, in *api.In) (any, error) {
	var b struct {
		Name        string             `json:"name"`
		Description string             `json:"description"`
		ValueType   string             `json:"value_type"`
		ReadOnly    bool               `json:"read_only"`
		Values      body.Opt[[]string] `json:"values"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	b.Name = strings.TrimSpace(b.Name)
	wrong := &body.Problems{}
	wrong.Require("name", b.Name != "")
	if wrong.Require("value_type", b.ValueType != "") {
		wrong.Choice("value_type", b.ValueType, []string{textList, "text", numeric, date})
	}
	absent := !b.Values.Set() && !in.Readings.AbsentValuesEmpty
	wrong.Require("values", !absent && (b.ValueType != textList || len(b.Values.Value) > 0))
	if o.limited {
		wrong.AtMost("name", b.Name, tx.Limits().CustomFieldName)
		wrong.AtMost("description", b.Description, tx.Limits().CustomFieldText)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	f := world.CustomField{
		ID:          tx.NewUUID(),
		App:         tx.App().ID,
		Owner:       o.resource,
		Name:        b.Name,
		Description: b.Description,
		ValueType:   b.ValueType,
		ReadOnly:    b.ReadOnly,
		CreatedAt:   tx.Now(),
		UpdatedAt:   tx.Now(),
	}
	var checked []checkedValue
	f.Values, checked = o.addValues(tx, nil, b.Values.Value)
	if err := tx.CustomFields.Put(f.ID, f); err != nil {
		return nil, err
	}
	o.notify(tx, f, "created")
	return customFieldOnWire(f, orEmpty(checked)), nil
}

// addValues returns the values with the accepted new ones, and the outcome of each new one.
func (o fieldOwner) addValues(tx *world.Tx, now, more []string) (values []string, checked []checkedValue) {
	values = slices.Clone(now)
	for _, value := range more {
		c := checkedValue{Value: value}
		wrong := &body.Problems{}
		if o.limited {
			wrong.AtMost("value", value, tx.Limits().CustomFieldValue)
		}
		switch {
		case strings.TrimSpace(value) == "":
			c.Error = body.Required("value")
		case wrong.Any():
			c.Error = wrong.Of("value")[0]
		case slices.Contains(values, value):
			c.Error = duplicatedValue + value
		default:
			c.Created, values = true, append(values, value)
		}
		checked = append(checked, c)
	}
	return values, checked
}

// notify sends the event of a field, if there is one for its owners.
func (o fieldOwner) notify(tx *world.Tx, f world.CustomField, what string) {
	if o.notifies {
		tx.Emit(o.resource+"_custom_field/"+what, map[string]any{"id": f.ID})
	}
}

// find lists the fields of all apps, the oldest first.
func (o fieldOwner) find(tx *world.Tx, _ *api.In) ([]world.CustomField, error) {
	var out []world.CustomField
	for _, f := range tx.CustomFields.Where("owner", o.resource) {
		out = append(out, f)
	}
	sortBy(out, "ascending", func(a, b world.CustomField) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out, nil
}

func (o fieldOwner) field(tx *world.Tx, id string) (world.CustomField, bool) {
	f, ok := tx.CustomFields.Get(strings.ToLower(id))
	return f, ok && f.Owner == o.resource
}

func (o fieldOwner) get(tx *world.Tx, in *api.In) (any, error) {
	f, ok := o.field(tx, in.Var("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	out := customFieldOnWire(f, orEmpty(f.Values))
	out.fieldDetails = detailsOf(f)
	return out, nil
}

// update adds values; whatever else is sent changes nothing. Any app may add.
func (o fieldOwner) update(tx *world.Tx, in *api.In) (any, error) {
	f, ok := o.field(tx, in.Var("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	var b struct {
		Values body.Opt[[]string] `json:"values"`
	}
	if err := body.Decode(in, &b); err != nil {
		return nil, err
	}
	if !b.Values.Set() {
		return nil, body.Missing("values")
	}
	values, added := o.addValues(tx, f.Values, b.Values.Value)
	shown := append(existing(f.Values), added...)
	if len(values) > len(f.Values) {
		f.Values, f.UpdatedAt = values, tx.Now()
		if err := tx.CustomFields.Put(f.ID, f); err != nil {
			return nil, err
		}
		o.notify(tx, f, "updated")
	}
	return customFieldOnWire(f, shown), nil
}

// existing are values that a field has.
func existing(values []string) []checkedValue {
	out := []checkedValue{}
	for _, v := range values {
		out = append(out, checkedValue{Value: v, Created: true})
	}
	return out
}

// delete takes the field away from everything that has a value for it.
func (o fieldOwner) delete(tx *world.Tx, in *api.In) (any, error) {
	f, ok := o.field(tx, in.Var("id"))
	if !ok {
		return nil, api.NotFound("")
	}
	if f.App != tx.App().ID || f.App == 0 {
		return nil, api.Forbidden(notOwnField)
	}
	for key := range tx.CustomFieldValues.Where("field", f.ID) {
		tx.CustomFieldValues.Delete(key)
	}
	tx.CustomFields.Delete(f.ID)
	o.notify(tx, f, "deleted")
	return nil, nil
}
