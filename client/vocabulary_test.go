package client

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestMoneyReadsAndWrites(t *testing.T) {
	for in, want := range map[string]string{
		`"10.00"`: `"10.00"`, `"10"`: `"10.00"`, `10.1`: `"10.10"`, `"0.5"`: `"0.50"`, `"-3.5"`: `"-3.50"`,
		`"0.001"`: `"0.001"`, `""`: `"0.00"`, `"999999999999999.999"`: `"999999999999999.999"`, `0`: `"0.00"`, `"-0.05"`: `"-0.05"`,
	} {
		var m Money
		if err := wire.Unmarshal([]byte(in), &m); err != nil {
			t.Errorf("read %s: %v", in, err)
			continue
		}
		if got, _ := wire.Marshal(m); string(got) != want {
			t.Errorf("%s: wrote %s, want %s", in, got, want)
		}
		if got, _ := json.Marshal(m); string(got) != want {
			t.Errorf("%s: encoding/json wrote %s, want %s", in, got, want)
		}
	}
}

func TestMoneyRefusesBombs(t *testing.T) {
	for _, s := range []string{
		"1e1000000000", "1e10000", "1E2", strings.Repeat("9", 1_000_000), "−5.00", "+5", ".5", "5.", "NaN", "0x1", "1_000", "1e9999",
		"1234567890123456", "0.1234567", "123456789012345.6789", " 1", "1 ", "１", "--1", "-", "1.2.3", "Infinity",
	} {
		allocated := testing.AllocsPerRun(1, func() {
			if _, err := ParseMoney(s); err == nil {
				t.Errorf("ParseMoney(%.20q) succeeded", s)
			}
		})
		if allocated > 20 {
			t.Errorf("ParseMoney(%.20q) allocated %v times, want a refusal before any work", s, allocated)
		}
	}
	var m Money
	for _, s := range []string{`1e9999`, `"1e9999"`, `1e-7`, `true`, `{}`, `[]`, `"null"`, `"  "`} {
		if err := wire.Unmarshal([]byte(s), &m); err == nil {
			t.Errorf("reading %s succeeded: %v", s, m)
		}
	}
}

func TestMoneyComparesAcrossScales(t *testing.T) {
	if a, b := MustMoney("10"), MustMoney("10.00"); !a.Equal(b) || a == b {
		t.Errorf("10 and 10.00: Equal %v, == %v; want equal amounts in different scales", a.Equal(b), a == b)
	}
	if got := MustMoney("9.99").Cmp(MustMoney("10")); got != -1 {
		t.Errorf("9.99 Cmp 10 = %d, want -1", got)
	}
	if got := Cents(-1050).String(); got != "-10.50" {
		t.Errorf("Cents(-1050) = %s, want -10.50", got)
	}
}

func TestMoneyAndDecimal(t *testing.T) {
	third := MustMoney("10.00").Decimal().Div(decimal.NewFromInt(3))
	if _, err := MoneyFrom(third); err == nil {
		t.Errorf("MoneyFrom(%s) succeeded, want a refusal to round", third)
	}
	for in, want := range map[string]string{"3.3300000000": "3.330000", "1e3": "1000.00", "-0.5": "-0.50", "123456789012345.6700": "123456789012345.670"} {
		got, err := MoneyFrom(decimal.RequireFromString(in))
		if err != nil || got.String() != want {
			t.Errorf("MoneyFrom(%s) = %v, %v; want %s", in, got, err, want)
		}
	}
	if _, err := MoneyFrom(decimal.New(1, 10_000)); err == nil {
		t.Error("MoneyFrom(1e10000) succeeded")
	}
}

func TestTimeReadsEveryForm(t *testing.T) {
	for in, want := range map[string]string{
		`"2013-01-03T09:11:51-03:00"`: "2013-01-03T12:11:51Z",
		`"2022-11-15T19:36:59+0000"`:  "2022-11-15T19:36:59Z",
		`"2025-04-08T18:19:40+00:00"`: "2025-04-08T18:19:40Z",
		`"2024-12-02T12:30:45.086Z"`:  "2024-12-02T12:30:45.086Z",
		`"2015-01-02 20:27:51"`:       "2015-01-02T20:27:51Z",
		`"2014-05-08"`:                "2014-05-08T00:00:00Z",
		`"2016-07-14T14:48:45-0300"`:  "2016-07-14T17:48:45Z",
		`"2022-11-15T19:36:59"`:       "2022-11-15T19:36:59Z",
		`"2022-11-15T19:36-03:00"`:    "2022-11-15T22:36:00Z",
		`"2022-11-15T19:36-0300"`:     "2022-11-15T22:36:00Z",
		`"2022-11-15 19:36:59-03:00"`: "2022-11-15T22:36:59Z",
		`"2022-11-15 19:36:59-0300"`:  "2022-11-15T22:36:59Z",
		`"2022-11-15T19:36"`:          "2022-11-15T19:36:00Z",
		`"2022-11-15 19:36"`:          "2022-11-15T19:36:00Z",
		`1700000000`:                  "2023-11-14T22:13:20Z",
		`1700000000000`:               "2023-11-14T22:13:20Z",
		`{"date":"2022-11-15 19:36:59.000000","timezone_type":3,"timezone":"UTC"}`:    "2022-11-15T19:36:59Z",
		`{"date":"2022-11-15 19:36:59.000000","timezone_type":1,"timezone":"-03:00"}`: "2022-11-15T22:36:59Z",
		`{"date":"2022-11-15 19:36:59.000000","timezone_type":2,"timezone":"ZZT"}`:    "2022-11-15T19:36:59Z", // cost the whole record once
	} {
		var got Time
		if err := wire.Unmarshal([]byte(in), &got); err != nil {
			t.Errorf("read %s: %v", in, err)
			continue
		}
		if s := got.UTC().Format(time.RFC3339Nano); s != want {
			t.Errorf("%s = %s, want %s", in, s, want)
		}
		// It was the zone of the machine where that has no offset, and a zone without a name elsewhere.
		if name, offset := got.Zone(); offset == 0 && got.Location() != time.UTC && name != "ZZT" {
			t.Errorf("%s is in zone %v, want UTC", in, got.Location())
		}
	}
	for _, unset := range []string{`""`, `null`, `"-0001-11-30T00:00:00+0000"`} {
		got := At(time.Unix(1, 0))
		if err := wire.Unmarshal([]byte(unset), &got); err != nil || !got.IsZero() {
			t.Errorf("%s = %v, %v; want the zero Time", unset, got, err)
		}
	}
	for _, bad := range []string{`"yesterday"`, `"20140508"`, `"08-05-2014"`, `"2014-02-30"`,
		`"2014-0x-08T00:00:00+0000"`, `"2014-0/-08T00:00:00+0000"`, `"2014-02-30T00:00:00+0000"`, `"2014-05-08T24:00:00+0000"`, `"2014-05-08T00:60:00+0000"`,
		`"2014-05-08T00:00:60+0000"`, `"2014-05-08T00-00:00+0000"`, `true`, `[]`} {
		var got Time
		if err := wire.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was read as %v, want an error", bad, got)
		}
	}
	if got, _ := wire.Marshal([]Time{{}, At(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC))}); string(got) != `[null,"2024-05-01T10:00:00Z"]` {
		t.Errorf("wrote %s", got)
	}
}

func TestIDIsExact(t *testing.T) {
	for in, want := range map[string]ID{
		`9007199254740993`: 9007199254740993, `"9007199254740993"`: 9007199254740993,
		`9223372036854775807`: 1<<63 - 1, `"9223372036854775807"`: 1<<63 - 1, `0`: 0, `""`: 0, `null`: 0, `-5`: -5,
	} {
		var got ID
		if err := wire.Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, bad := range []string{`9223372036854775808`, `1.5`, `1e-1`, `1e999999999`, `"null"`, `"12a"`, `"+1"`, `true`, `{}`, `" 1"`} {
		var got ID
		if err := wire.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was read as %d, want an error", bad, got)
		}
	}
}

func TestTextReadsObjectsStringsAndEmptyLists(t *testing.T) {
	for in, want := range map[string]string{
		`{"es":"Taza","pt":"Caneca"}`: `{"es":"Taza","pt":"Caneca"}`, `"Mug"`: `"Mug"`, `[]`: `{}`, `null`: `{}`, `{}`: `{}`, `{"es":null}`: `{}`, `{"es":null,"pt":"Caneca"}`: `{"pt":"Caneca"}`, `{"es":""}`: `{"es":""}`, `{"es":"Taza","es":null}`: `{}`,
		`{"es":1.50,"pt":true}`: `{"es":"1.50","pt":"true"}`, `7`: `"7"`, `false`: `"false"`,
	} {
		var got Text
		if err := wire.Unmarshal([]byte(in), &got); err != nil {
			t.Errorf("read %s: %v", in, err)
			continue
		}
		if out, err := wire.Marshal(got); err != nil || string(out) != want {
			t.Errorf("%s: wrote %s, %v; want %s", in, out, err, want)
		}
	}
	var got Text
	if err := wire.Unmarshal([]byte(`["a"]`), &got); err == nil {
		t.Error("a list with elements was read as text")
	}
	if _, err := wire.Marshal(Text{"": "a", "es": "b"}); err == nil {
		t.Error("a plain string beside languages was written")
	}
	text := Text{"pt": "Caneca", "es": "Taza"}
	for _, c := range []struct {
		languages []string
		want      string
	}{{[]string{"pt"}, "Caneca"}, {[]string{"fr", "pt"}, "Caneca"}, {[]string{"fr"}, "Taza"}, {nil, "Taza"}} {
		if got := text.Get(c.languages...); got != c.want {
			t.Errorf("Get(%v) = %s, want %s", c.languages, got, c.want)
		}
	}
	all := []string{"fr", "pt"} // what lies behind the languages was overwritten once
	if text.Get(all[:1]...); all[1] != "pt" {
		t.Errorf("Get(all[:1]...) left %q of the caller's languages", all)
	}
}

func TestOptSendsAbsentNullAndValue(t *testing.T) {
	type input struct {
		Price     Opt[Money]    `json:"price,omitzero"`
		Published Opt[bool]     `json:"published,omitzero"`
		Tags      Opt[[]string] `json:"tags,omitzero"`
	}
	for want, in := range map[string]input{
		`{}`:                                {},
		`{"price":null}`:                    {Price: Null[Money]()},
		`{"published":false,"tags":[]}`:     {Published: Set(false), Tags: Set[[]string](nil)},
		`{"price":"1.50","published":true}`: {Price: Set(MustMoney("1.5")), Published: FromPtr(new(true))},
	} {
		for name, marshal := range map[string]func(any) ([]byte, error){"wire": wire.Marshal, "encoding/json": json.Marshal} {
			got, err := marshal(in)
			if err != nil || string(got) != want {
				t.Errorf("%s wrote %s, %v; want %s", name, got, err, want)
			}
			var back input
			if err := wire.Unmarshal(got, &back); err != nil || fmt.Sprint(back) == "" {
				t.Errorf("%s does not read back: %v", got, err)
			}
			if again, _ := wire.Marshal(back); string(again) != want {
				t.Errorf("%s came back as %s", want, again)
			}
		}
	}
	if o := NullIfNil[int](nil); !o.IsNull() || o.Or(7) != 7 || o.Ptr() != nil {
		t.Errorf("NullIfNil(nil) = %+v, want null", o)
	}
	if v, ok := Set(3).Get(); v != 3 || !ok || *Set(3).Ptr() != 3 {
		t.Errorf("Set(3).Get() = %d, %v", v, ok)
	}
}

func TestExtraKeepsUnknownMembers(t *testing.T) {
	type record struct {
		ID    ID    `json:"id"`
		Extra Extra `json:",embed"`
	}
	const document = `{"id":7,"color":null,"shape":{"sides":[1,2]}}`
	var r record
	if err := wire.Unmarshal([]byte(document), &r); err != nil {
		t.Fatal(err)
	}
	if got, _ := wire.Marshal(r); string(got) != document {
		t.Errorf("wrote %s, want %s", got, document)
	}
	var shape struct{ Sides []int }
	if ok, err := r.Extra.Decode("shape", &shape); !ok || err != nil {
		t.Errorf("Decode(shape) = %v, %v", ok, err)
	}
	if got := fmt.Sprint(r.Extra); got != `{"color":null,"shape":{"sides":[1,2]}}` {
		t.Errorf("Extra prints %s", got)
	}
	// encoding/json does not know the option and shows a member "Extra", from
	// which it reads the same record again.
	plain, err := json.Marshal(r)
	if want := `{"id":7,"Extra":{"color":null,"shape":{"sides":[1,2]}}}`; err != nil || string(plain) != want {
		t.Errorf("encoding/json wrote %s, %v; want %s", plain, err, want)
	}
	var back record
	if err := json.Unmarshal(plain, &back); err != nil {
		t.Fatal(err)
	}
	if got, _ := wire.Marshal(back); string(got) != document {
		t.Errorf("through encoding/json: %s, want %s", got, document)
	}
}

func TestSecretNeverPrints(t *testing.T) {
	const canary = "cnry_7f3a"
	c, err := New(Config{BaseURL: "https://api.example.com", StoreID: 1, UserAgent: "Test (t@example.com)", Token: StaticToken(canary)})
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{Secret(canary), struct{ Token Secret }{canary}, []Secret{canary}, Config{Token: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: canary})}, c, atVersion(c, VersionV1), *(*StoreService)(atVersion(c, VersionV1))} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, canary) || strings.Contains(got, fmt.Sprintf("%x", canary)) {
				t.Errorf("%s of %T prints the secret: %s", verb, v, got)
			}
		}
	}
	if got, _ := json.Marshal(map[string]any{"a": Secret(canary)}); strings.Contains(string(got), canary) {
		t.Errorf("JSON holds the secret: %s", got)
	}
}

// A derived secret depends on both, and is a segment of a path as it is.
func TestSecretDerive(t *testing.T) {
	// printf rates | openssl dgst -sha256 -hmac key
	const want = "7240355fad339eb92807d929ccd6456956e84a083a735069ca73988b0e0f8a85"
	if got := Secret("key").Derive("rates"); string(got) != want {
		t.Errorf("got %s, want %s", string(got), want)
	}
	if a := Secret("key").Derive("sessions"); string(a) == want || a.String() != "[redacted]" {
		t.Errorf("another purpose: %s", string(a))
	}
}
