package providers

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// document returns testdata/wire/payment_provider.json, which has every member of the
// contract and of the credentials.
func document(t *testing.T) ([]byte, *Provider) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/wire/payment_provider.json")
	if err != nil {
		t.Fatal(err)
	}
	p := new(Provider)
	if err := wire.Unmarshal(data, p); err != nil {
		t.Fatal(err)
	}
	return data, p
}

// generic reads JSON without any of our types.
func generic(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// unread returns the members without a field anywhere below v.
func unread(v reflect.Value) (found []string) {
	if extra, ok := v.Interface().(client.Extra); ok {
		for name := range extra {
			found = append(found, name)
		}
		return found
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			found = unread(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = append(found, unread(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				found = append(found, unread(v.Field(i))...)
			}
		}
	}
	return found
}

func TestProviderHasAFieldForEveryMember(t *testing.T) {
	data, p := document(t)
	if left := unread(reflect.ValueOf(p)); len(left) > 0 {
		t.Errorf("members without a field: %s", left)
	}
	back, err := wire.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := generic(t, data)
	for _, secret := range []string{"api_key", "access_token", "client_secret", "refresh_token", "password"} {
		want["authentication"].(map[string]any)[secret] = "[redacted]"
	}
	for _, d := range hostile.Differences(generic(t, back), want) {
		t.Errorf("read and written again: %s", d)
	}
}

// What an update sends is what was read, but for what is read-only, with the secrets.
func TestProviderInputIsWhatWasRead(t *testing.T) {
	data, p := document(t)
	in := p.Input()
	if err := in.Check(); err != nil {
		t.Error(err)
	}
	sent, err := wire.Marshal(in.body())
	if err != nil {
		t.Fatal(err)
	}
	want := generic(t, data)
	delete(want, "id")
	delete(want, "store_id")
	delete(want, "app_id")
	for _, d := range hostile.Differences(generic(t, sent), want) {
		t.Errorf("sent: %s", d)
	}
}

func TestProviderKeepsUnknownMembersAndValues(t *testing.T) {
	var p Provider
	err := wire.Unmarshal([]byte(`{"newer":1,"features":["teleport"],"enabled":null,"authentication":"none","min":0,
		"checkout_payment_options":[{"id":"slug","integration_type":"hologram","older":true}],
		"supported_payment_methods":[{"payment_method_type":"shells","installments":{"min_installment_value":[{"amount":"5.00","currency":"BRL"},{"amount":7,"currency":"ARS"}]}}]}`), &p)
	if err != nil {
		t.Fatal(err)
	}
	back, err := wire.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := generic(t, back); got["newer"] != 1.0 || got["checkout_payment_options"].([]any)[0].(map[string]any)["older"] != true {
		t.Errorf("lost members: %s", back)
	}
	if p.Features[0].Known() || p.Options[0].Integration.Known() || p.Methods[0].Type.Known() || p.Enabled != nil || *p.Authentication != (Authentication{}) {
		t.Errorf("read %+v", p)
	}
	minimums := p.Methods[0].Installments.MinInstallmentValue
	if want := []Minimum{{client.Cents(500), "BRL"}, {client.MustMoney("7"), "ARS"}}; !reflect.DeepEqual(minimums, want) {
		t.Errorf("minimums under their older name: got %v, want %v", minimums, want)
	}
	if err := wire.Unmarshal([]byte(`{"value":{},"currency":"BRL"}`), new(Minimum)); err == nil {
		t.Error("a minimum of {} was read")
	}
}
