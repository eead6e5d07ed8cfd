package client

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func priceTables(t *testing.T, answers ...hostile.Answer) (*PriceTableService, *hostile.Script) {
	t.Helper()
	script := hostile.Answers(answers...)
	return (*PriceTableService)(view(t, Version202503, script)), script
}

const wholesale = `{"id":"4","store_id":"1001","name":"Wholesale","default_discount":"5.00","active":true,"has_products_variants":true}`

// A table is read with the object around it and without, after a create as well.
func TestPriceTableIsReadEitherWay(t *testing.T) {
	for _, body := range []string{wholesale, `{"price_table":` + wholesale + `}`} {
		s, _ := priceTables(t, hostile.Status(200, body))
		got, err := s.Get(t.Context(), 4)
		if err != nil || got.ID != 4 || got.StoreID != 1001 || !got.HasVariants || got.CartMinimumPrice != nil || got.DefaultDiscount != Cents(500) {
			t.Errorf("%s: got %+v, %v", body, got, err)
		}
		s, _ = priceTables(t, hostile.Status(201, body))
		if got, err := s.Create(t.Context(), PriceTableInput{Name: "Wholesale", DefaultDiscount: Set(Cents(500))}); err != nil || got.ID != 4 {
			t.Errorf("create, %s: got %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{`{}`, `{"price_table":{}}`, `{"price_table":null}`, `[]`} {
		s, _ := priceTables(t, hostile.Status(200, body))
		if got, err := s.Get(t.Context(), 4); err == nil {
			t.Errorf("%s: got %+v, want an error", body, got)
		}
		s, script := priceTables(t, hostile.Status(201, body))
		if _, err := s.Create(t.Context(), PriceTableInput{Name: "W", DefaultDiscount: Set(Cents(0))}); !errors.Is(err, ErrOutcomeUnknown) || len(script.Seen) != 1 {
			t.Errorf("create, %s: %v after %d requests, want an unknown outcome after one", body, err, len(script.Seen))
		}
	}
	s, _ := priceTables(t, hostile.Status(200, wholesale)) // some answers to PUT may have the table
	if err := s.Update(t.Context(), 4, PriceTableInput{Name: "Dealers"}); err != nil {
		t.Error(err)
	}
}

// Bodies have ids as strings of digits.
func TestPriceTableBodies(t *testing.T) {
	for want, call := range map[string]func(s *PriceTableService) error{
		`PUT /2025-03/123/products/price-tables/4/customers ["501","502"]`: func(s *PriceTableService) error {
			return s.AddCustomers(t.Context(), 4, 501, 502)
		},
		`POST /2025-03/123/products/price-tables/4/approve-customers ["501"]`: func(s *PriceTableService) error {
			return s.ApproveCustomers(t.Context(), 4, 501)
		},
		`PUT /2025-03/123/products/price-tables/4/categories [{"category_id":"71","discount":"12.50"}]`: func(s *PriceTableService) error {
			return s.SetCategories(t.Context(), 4, PriceTableCategoryInput{71, Cents(1250)})
		},
		`PUT /2025-03/123/products/price-tables/4/product-variants [{"product_id":"9001","product_variant_id":"9101","discount":"12.50"},` +
			`{"product_id":"9001","product_variant_id":"9102","discount":"0.00","price":"88.00"}]`: func(s *PriceTableService) error {
			return s.SetVariants(t.Context(), 4, PriceTableVariantInput{9001, 9101, Cents(1250), Opt[Money]{}}, PriceTableVariantInput{ProductID: 9001, VariantID: 9102, Price: Set(Cents(8800))})
		},
		`PUT /2025-03/123/products/price-tables/4 {"default_discount":"0.00","cart_minimum_quantity":null,"active":false}`: func(s *PriceTableService) error {
			return s.Update(t.Context(), 4, PriceTableInput{DefaultDiscount: Set(Cents(0)), CartMinimumQuantity: Null[int](), Active: Set(false)})
		},
		`DELETE /2025-03/123/products/price-tables/4/customers/501 `: func(s *PriceTableService) error {
			return s.RemoveCustomer(t.Context(), 4, 501)
		},
	} {
		s, script := priceTables(t, hostile.Status(204, ""))
		if err := call(s); err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if got := script.Seen[0].Method + " " + script.Seen[0].URL.Path + " " + script.Bodies[0]; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestPriceTableInputsAreChecked(t *testing.T) {
	s, script := priceTables(t, hostile.Status(204, ""))
	ctx := t.Context()
	create := func(in PriceTableInput) error { _, err := s.Create(ctx, in); return err }
	refusal(t, create(PriceTableInput{DefaultDiscount: Set(Cents(0))}), `name: "": must be a name`)
	refusal(t, create(PriceTableInput{Name: "W"}), `default_discount: ""`)
	refusal(t, create(PriceTableInput{Name: "W", DefaultDiscount: Null[Money]()}), `default_discount: ""`)
	refusal(t, s.AddCustomers(ctx, 4), `customers: "0": must be at least one`)
	refusal(t, s.AddCustomers(ctx, 4, 501, 0), `[1].customers: "0"`)
	refusal(t, s.AddCustomers(ctx, 4, 501, 501), `[1].customers: "501": must be an id that appears only once`)
	refusal(t, s.AddCustomers(ctx, 4, make([]ID, 10_001)...), `customers: "10001": must be at most 10000 in one call`)
	refusal(t, s.ApproveCustomers(ctx, 4, -1), `[0].customers: "-1"`)
	refusal(t, s.EnsureCustomers(ctx, 4, 501, -1), `customers: "-1"`)
	refusal(t, s.SetCategories(ctx, 4, PriceTableCategoryInput{}), `[0].category_id: "0"`)
	refusal(t, s.SetVariants(ctx, 4, PriceTableVariantInput{VariantID: 1}, PriceTableVariantInput{VariantID: 1}), `[1].product_variant_id: "1"`)
	if err := s.EnsureCustomers(ctx, 4); err != nil || len(script.Seen) != 0 {
		t.Errorf("%v, %d requests, want none", err, len(script.Seen))
	}
	for _, f := range []PriceTableFilter{{PerPage: 11}, {PerPage: -1}, {Page: -1}} {
		if _, err := s.List(f).Page(ctx); !errors.Is(err, ErrValidation) {
			t.Errorf("%+v: %v, want ErrValidation", f, err)
		}
	}
	if _, err := s.Customers(4, PriceTableFilter{PerPage: 51}).Page(ctx); !errors.Is(err, ErrValidation) || len(script.Seen) != 0 {
		t.Errorf("%v, %d requests, want ErrValidation and none", err, len(script.Seen))
	}
}

// Lists are read by the body's total, in the largest pages that there are, with and without the header Link.
func TestPriceTableLists(t *testing.T) {
	page := func(ids ...string) hostile.Answer {
		return hostile.Status(200, `{"total":3,"page":1,"price_table":{"id":"4","customers":[{"id":`+strings.Join(ids, `},{"id":`)+`}]}}`)
	}
	s, script := priceTables(t, page(`"1"`, `"2"`), page(`"3"`))
	all, err := s.Customers(4, PriceTableFilter{}).Collect(t.Context())
	if err != nil || len(all) != 3 || all[2].ID != 3 || !all[0].ApprovedAt.IsZero() || len(script.Seen) != 2 {
		t.Errorf("got %+v, %v after %d requests", all, err, len(script.Seen))
	}
	if got := script.Seen[1].URL.RawQuery; got != "page=2&per_page=50" {
		t.Errorf("query %s", got)
	}
	for _, end := range []hostile.Answer{
		hostile.Status(200, `{"total":0,"page":1,"price_tables":[]}`), hostile.Status(404, `{"code":404,"message":"Not Found","description":"Last page is 0"}`),
	} {
		s, script = priceTables(t, end)
		if none, err := s.List(PriceTableFilter{}).Collect(t.Context()); err != nil || len(none) != 0 || script.Seen[0].URL.RawQuery != "per_page=10" {
			t.Errorf("got %+v, %v, %s", none, err, script.Seen[0].URL)
		}
	}
}

// Of a table, the item is returned that was asked for, and no other.
func TestPriceTableItem(t *testing.T) {
	body := `{"price_table":{"id":"4","product_variants":[{"product_id":"9001","product_variant_id":"9102","discount":"0.00","price":"88.00"}],"categories":[{"category_id":71,"discount":10}]}}`
	s, _ := priceTables(t, hostile.Status(200, body))
	if v, err := s.Variant(t.Context(), 4, 9102); err != nil || v.ProductID != 9001 || *v.Price != Cents(8800) {
		t.Errorf("got %+v, %v", v, err)
	}
	if c, err := s.Category(t.Context(), 4, 71); err != nil || !c.Discount.Equal(Cents(1000)) {
		t.Errorf("got %+v, %v", c, err)
	}
	if _, err := s.Variant(t.Context(), 4, 9103); !errors.Is(err, ErrNotFound) {
		t.Errorf("another variant: %v, want ErrNotFound", err)
	}
	if _, err := s.Category(t.Context(), 4, 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("another category: %v, want ErrNotFound", err)
	}
}

const conflict = `{"code":409,"message":"Conflict","description":null`

const associated = `{"code":409,"message":"Conflict","description":"Customers are associated with a product price table.","errors":[{"customers":["501"]}]}`

func TestPriceTableConflict(t *testing.T) {
	for body, want := range map[string][]ID{
		associated: {501}, conflict + `,"errors":[{"customers":[501,"502"]},{"customers":["503"]}]}`: {501, 502, 503},
		conflict + `}`: nil, conflict + `,"errors":{"customers":["501"]}}`: nil,
	} {
		s, script := priceTables(t, hostile.Status(409, body))
		err := s.AddCustomers(t.Context(), 4, 501, 502)
		refused, ok := errors.AsType[*PriceTableConflictError](err)
		if !ok || !slices.Equal(refused.Customers, want) || refused.Err.Status != 409 || len(script.Seen) != 1 {
			t.Errorf("%s: got %v after %d requests, want customers %v", body, err, len(script.Seen), want)
		}
		if answer, ok := errors.AsType[*Error](err); !ok || answer != refused.Err {
			t.Errorf("%s: the answer is not in the chain of %v", body, err)
		}
	}
	s, _ := priceTables(t, hostile.Status(409, `oops`))
	if err := s.AddCustomers(t.Context(), 4, 501); errors.As(err, new(*PriceTableConflictError)) || !errors.Is(err, ErrIntermediary) {
		t.Errorf("the 409 of a gateway: %v, want ErrIntermediary", err)
	}
	s, _ = priceTables(t, hostile.Status(422, `{"code":422,"0":["The selected customer id is invalid."]}`))
	if _, ok := errors.AsType[*PriceTableConflictError](s.AddCustomers(t.Context(), 4, 501)); ok {
		t.Error("a 422 is no conflict")
	}
}

// What may have been applied is not sent again; what never arrived is.
func TestAddCustomersIsSentOnce(t *testing.T) {
	for name, failure := range map[string]hostile.Answer{
		"503": hostile.Status(http.StatusServiceUnavailable, ""), "500": hostile.Status(http.StatusInternalServerError, ""),
		"504": hostile.Status(http.StatusGatewayTimeout, ""), "no answer": hostile.Fails(io.ErrUnexpectedEOF),
	} {
		s, script := priceTables(t, failure, hostile.Status(204, ""))
		if err := s.AddCustomers(t.Context(), 4, 501); !errors.Is(err, ErrOutcomeUnknown) || len(script.Seen) != 1 {
			t.Errorf("%s: %v after %d requests, want an unknown outcome after one", name, err, len(script.Seen))
		}
	}
}
