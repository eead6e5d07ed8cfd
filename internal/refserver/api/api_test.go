package api

import (
	"net/url"
	"slices"
	"testing"
	"time"
)

func TestErrorBodies(t *testing.T) {
	for _, tc := range []struct {
		err  *Error
		want string
	}{
		{NotFound(""), `404 {"code":404,"description":null,"message":"Not Found"}`},
		{NotFound("Product with such id does not exist"), `404 {"code":404,"description":"Product with such id does not exist","message":"Not Found"}`},
		{Forbidden("no"), `403 {"code":403,"description":"no","message":"Forbidden"}`},
		{Unprocessable("Variants cannot be repeated").With("duplicate_variant_ids", []int{1, 2}),
			`422 {"code":422,"description":"Variants cannot be repeated","duplicate_variant_ids":[1,2],"message":"Unprocessable Entity"}`},
		{Validation(map[string][]string{"coupon_id": {"The coupon id field is required."}}),
			`422 {"code":422,"coupon_id":["The coupon id field is required."],"description":"Validation error","message":"Unprocessable Entity"}`},
		// The list once took the place of the description, which left neither shape.
		{Validation(map[string][]string{"description": {"too long"}, "name": {"required"}}), `422 {"description":["too long"],"name":["required"]}`},
		// The messages about a field called code stood where the common shape has the status.
		{Validation(map[string][]string{"code": {"should not be empty"}, "name": {"must be a string"}}), `422 {"code":["should not be empty"],"name":["must be a string"]}`},
		{Invalid("src", "can't be blank"), `422 {"src":["can't be blank"]}`},
		{Invalid("event", "a").With("url", []string{"b"}), `422 {"event":["a"],"url":["b"]}`},
		{Malformed(), `400 {"error":"Problems parsing JSON"}`},
		{Exception(400, "BadRequestException", "name must be a string"),
			`400 {"error":{"code":"BadRequestException","detail":["name must be a string"],"status":400}}`},
		{Exception(404, "NotFoundException", "The promotion id does not exist"),
			`404 {"error":{"code":"NotFoundException","detail":"The promotion id does not exist","status":404}}`},
		{Described(400, "d", "m"), `400 {"description":"d","message":"m"}`},
		{DescribedAll(400, "d", map[string][]string{"a.b": {"m"}}), `400 {"description":"d","messages":{"a.b":["m"]}}`},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("got  %s\nwant %s", got, tc.want)
		}
	}
	base := NotFound("x")
	if base.With("a", 1); base.Error() != NotFound("x").Error() {
		t.Error("With changed the error it was called on")
	}
}

func TestParseID(t *testing.T) {
	for s, want := range map[string]int64{
		"7": 7, "007": 7, "9223372036854775807": 1<<63 - 1,
		"": 0, "+7": 0, "-7": 0, " 7": 0, "7 ": 0, "7.0": 0, "0x7": 0, "1_0": 0, "٧": 0, "9223372036854775808": 0,
	} {
		if got, ok := ParseID(s); got != want || ok != (want != 0) {
			t.Errorf("%q: got %d, %v, want %d", s, got, ok, want)
		}
	}
}

func TestParseQuery(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "a=1&b=2": "a=1&b=2", "a=1;b=2": "a=1%3Bb%3D2", "a=%3B;&b": "a=%3B%3B&b=", "a;b=1": "a%3Bb=1",
	} {
		if got, err := ParseQuery(raw); err != nil || got.Encode() != want {
			t.Errorf("%s: got %s, %v, want %s", raw, got.Encode(), err, want)
		}
	}
	if _, err := ParseQuery("a=1&b=%zz"); err == nil {
		t.Error("a bad escape was read")
	}
}

func TestParseTime(t *testing.T) {
	want := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, s := range []string{
		"2025-01-02T03:04:05Z", "2025-01-02T03:04:05+00:00", "2025-01-02T03:04:05+0000", "2025-01-02T00:04:05-03:00",
		"2025-01-02T03:04:05 00:00", "2025-01-02T03:04:05", "2025-01-02 03:04:05", " 2025-01-02T03:04:05.000Z ",
	} {
		if got, err := ParseTime(s); err != nil || !got.Equal(want) {
			t.Errorf("%q: got %v, %v", s, got, err)
		}
	}
	// A zone behind minutes was not read, and the bound of the list ignored.
	for _, s := range []string{"2025-01-02T03:04", "2025-01-02T03:04Z", "2025-01-02T00:04-03:00", "2025-01-02T00:04-0300", "2025-01-02T03:04 00:00"} {
		if got, err := ParseTime(s); err != nil || !got.Equal(want.Truncate(time.Minute)) {
			t.Errorf("%q: got %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "yesterday", "2025-13-01", "1735786800"} {
		if _, err := ParseTime(s); err == nil {
			t.Errorf("%q was read", s)
		}
	}
	if got := Stamp(want.In(time.FixedZone("", -3*3600))); got != "2025-01-02T03:04:05+0000" {
		t.Errorf("stamp %q", got)
	}
	if StampOrNil(time.Time{}) != nil {
		t.Error("the zero time is null")
	}
}

func TestQueryIsTolerant(t *testing.T) {
	q, err := url.ParseQuery("n=12&bad=x&yes=TRUE&no=0&odd=maybe&list=a,+b,,c&ids=1,x,3&empty=")
	if err != nil {
		t.Fatal(err)
	}
	in := In{Query: q, Vars: map[string]string{"id": "42", "other": "x"}}
	if n, ok := in.Int("n"); !ok || n != 12 {
		t.Errorf("n: %d %v", n, ok)
	}
	if _, ok := in.Int("bad"); ok || in.Has("empty") || !in.Has("bad") {
		t.Error("a bad integer, or an empty value, counted")
	}
	if yes, ok := in.Bool("yes"); !yes || !ok {
		t.Error("TRUE is true")
	}
	if no, ok := in.Bool("no"); no || !ok {
		t.Error("0 is false")
	}
	if _, ok := in.Bool("odd"); ok {
		t.Error("maybe is absent")
	}
	if got := in.Texts("list"); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("list: %v", got)
	}
	if got := in.Ints("ids"); !slices.Equal(got, []int64{1, 3}) {
		t.Errorf("ids: %v", got)
	}
	if in.ID("id") != 42 || in.ID("other") != 0 {
		t.Errorf("ids of the path: %d %d", in.ID("id"), in.ID("other"))
	}
}

func TestSelects(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 600, time.UTC)
	for query, want := range map[string]bool{
		"":                                    true,
		"since_id=6":                          true,
		"since_id=7":                          false,
		"created_at_min=2025-01-02T03:04:05Z": true,
		"created_at_min=2025-01-02T03:04:06Z": false,
		"created_at_max=2025-01-02T03:04:05Z": true,
		"created_at_max=2025-01-02T03:04:04Z": false,
		"updated_at_min=2025-01-03":           false,
		"updated_at_max=2025-01-03":           true,
		"updated_at_max=garbage":              true,
	} {
		q, _ := url.ParseQuery(query)
		if got := (&In{Query: q}).Selects(7, at, at); got != want {
			t.Errorf("%q: got %v, want %v", query, got, want)
		}
	}
}
