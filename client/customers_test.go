package client

import (
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestCustomerReadsTolerantly(t *testing.T) {
	var c Customer
	if err := wire.Unmarshal([]byte(`{"id":"105","note":null,"default_address":[],"addresses":[{"id":0,"number":742,"zipcode":10451,"country":null,"phone":"a@b.example"}],
		"extra":[],"total_spent":27.5,"last_order_id":null,"accepts_marketing_updated_at":null,"first_interaction":"-0001-11-30T00:00:00+0000"}`), &c); err != nil {
		t.Fatal(err)
	}
	if c.ID != 105 || c.DefaultAddress.Valid || c.LastOrderID != nil || !c.FirstInteraction.IsZero() || c.TotalSpent.String() != "27.50" || len(c.CustomInfo.Members) != 0 {
		t.Errorf("got %+v", c)
	}
	if a := c.Addresses[0]; a.Number != "742" || a.Zipcode != "10451" || a.Country != "" || a.Phone != "a@b.example" {
		t.Errorf("address: got %+v", a)
	}
	if err := wire.Unmarshal([]byte(`{"default_address":{"city":"Rosario"},"billing_city":"Salta"}`), &c); err != nil {
		t.Fatal(err)
	}
	if !c.DefaultAddress.Valid || c.DefaultAddress.V.City != "Rosario" || c.BillingCity != "Salta" {
		t.Errorf("got %+v", c)
	}
}

func TestCustomerInputSendsAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		in   CustomerInput
		want string
	}{
		{CustomerInput{}, `{}`},
		{CustomerInput{Note: Set(""), CustomInfo: Set(map[string]any(nil))}, `{"note":"","extra":{}}`},
		{CustomerInput{Active: Set(false)}, `{"active":false}`},
		{CustomerInput{Name: "Ana", Email: "a@b.example", SendEmailInvite: true, Password: "s3cret"}, `{"name":"Ana","email":"a@b.example","send_email_invite":true,"password":"s3cret"}`},
		{CustomerInput{CustomerBillingInput: CustomerBillingInput{BillingCity: Set("Salta"), BillingFloor: Null[string]()}}, `{"billing_floor":null,"billing_city":"Salta"}`},
		{CustomerInput{Addresses: []CustomerAddressInput{{ID: 5, City: "Rosario", Default: Set(true)}}}, `{"addresses":[{"id":5,"city":"Rosario","default":true}]}`},
	} {
		if got, err := wire.Marshal(test.in.body()); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

// The password is for the platform alone: it must not come out of a log of the input.
func TestCustomerInputHidesThePassword(t *testing.T) {
	in := CustomerInput{Password: "s3cret"}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if printed := fmt.Sprintf(format, in); strings.Contains(printed, "s3cret") {
			t.Errorf("%s prints %s", format, printed)
		}
	}
	if data, err := wire.Marshal(in); err != nil || strings.Contains(string(data), "s3cret") {
		t.Errorf("marshals as %s, %v", data, err)
	}
	s := hostile.Answers(hostile.Status(422, `password s3cret is too short`))
	_, err := (*CustomerService)(atVersion(newTest(t, s), VersionV1)).Create(t.Context(), in)
	if printed := fmt.Sprintf("%v %+v", err, err); !strings.Contains(s.Bodies[0], "s3cret") || strings.Contains(printed, "s3cret") {
		t.Errorf("sent %s; the error is %s", s.Bodies[0], printed)
	}
	if err := in.check(false); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got %v, want an error without the password", err)
	}
}

func TestCustomerInputIsChecked(t *testing.T) {
	ana := CustomerInput{Name: "Ana", Email: "a@b.example"}
	for _, test := range []struct {
		name     string
		creating bool
		in       CustomerInput
		want     string
	}{
		{"whole", true, ana, ""},
		{"invite and password", true, CustomerInput{Email: "a@b.example", SendEmailInvite: true, Password: "x"}, ""},
		{"nothing to update", false, CustomerInput{}, ""},
		{"invite on update", false, CustomerInput{SendEmailInvite: true}, `send_email_invite: "true": must be unset`},
		{"password on update", false, CustomerInput{Password: "x"}, `password: `},
		{"one default", false, CustomerInput{Addresses: []CustomerAddressInput{{Default: Set(true)}, {Default: Set(false)}}}, ""},
		{"two defaults", false, CustomerInput{Addresses: []CustomerAddressInput{{Default: Set(true)}, {Default: Set(true)}}}, `addresses: "2": must be at most one default`},
		{"negative address", false, CustomerInput{Addresses: []CustomerAddressInput{{ID: -1}}}, `addresses[0].id: "-1"`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(test.creating), test.want) })
	}
}

func TestCustomerServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[CustomerService], []request[CustomerService]{
		{"GET /v1/123/customers email=a%40b.example&q=ana&since_id=5", `[]`, func(s *CustomerService) error {
			_, err := s.List(CustomerFilter{SinceID: 5, Query: "ana", Email: "a@b.example"}).Page(ctx)
			return err
		}},
		{"GET /v1/123/customers/7 fields=id%2Cname", `{"id":7}`, func(s *CustomerService) error { _, err := s.Get(ctx, 7, "id", "name"); return err }},
		{`PUT /v1/123/customers/7 {"phone":null}`, `{"id":7}`, func(s *CustomerService) error {
			_, err := s.Update(ctx, 7, CustomerInput{Phone: Null[string]()})
			return err
		}},
	})
	refused(t, VersionV1, as[CustomerService], map[string]func(*CustomerService) error{
		"addresses[0].id: ": func(s *CustomerService) error {
			_, err := s.Create(ctx, CustomerInput{Addresses: []CustomerAddressInput{{ID: -1}}})
			return err
		},
		"password: ": func(s *CustomerService) error { _, err := s.Update(ctx, 7, CustomerInput{Password: "x"}); return err },
	})
}
