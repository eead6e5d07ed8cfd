package client

import (
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestCouponReadsTolerantly(t *testing.T) {
	var c Coupon
	if err := wire.Unmarshal([]byte(`{"id":1,"code":"A","type":"gift","start_date":null,"end_date":"2030-12-31T00:00:00+0000","deleted_at":null,"max_uses":null,
		"used":null,"value":50,"min_price":150.5,"categories":[{"id":7,"name":{"es":"Tazas"},"parent":0}]}`), &c); err != nil {
		t.Fatal(err)
	}
	if c.Type.Known() || !c.StartDate.IsZero() || c.EndDate != (Date{Year: 2030, Month: time.December, Day: 31}) || !c.DeletedAt.IsZero() || c.MaxUses != nil || c.Used != nil {
		t.Errorf("got %+v", c)
	}
	if c.Value.String() != "50.00" || c.MinPrice.String() != "150.50" || *c.Categories[0].Parent != 0 || c.Products != nil {
		t.Errorf("got %+v", c)
	}
	if err := wire.Unmarshal([]byte(`{"used":0,"categories":null,"min_price":null}`), &c); err != nil || c.Used == nil || *c.Used != 0 || c.Categories != nil || c.MinPrice != nil {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestCouponInputSendsAbsentNullAndValue(t *testing.T) {
	for _, test := range []struct {
		in   CouponInput
		want string
	}{
		{CouponInput{}, `{}`},
		{
			CouponInput{Code: "A1", Type: CouponPercentage, Value: Set(Cents(1000)), StartDate: Set(Date{Year: 2030, Month: 1, Day: 2}), EndDate: Null[Date](), MinPrice: Set(Cents(15050))},
			`{"code":"A1","type":"percentage","value":"10.00","start_date":"2030-01-02","end_date":null,"min_price":150.50}`,
		},
		{
			CouponInput{MaxUses: Null[Int](), MinPrice: Null[Money](), Categories: Set([]ID(nil)), CombinesWithOtherDiscounts: Set(false)},
			`{"max_uses":null,"categories":[],"combines_with_other_discounts":false,"min_price":null}`,
		},
	} {
		if got, err := wire.Marshal(test.in); err != nil || string(got) != test.want {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}

func TestCouponInputIsChecked(t *testing.T) {
	ten, ids := Set(Cents(1000)), Set([]ID{7})
	for _, test := range []struct {
		name     string
		creating bool
		in       CouponInput
		want     string
	}{
		{"percentage", true, CouponInput{Code: "A1", Type: CouponPercentage, Value: ten}, ""},
		{"shipping needs no value", true, CouponInput{Code: "A1", Type: CouponShipping}, ""},
		{"nothing to update", false, CouponInput{}, ""},
		{"no code", true, CouponInput{Type: CouponShipping}, `code: "": must be letters and digits`},
		{"code with a dash", false, CouponInput{Code: "A-1"}, `code: "A-1": must be letters and digits`},
		{"code with an accent", false, CouponInput{Code: "CAFÉ"}, `code: "CAFÉ": must be letters and digits`},
		{"no type", true, CouponInput{Code: "A1"}, `type: "": must be percentage`},
		{"another type", false, CouponInput{Type: "gift"}, `type: "gift": must be percentage`},
		{"percentage without value", true, CouponInput{Code: "A1", Type: CouponPercentage}, `value: "": must be set, because percentage`},
		{"absolute with null", true, CouponInput{Code: "A1", Type: CouponAbsolute, Value: Null[Money]()}, `value: "": must be set, because percentage`},
		// The type that is there may be shipping, which needs none.
		{"null for a type that is not sent", false, CouponInput{Value: Null[Money]()}, ""},
		{"percentage becomes absolute", false, CouponInput{Type: CouponAbsolute, Value: Null[Money]()}, `value: "": must be set, because percentage`},
		{"negative value", false, CouponInput{Value: Set(Cents(-1))}, `value: "-0.01": must be 0 or more`},
		{"negative uses", false, CouponInput{MaxUses: Set(Int(-1))}, `max_uses: "-1": must be 0 or more`},
		{"negative minimum", false, CouponInput{MinPrice: Set(Cents(-1))}, `min_price: "-0.01": must be 0 or more`},
		{"one day", false, CouponInput{StartDate: Set(Date{Year: 2030, Month: 1, Day: 2}), EndDate: Set(Date{Year: 2030, Month: 1, Day: 2})}, ""},
		{"ends before it starts", false, CouponInput{StartDate: Set(Date{Year: 2030, Month: 1, Day: 2}), EndDate: Set(Date{Year: 2030, Month: 1, Day: 1})}, `end_date: "2030-01-01": must be a day that is not before start_date 2030-01-02`},
		{"categories and products", false, CouponInput{Categories: ids, Products: ids}, `categories: "[7]": must be empty if products is set`},
		{"from categories to products", false, CouponInput{Categories: Set([]ID{}), Products: ids}, ""},
		{"product 0", false, CouponInput{Products: Set([]ID{7, 0})}, `products[1]: "0": must be an id`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(test.creating), test.want) })
	}
}

func TestCouponFilterBecomesParameters(t *testing.T) {
	f := CouponFilter{
		Paging: Paging{Page: 2, PerPage: 10, Fields: []string{"id"}}, Window: Window{CreatedMin: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)},
		Query: "A1", MinStartDate: Date{Year: 2030, Month: 1, Day: 1}, MaxStartDate: Date{Year: 2030, Month: 1, Day: 2}, MinEndDate: Date{Year: 2030, Month: 1, Day: 3}, MaxEndDate: Date{Year: 2030, Month: 1, Day: 4},
		Valid: Set(false), Status: CouponActivated, Limitation: CouponLimitationCartValue, Term: CouponTermLimited, Discount: CouponAbsolute,
		IncludesShipping: Set(true), Sort: CouponSortUsesDescending,
	}
	const want = "created_at_min=2030-01-02T03%3A04%3A05Z&discount_type=absolute&fields=id&includes_shipping=true&limitation_type=cart_value&" +
		"max_end_date=2030-01-04&max_start_date=2030-01-02&min_end_date=2030-01-03&min_start_date=2030-01-01&page=2&per_page=10&q=A1&" +
		"sort_by=uses-descending&status=activated&term_type=limited&valid=false"
	if q := f.query(); q.err != nil || q.values.Encode() != want {
		t.Errorf("got %s, %v, want %s", q.values.Encode(), q.err, want)
	}
	if got := (CouponFilter{}).query().values.Encode(); got != "" {
		t.Errorf("the zero filter sends %s, want nothing", got)
	}
}

func TestCouponServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[CouponService], []request[CouponService]{
		{"GET /v1/123/coupons q=A1", `[]`, func(s *CouponService) error { _, err := s.List(CouponFilter{Query: "A1"}).Page(ctx); return err }},
	})
	refused(t, VersionV1, as[CouponService], map[string]func(*CouponService) error{
		"code: ": func(s *CouponService) error { _, err := s.Create(ctx, CouponInput{}); return err },
		"type: ": func(s *CouponService) error { _, err := s.Update(ctx, 7, CouponInput{Type: "gift"}); return err },
		"value: ": func(s *CouponService) error {
			_, _, err := s.CreateOrGet(ctx, CouponInput{Code: "A", Type: CouponAbsolute})
			return err
		},
	})
}
