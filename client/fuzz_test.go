package client

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

func FuzzMoney(f *testing.F) {
	for _, s := range []string{"10.00", "-0.5", "999999999999999.999", "1e9", "1.1234567", "", "00.10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMoney(s)
		if err != nil {
			return
		}
		again, err := ParseMoney(m.String())
		if err != nil || !again.Equal(m) {
			t.Errorf("%q reads as %v, which reads as %v, %v", s, m, again, err)
		}
		if from, err := MoneyFrom(m.Decimal()); err != nil || !from.Equal(m) {
			t.Errorf("%q comes back from decimal as %v, %v", s, from, err)
		}
	})
}

func FuzzMoneyArithmetic(f *testing.F) {
	f.Add("19.90", "0.005", int64(3), "ARS")
	f.Add("-999999999999999.999", "999999999999999", int64(-1), "CLP")
	f.Add("0.000001", "1", int64(1<<62), "KWD")
	f.Fuzz(func(t *testing.T, first, second string, n int64, currency string) {
		a, errA := ParseMoney(first)
		b, errB := ParseMoney(second)
		if errA != nil || errB != nil {
			return
		}
		if sum, err := a.Add(b); err == nil {
			if back, err := sum.Sub(b); err != nil || !back.Equal(a) {
				t.Errorf("%v + %v - %v = %v, %v", a, b, b, back, err)
			}
		}
		if product, err := a.Mul(n); err == nil && n != 0 && !product.Decimal().Div(decimal.NewFromInt(n)).Equal(a.Decimal()) {
			t.Errorf("%v × %d = %v", a, n, product)
		}
		if percent, err := a.Percent(b.Decimal(), currency); err == nil {
			whole, err := percent.Round(currency)
			if err != nil || whole != percent {
				t.Errorf("%v percent of %v is %v, which rounds to %v, %v", b, a, percent, whole, err)
			}
		}
		for _, split := range []func() ([]Money, error){
			func() ([]Money, error) { return a.Split(int(n%1000), currency) },
			func() ([]Money, error) { return a.SplitBy([]Money{b, Cents(n), a}, currency) },
		} {
			parts, err := split()
			if sum, failed := (Money{}).Add(parts...); err == nil && (failed != nil || !sum.Equal(a)) {
				t.Errorf("%v is split into %v, %v", a, parts, failed)
			}
		}
	})
}

func FuzzTime(f *testing.F) {
	for _, s := range []string{`"2022-11-15T19:36:59+0000"`, `"2015-01-02 20:27:51"`, `1700000000`, `{"date":"2022-11-15 19:36:59.000000","timezone":"UTC"}`, `null`, `"9999-12-31T23:59:59Z"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read, again Time
		if wire.Unmarshal(data, &read) != nil {
			return
		}
		out, err := wire.Marshal(read)
		if err != nil {
			return // years that RFC 3339 cannot write
		}
		if err := wire.Unmarshal(out, &again); err != nil || !again.Equal(read.Time) {
			t.Errorf("%s reads as %v, is written as %s and reads as %v, %v", data, read, out, again, err)
		}
	})
}

func FuzzID(f *testing.F) {
	for _, s := range []string{`9007199254740993`, `"9223372036854775807"`, `""`, `1.0`, `-0`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read, again ID
		if wire.Unmarshal(data, &read) != nil {
			return
		}
		out, err := wire.Marshal(read)
		if err != nil || wire.Unmarshal(out, &again) != nil || again != read {
			t.Errorf("%s reads as %d, is written as %s, %v and reads as %d", data, read, out, err, again)
		}
	})
}

func FuzzLink(f *testing.F) {
	for _, s := range []string{`<https://a.example/x?page=2>; rel="next"`, `<x>; rel="a,b", <y>; rel=c`, `<<>>`, `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		links, err := parseLinks(t.Context(), []string{s})
		if (links.next != nil || links.last > 0) && !links.paging || links.last < 0 || err != nil && links.next != nil {
			t.Errorf("%q gives %+v, %v", s, links, err)
		}
	})
}

func FuzzErrorBody(f *testing.F) {
	for _, s := range []string{`{"code":404,"message":"Not Found"}`, `{"src":["can't be blank"]}`, `{"error":{"code":"X","detail":["a"]}}`, `{"error":{"code":"\u001b[31m\n"}}`, `<html>`, `{"a":["\u001b[31m"]}`, "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e := &Error{Method: "GET", Route: "/store", Status: 400}
		e.readBody(body)
		if s := e.Error(); strings.ContainsAny(s, "\n\r\x1b\x00") || !utf8.ValidString(s) {
			t.Errorf("%q prints as %q", body, s)
		}
	})
}

func FuzzCursor(f *testing.F) {
	service := engine.At(engine.New(engine.Config{Store: 1, Codec: new(codec)}), string(VersionV1))
	l := newListing(engine.ListSpec{Service: service, Path: "/products"}.Listing(), (*Product)(nil))
	f.Add(encodeCursor(l.place(), url.Values{"page": {"2"}, "read": {"200"}}))
	f.Add("MSB2MS8xL3Byb2R1Y3RzIHBhZ2U9Mg")
	f.Fuzz(func(t *testing.T, s string) {
		at, err := l.readCursor(s)
		if err != nil {
			return
		}
		for name := range at.values {
			if name != "page" && name != "per_page" && name != "since_id" && !isToken(name) {
				t.Errorf("%q sets the parameter %s", s, name)
			}
		}
		if again, err := l.readCursor(encodeCursor(l.place(), at.values)); err != nil || again.values.Encode() != at.values.Encode() {
			t.Errorf("%q reads as %v, which comes back as %v, %v", s, at, again, err)
		}
	})
}
