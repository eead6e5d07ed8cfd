package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// CustomFieldService manages the custom fields of one kind of record. It requires the scopes of that kind:
// read_products and write_products for products, variants and categories, and those of customers and orders for the
// others. All versions have it.
type CustomFieldService engine.Service

// owner returns the kind of record that the fields are for.
func (s *CustomFieldService) owner() FieldOwner { return FieldOwner(engine.KindOf(s)) }

// at returns the path of an endpoint below the kind of record.
func (s *CustomFieldService) at(path string) string {
	return s.owner().path() + path
}

// Create adds a field and returns it. The platform may reject single values although the call succeeds; see
// CustomField.Refused.
//
//api:endpoint POST /products/custom-fields
//api:endpoint POST /products/variants/custom-fields
//api:endpoint POST /customers/custom-fields
//api:endpoint POST /categories/custom-fields
//api:endpoint POST /orders/custom-fields
func (s *CustomFieldService) Create(ctx context.Context, in CustomFieldInput) (*CustomField, error) {
	if err := in.check(s.owner()); err != nil {
		return nil, err
	}
	return engine.Send[CustomField](ctx, s, http.MethodPost, s.at("/custom-fields"), in)
}

// List selects all fields. The contract gives it no parameters.
//
//api:endpoint GET /products/custom-fields
//api:endpoint GET /products/variants/custom-fields
//api:endpoint GET /customers/custom-fields
//api:endpoint GET /categories/custom-fields
//api:endpoint GET /orders/custom-fields
func (s *CustomFieldService) List() List[CustomField] {
	return listOf[CustomField](s, newQuery(), engine.ListSpec{Path: s.at("/custom-fields"), Whole: true})
}

// Get returns a field.
//
//api:endpoint GET /products/custom-fields/{id}
//api:endpoint GET /products/variants/custom-fields/{id}
//api:endpoint GET /customers/custom-fields/{id}
//api:endpoint GET /categories/custom-fields/{id}
//api:endpoint GET /orders/custom-fields/{id}
func (s *CustomFieldService) Get(ctx context.Context, id uuid.UUID) (*CustomField, error) {
	return engine.Get[CustomField](ctx, s, s.at("/custom-fields/{id}"), nil, id)
}

// AddValues adds allowed values to a field and returns the field with all values. The platform may reject single values
// although the call succeeds; see CustomField.Refused. If the call was retried, a value that it has already added is
// not reported as a duplicate.
//
//api:endpoint PUT /products/custom-fields/{id}
//api:endpoint PUT /products/variants/custom-fields/{id}
//api:endpoint PUT /customers/custom-fields/{id}
//api:endpoint PUT /categories/custom-fields/{id}
//api:endpoint PUT /orders/custom-fields/{id}
func (s *CustomFieldService) AddValues(ctx context.Context, id uuid.UUID, values ...string) (*CustomField, error) {
	if len(values) == 0 {
		return nil, engine.Invalid("values", len(values), "at least one value to add")
	}
	if err := checkFieldValues(s.owner(), values); err != nil {
		return nil, err
	}
	return s.add(ctx, id, values)
}

// Ensure returns the field with the name, and creates it if it does not exist. Missing values of a text list are added,
// and other values are retained. If the field has another type, Ensure fails with ErrValidation, because the type
// cannot be changed. Description and ReadOnly of an existing field are not changed. Names are compared with case.
//
// It creates a field at most once, as CreateOrGet does. The contract does not say that the platform rejects a second
// field with the same name. Therefore only one process of the app should call Ensure at a time, for example at an
// installation.
func (s *CustomFieldService) Ensure(ctx context.Context, in CustomFieldInput) (*CustomField, error) {
	if err := in.check(s.owner()); err != nil {
		return nil, err
	}
	field, _, err := CreateOrGet(ctx,
		first(s.List(), func(f *CustomField) bool { return f.Name == in.Name }),
		func(ctx context.Context) (*CustomField, error) { return s.Create(ctx, in) })
	switch {
	case err != nil:
		return nil, err
	case field.ValueType != in.ValueType:
		return nil, engine.Invalid("value_type", in.ValueType, fmt.Sprintf("%s, the type of the existing field %s", field.ValueType, field.ID))
	}
	if missing := field.lacks(in.Values); len(missing) > 0 {
		return s.AddValues(ctx, field.ID, missing...)
	}
	return field, nil
}

// lacks returns the values that a text list does not allow yet.
func (f *CustomField) lacks(values []string) (missing []string) {
	if f.ValueType != ValueTypeTextList {
		return nil
	}
	for _, value := range values {
		if !slices.ContainsFunc(f.Values, func(v FieldValue) bool { return v.Value == value }) {
			missing = append(missing, value)
		}
	}
	return missing
}

// Delete removes a field with its values. Only the app that created the field can delete it.
//
//api:endpoint DELETE /products/custom-fields/{id}
//api:endpoint DELETE /products/variants/custom-fields/{id}
//api:endpoint DELETE /customers/custom-fields/{id}
//api:endpoint DELETE /categories/custom-fields/{id}
//api:endpoint DELETE /orders/custom-fields/{id}
func (s *CustomFieldService) Delete(ctx context.Context, id uuid.UUID) error {
	return engine.Delete(ctx, s, s.at("/custom-fields/{id}"), id)
}

// Values selects the fields for which a record has a value.
//
//api:endpoint GET /products/{id}/custom-fields
//api:endpoint GET /products/variants/{id}/custom-fields
//api:endpoint GET /customers/{id}/custom-fields
//api:endpoint GET /categories/{id}/custom-fields
//api:endpoint GET /orders/{id}/custom-fields
func (s *CustomFieldService) Values(ownerID ID) List[CustomFieldValue] {
	return listOf[CustomFieldValue](s, newQuery(), engine.ListSpec{Path: s.at("/{id}/custom-fields"), Args: []any{ownerID}, Whole: true})
}

// SetValues overwrites the values of a record's fields. A Null value removes the field from the record. For categories,
// the call creates and removes the named values and leaves the others unchanged.
//
//api:endpoint PUT /products/{id}/custom-fields/values
//api:endpoint PUT /products/variants/{id}/custom-fields/values
//api:endpoint PUT /customers/{id}/custom-fields/values
//api:endpoint PUT /categories/{id}/custom-fields/values
//api:endpoint PUT /orders/{id}/custom-fields/values
func (s *CustomFieldService) SetValues(ctx context.Context, ownerID ID, values ...CustomFieldSetting) error {
	if err := checkSettings(values); err != nil {
		return err
	}
	return engine.Do(ctx, s, engine.Request{Method: http.MethodPut, Path: s.at("/{id}/custom-fields/values"), Args: []any{ownerID}, Body: values}, nil)
}

// Owners returns a field with the records that have a value for it.
//
//api:endpoint GET /products/custom-fields/{id}/owners
//api:endpoint GET /products/variants/custom-fields/{id}/owners
//api:endpoint GET /customers/custom-fields/{id}/owners
//api:endpoint GET /categories/custom-fields/{id}/owners
//api:endpoint GET /orders/custom-fields/{id}/owners
func (s *CustomFieldService) Owners(ctx context.Context, id uuid.UUID) (*CustomFieldOwners, error) {
	return engine.Get[CustomFieldOwners](ctx, s, s.at("/custom-fields/{id}/owners"), nil, id)
}

// add sends values. If the response was cut off, the values were added, so the field is read instead.
func (s *CustomFieldService) add(ctx context.Context, id uuid.UUID, values []string) (*CustomField, error) {
	in := struct {
		Values []string `json:"values"`
	}{values}
	r := engine.Request{Method: http.MethodPut, Path: s.at("/custom-fields/{id}"), Args: []any{id}, Body: in, Result: true}
	field := new(CustomField)
	err := engine.Ask(ctx, s, r, func(ctx context.Context, a *engine.Answer, err error) error {
		if errors.Is(err, engine.ErrTruncated) {
			if reread, failed := s.Get(ctx, id); failed == nil {
				field = reread
				return nil
			}
		}
		if err == nil {
			err = codecOf(engine.CoreOf(s)).Decode(ctx, a, field)
		}
		if err == nil && a.Unsure {
			field.forgive(values)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return field, nil
}

// forgive removes the error of duplicate values that an earlier attempt of the same call may have added, because they
// exist.
func (f *CustomField) forgive(sent []string) {
	for i, v := range f.Values {
		if strings.Contains(v.Error, "duplicated") && slices.Contains(sent, v.Value) {
			f.Values[i].Created, f.Values[i].Error = new(true), ""
		}
	}
}
