package carriers_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// exchange is a request that is expected, and its answer.
type exchange struct {
	want   string
	status int // 0 is 200
	answer string
}

// playing returns an API whose requests must be those, in this order.
func playing(t *testing.T, script ...exchange) *client.Client {
	t.Helper()
	next := 0
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			asked := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/2025-03/123")
			if r.URL.RawQuery != "" {
				asked += "?" + r.URL.RawQuery
			}
			if r.Body != nil {
				sent, err := io.ReadAll(r.Body)
				if err != nil {
					return nil, err
				}
				asked += " " + string(sent)
			}
			if next >= len(script) {
				t.Errorf("asked %s, want nothing more", asked)
				return nil, io.EOF
			}
			e := script[next]
			if next++; asked != e.want {
				t.Errorf("asked %s\nwant  %s", asked, e.want)
			}
			if e.status == 0 {
				e.status = 200
			}
			return &http.Response{StatusCode: e.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(e.answer)), Request: r}, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if next < len(script) {
			t.Errorf("%d requests, want %d", next, len(script))
		}
	})
	return c
}

func TestServiceRequests(t *testing.T) {
	const carrier = `{"id":7,"name":"C","callback_url":"https://c.example/r","types":"ship, pickup","active":true,"created_at":"2024-12-02T12:30:15+0000","updated_at":"2024-12-02T12:30:15+0000"}`
	const option = `{"id":9,"code":"std","name":"Std","additional_days":0,"additional_cost":0.0,"allow_free_shipping":false,"active":true}`
	both := carriers.Types{carriers.TypeToDoor, carriers.TypeToPickup}
	for _, v := range []struct {
		exchange
		call func(ctx context.Context, s *carriers.CarrierService) (any, error)
		ok   func(got any) bool
	}{
		{exchange{`POST /shipping_carriers {"name":"C","callback_url":"https://c.example/r","types":"ship,pickup","callback_labels_url":"https://c.example/l"}`, 201, carrier},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) {
				return s.Create(ctx, carriers.CarrierInput{Name: "C", CallbackURL: "https://c.example/r", Types: both, CallbackLabelsURL: client.Set("https://c.example/l")})
			}, func(got any) bool {
				c := got.(*carriers.Carrier)
				return c.ID == 7 && c.Types.Has(carriers.TypeToPickup) && c.Active && c.CallbackLabelsURL == "" && c.CreatedAt.Year() == 2024
			}},
		{exchange{`GET /shipping_carriers`, 0, "[" + carrier + "]"},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return s.List().Collect(ctx) },
			func(got any) bool { return got.([]carriers.Carrier)[0].ID == 7 }},
		{exchange{`GET /shipping_carriers/7`, 0, carrier},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return s.Get(ctx, 7) },
			func(got any) bool { return got.(*carriers.Carrier).Name == "C" }},
		{exchange{`PUT /shipping_carriers/7 {"active":false,"callback_labels_url":null}`, 0, carrier},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) {
				return s.Update(ctx, 7, carriers.CarrierInput{Active: client.Set(false), CallbackLabelsURL: client.Null[string]()})
			}, func(got any) bool { return got.(*carriers.Carrier).ID == 7 }},
		{exchange{`DELETE /shipping_carriers/7`, 0, "{}"},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return nil, s.Delete(ctx, 7) }, nil},
		{exchange{`POST /shipping_carriers/7/options {"code":"std","name":"Std","additional_cost":10.50,"allow_free_shipping":false}`, 201, option},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) {
				return s.CreateOption(ctx, 7, carriers.OptionInput{Code: "std", Name: "Std", AdditionalCost: client.Set(client.MoneyNumber{Money: client.Cents(1050)})})
			}, func(got any) bool {
				o := got.(*carriers.Option)
				return o.ID == 9 && o.Code == "std" && o.AdditionalCost.Equal(client.Cents(0)) && !o.AllowFreeShipping
			}},
		{exchange{`GET /shipping_carriers/7/options`, 0, "[" + option + "]"},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return s.Options(7).Collect(ctx) },
			func(got any) bool { return len(got.([]carriers.Option)) == 1 }},
		{exchange{`GET /shipping_carriers/7/options/9`, 0, option},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return s.GetOption(ctx, 7, 9) },
			func(got any) bool { return got.(*carriers.Option).Name == "Std" }},
		{exchange{`PUT /shipping_carriers/7/options/9 {"additional_days":0,"additional_cost":0.00,"allow_free_shipping":true,"active":false}`, 0, option},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) {
				return s.UpdateOption(ctx, 7, 9, carriers.OptionInput{AdditionalDays: client.Set(0), AdditionalCost: client.Set(client.MoneyNumber{}),
					AllowFreeShipping: client.Set(true), Active: client.Set(false)})
			}, func(got any) bool { return got.(*carriers.Option).ID == 9 }},
		{exchange{`DELETE /shipping_carriers/7/options/9`, 0, "{}"},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) {
				return nil, s.DeleteOption(ctx, 7, 9)
			}, nil},
		{exchange{`GET /shipping_carriers/options`, 0, `[{"id":"native","name":"N","options":[{"id":"9","name":"Std","code":"std","allow_free_shipping":true}]},{"id":7,"name":"C","options":null}]`},
			func(ctx context.Context, s *carriers.CarrierService) (any, error) { return s.OfStore().Collect(ctx) },
			func(got any) bool {
				all := got.([]carriers.StoreCarrier)
				return len(all) == 2 && all[0].ID == "native" && all[1].ID == "7" && all[0].Options[0].AllowFreeShipping
			}},
	} {
		got, err := v.call(t.Context(), v202503.Carriers(playing(t, v.exchange)))
		if err != nil || v.ok != nil && !v.ok(got) {
			t.Errorf("%s: got %+v, %v", v.want, got, err)
		}
	}
}

func TestInputsAreRefusedBeforeTheyAreSent(t *testing.T) {
	carrier := carriers.CarrierInput{Name: "C", CallbackURL: "https://c.example/r", Types: carriers.Types{carriers.TypeToDoor}}
	option := carriers.OptionInput{Code: "std", Name: "Std"}
	s := v202503.Carriers(playing(t))
	refused := func(want string, err error) {
		t.Helper()
		if !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
	for want, change := range map[string]func(*carriers.CarrierInput){
		`name: ""`:             func(in *carriers.CarrierInput) { in.Name = "" },
		`name: "a\nb"`:         func(in *carriers.CarrierInput) { in.Name = "a\nb" },
		"callback_url: ":       func(in *carriers.CarrierInput) { in.CallbackURL = "http://c.example/s3cret" },
		"must be an https URL": func(in *carriers.CarrierInput) { in.CallbackURL = "https://u:s3cret@c.example/" },
		`callback_url: ""`:     func(in *carriers.CarrierInput) { in.CallbackURL = "" },
		"callback_labels_url":  func(in *carriers.CarrierInput) { in.CallbackLabelsURL = client.Set("ftp://c.example") },
		`types: "[]"`:          func(in *carriers.CarrierInput) { in.Types = nil },
		`types: "[fly]"`:       func(in *carriers.CarrierInput) { in.Types = carriers.Types{"fly"} },
		`types: "[ship ship]`:  func(in *carriers.CarrierInput) { in.Types = carriers.Types{carriers.TypeToDoor, carriers.TypeToDoor} },
		"active":               func(in *carriers.CarrierInput) { in.Active = client.Null[bool]() },
	} {
		in := carrier
		change(&in)
		_, err := s.Create(t.Context(), in)
		refused(want, err)
	}
	_, err := s.Update(t.Context(), 7, carriers.CarrierInput{Types: carriers.Types{}})
	refused("types", err)
	for want, change := range map[string]func(*carriers.OptionInput){
		`code: ""`:              func(in *carriers.OptionInput) { in.Code = "" },
		`name: ""`:              func(in *carriers.OptionInput) { in.Name = "" },
		`additional_days: "-1"`: func(in *carriers.OptionInput) { in.AdditionalDays = client.Set(-1) },
		`additional_cost: "-0.01"`: func(in *carriers.OptionInput) {
			in.AdditionalCost = client.Set(client.MoneyNumber{Money: client.Cents(-1)})
		},
		`allow_free_shipping: "true"`: func(in *carriers.OptionInput) { in.AllowFreeShipping = client.Set(true) },
		"active":                      func(in *carriers.OptionInput) { in.Active = client.Null[bool]() },
	} {
		in := option
		change(&in)
		_, err := s.CreateOption(t.Context(), 7, in)
		refused(want, err)
		_, _, err = s.CreateOrGetOption(t.Context(), 7, in)
		refused(want, err)
	}
	_, err = s.UpdateOption(t.Context(), 7, 9, carriers.OptionInput{AllowFreeShipping: client.Null[bool]()})
	refused("allow_free_shipping", err)
}

func TestServiceTellsRefusals(t *testing.T) {
	for want, call := range map[string]func(s *carriers.CarrierService) error{
		"GET /shipping_carriers/7": func(s *carriers.CarrierService) error { _, err := s.Get(t.Context(), 7); return err },
		`PUT /shipping_carriers/7 {"name":"n"}`: func(s *carriers.CarrierService) error {
			_, err := s.Update(t.Context(), 7, carriers.CarrierInput{Name: "n"})
			return err
		},
		"DELETE /shipping_carriers/7": func(s *carriers.CarrierService) error { return s.Delete(t.Context(), 7) },
		"GET /shipping_carriers/7/options/8": func(s *carriers.CarrierService) error {
			_, err := s.GetOption(t.Context(), 7, 8)
			return err
		},
		`PUT /shipping_carriers/7/options/8 {"name":"n"}`: func(s *carriers.CarrierService) error {
			_, err := s.UpdateOption(t.Context(), 7, 8, carriers.OptionInput{Name: "n"})
			return err
		},
		"DELETE /shipping_carriers/7/options/8": func(s *carriers.CarrierService) error { return s.DeleteOption(t.Context(), 7, 8) },
	} {
		if err := call(v202503.Carriers(playing(t, exchange{want, 404, `{"code":404,"message":"Not Found","description":null}`}))); !errors.Is(err, client.ErrNotFound) {
			t.Errorf("%s: got %v, want the 404", want, err)
		}
	}
}

func TestCreateOrGetOption(t *testing.T) {
	const ask, list, post = `GET /shipping_carriers/7/options`, `[{"id":9,"code":"std","name":"Std"}]`, `POST /shipping_carriers/7/options {"code":"std","name":"Std","allow_free_shipping":false}`
	const other = `[{"id":8,"code":"STD","name":"Std"}]`
	for _, v := range []struct {
		name   string
		script []exchange
		id     client.ID
		made   bool
	}{
		{"it is there", []exchange{{ask, 0, list}}, 9, false},
		{"it is not", []exchange{{ask, 0, other}, {post, 201, `{"id":9,"code":"std"}`}}, 9, true},
		{"somebody was faster", []exchange{{ask, 0, "[]"}, {post, 422, `{"code":["taken"]}`}, {ask, 0, list}}, 9, false},
		{"somebody was faster, with a conflict", []exchange{{ask, 0, "[]"}, {post, 409, `{"code":409,"message":"Conflict","description":null}`}, {ask, 0, list}}, 9, false},
		{"the answer is lost", []exchange{{ask, 0, "[]"}, {post, 504, ``}, {ask, 0, list}}, 9, false},
		{"the answer is lost, and the reads are late", []exchange{{ask, 0, "[]"}, {post, 504, ``}, {ask, 0, "[]"}, {ask, 0, list}}, 9, false},
		{"it is refused", []exchange{{ask, 0, "[]"}, {post, 422, `{"code":["too long"]}`}, {ask, 0, "[]"}}, 0, false},
		{"it is forbidden", []exchange{{ask, 0, "[]"}, {post, 403, `{"code":403,"message":"Forbidden","description":null}`}}, 0, false},
		{"the list is", []exchange{{ask, 403, `{"code":403,"message":"Forbidden","description":null}`}}, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			in := carriers.OptionInput{Code: "std", Name: "Std"}
			o, made, err := v202503.Carriers(playing(t, v.script...)).CreateOrGetOption(t.Context(), 7, in)
			if v.id == 0 && err == nil || v.id != 0 && (err != nil || o.ID != v.id) || made != v.made {
				t.Errorf("%s: got %+v, made %v, %v", v.name, o, made, err)
			}
		})
	}
}

func TestTypesReadAllForms(t *testing.T) {
	for in, want := range map[string]string{
		`"ship"`: "ship", `"ship,pickup"`: "ship pickup", `" pickup , ship "`: "pickup ship", `""`: "", `null`: "", `["ship","pickup"]`: "ship pickup", `"drone"`: "drone",
	} {
		var all carriers.Types
		err := all.UnmarshalJSON([]byte(in))
		var words []string
		for _, one := range all {
			words = append(words, string(one))
		}
		if got := strings.Join(words, " "); err != nil || got != want {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
	var all carriers.Types
	if err := all.UnmarshalJSON([]byte("7")); err == nil {
		t.Error("a number was read")
	}
	if carriers.Type("drone").Known() || !carriers.TypeToPickup.Known() {
		t.Error("Known is wrong")
	}
}
