package value

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Each form that drivers give is read, and what is not exact is refused. A value that was refused stays as it was.
func TestScan(t *testing.T) {
	noon := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		to   sql.Scanner
		src  any
		want string // as fmt prints it, or an error
	}{
		{new(Money), "19.90", "19.90"}, {new(Money), []byte("-19.9"), "-19.90"}, {new(Money), int64(7), "7.00"},
		{new(Money), 19.9, "19.90"}, {new(Money), -0.01, "-0.01"}, {new(Money), 1e14, "100000000000000.00"}, {new(Money), 1e-6, "0.000001"},
		{new(Money), "19.9000000000", "19.900000"}, {new(Money), "1e2", "100.00"}, {new(Money), 0.0, "0.00"},
		{new(Money), 0.1 + 0.2000001, "0.3000001"}, {new(Money), math.NaN(), "15 digits"}, {new(Money), math.Inf(1), "15 digits"},
		{new(Money), 123456789012345.67, "15 digits"}, {new(Money), 1e15, "at most 15 digits before the point"},
		{new(Money), int64(math.MaxInt64), "at most 15 digits before"}, {new(Money), "", "must be a decimal"}, {new(Money), "1,5", "amount"},
		{new(Money), true, "bool"}, {new(Money), nil, "sql.Null[client.Money]"},
		{new(ID), int64(math.MaxInt64), "9223372036854775807"}, {new(ID), "42", "42"}, {new(ID), []byte("-1"), "-1"}, {new(ID), nil, "0"},
		{new(ID), 5.0, "5"}, {new(ID), 5.5, "id"}, {new(ID), "x", "id"}, {new(ID), noon, "time.Time"},
		{new(Int), "3", "3"}, {new(Int), nil, "sql.Null[client.Int]"},
		{new(Decimal), 0.25, "0.25"}, {new(Decimal), nil, ""}, {new(Decimal), "x", "decimal"}, {new(Measure), int64(2), "2"}, {new(Measure), nil, ""},
		{new(Time), nil, "0001-01-01 00:00:00 +0000 UTC"}, {new(Time), noon.In(time.FixedZone("", -3600)), "2025-01-01 12:00:00 +0000 UTC"},
		{new(Time), "2025-01-01 12:00:00.5 +0000 UTC", "2025-01-01 12:00:00.5 +0000 UTC"}, {new(Time), "2025-01-01 09:00:00-03", "2025-01-01 12:00:00 +0000 UTC"},
		{new(Time), noon.Unix(), "2025-01-01 12:00:00 +0000 UTC"}, {new(Time), noon.UnixMicro(), "2025-01-01 12:00:00 +0000 UTC"},
		{new(Time), "soon", "time"}, {new(Time), 1.5, "float64"}, {new(CompletedAt), noon, "2025-01-01 12:00:00 +0000 UTC"},
		{new(Date), noon, "2025-01-01"}, {new(Date), "2025-12-31", "2025-12-31"}, {new(Date), nil, ""}, {new(Date), "x", "date"},
		{new(Text), `{"es":"a"}`, "a"}, {new(Text), []byte(`"plain"`), "plain"}, {new(Text), nil, ""}, {new(Text), `a`, "must be JSON"}, {new(Text), `{`, "must be JSON"},
	} {
		err := tt.to.Scan(tt.src)
		got := fmt.Sprint(reflect.ValueOf(tt.to).Elem())
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
			t.Errorf("%T from %T %v: got %q, want %q", tt.to, tt.src, tt.src, got, tt.want)
		}
	}
	m := MustMoney("5.00")
	if m.Scan("x") == nil || m.String() != "5.00" {
		t.Errorf("after an error: got %s, want 5.00", m)
	}
}

func TestValueOfColumns(t *testing.T) {
	local := time.Date(2025, 10, 26, 2, 30, 0, 123456789, time.FixedZone("", 7200))
	for _, tt := range []struct {
		v    driver.Valuer
		want any
	}{
		{Money{}, "0.00"}, {Cents(-5), "-0.05"}, {MustMoney("1.500"), "1.500"}, {ID(0), int64(0)}, {Int(3), int64(3)},
		{Decimal(""), nil}, {Decimal("1e2"), "1e2"}, {Measure(""), nil}, {Measure("0.250"), "0.250"},
		{Time{}, nil}, {At(local), time.Date(2025, 10, 26, 0, 30, 0, 123456000, time.UTC)}, {CompletedAt{}, nil}, {Date{}, nil}, {Date{2025, 3, 30}, "2025-03-30"},
		{Text(nil), nil}, {Text{}, "{}"}, {Text{"pt": "b", "es": "a"}, `{"es":"a","pt":"b"}`}, {Plain("x"), `"x"`},
		{Opt[ID]{}, nil}, {Null[ID](), nil}, {Set(ID(0)), int64(0)}, {Set(MustMoney("2")), "2.00"}, {Set(true), true}, {Set(Time{}), nil},
	} {
		if got, err := tt.v.Value(); err != nil || got != tt.want {
			t.Errorf("%T %v: got %#v, %v, want %#v", tt.v, tt.v, got, err, tt.want)
		}
	}
	for _, v := range []driver.Valuer{Decimal("x"), Text{"": "plain", "es": "a"}, Set([]string{"a"})} {
		if got, err := v.Value(); err == nil {
			t.Errorf("%T: got %v, want an error", v, got)
		}
	}
	if _, ok := any(Secret("s")).(driver.Valuer); ok {
		t.Error("a Secret must be stored on purpose, as a string: drivers log arguments")
	}
}

// What was stored is read again, and what is read from a number or a text is that number.
func FuzzScan(f *testing.F) {
	f.Add("19.90", 19.9)
	f.Add("-0.000001", 1e15)
	f.Fuzz(func(t *testing.T, text string, number float64) {
		for _, src := range []any{text, []byte(text), number} {
			var m, again Money
			if m.Scan(src) != nil {
				continue
			}
			if f, ok := src.(float64); ok {
				if back, _ := m.Decimal().Float64(); back != f {
					t.Errorf("%v was read as %s", f, m)
				}
			}
			stored, err := m.Value()
			if err != nil || again.Scan(stored) != nil || !again.Equal(m) {
				t.Errorf("%s was stored as %v, %v, and read as %s", m, stored, err, again)
			}
		}
		for _, to := range []sql.Scanner{new(ID), new(Int), new(Decimal), new(Measure), new(Time), new(Date), new(Text)} {
			_ = to.Scan(text)
			_ = to.Scan(number)
		}
	})
}
