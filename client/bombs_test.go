package client

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// plain is the grammar of an amount, without its length in all.
var plain = regexp.MustCompile(`^-?[0-9]{1,15}(\.[0-9]{1,6})?$`)

func isPlain(s string) bool {
	return len(s) <= 30 && plain.MatchString(s) && len(strings.Trim(strings.Replace(s, ".", "", 1), "-")) <= 18
}

// isShortNumber is the grammar of a Decimal, which is that of numbers in JSON.
func isShortNumber(s string) bool { return len(s) <= 40 && short.MatchString(s) }

var short = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?0*[0-9]{1,2})?$`)

// isExact reports whether a number, which may have an exponent, is an amount without rounding.
func isExact(s string) bool {
	mantissa, _, exponent := strings.Cut(strings.ToLower(s), "e")
	switch {
	case isPlain(s):
		return true
	case len(s) > 128 || !written.MatchString(s):
		return false
	case !exponent:
		return strings.Contains(s, ".") && isPlain(strings.TrimSuffix(strings.TrimRight(s, "0"), "."))
	case strings.Trim(mantissa, "-0.") == "":
		return true
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return false
	}
	rounded, _ := new(big.Rat).SetString(r.FloatString(6))
	return r.Cmp(rounded) == 0 && isPlain(sixDecimals(s))
}

var written = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// sixDecimals rounds a number to what Money can have behind the point.
func sixDecimals(s string) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(r.FloatString(6), "0"), ".")
}

// TestNumbersOfStrangers: an amount or a measure is read exactly, or to six decimals if it is a number of the platform,
// or refused, and a refusal costs no more whatever was written.
func TestNumbersOfStrangers(t *testing.T) {
	quoted := func(s string) []byte { return []byte(`"` + s + `"`) }
	for name, reader := range map[string]func(s string, quoted []byte) (string, error){
		"ParseMoney": func(s string, _ []byte) (string, error) { m, err := ParseMoney(s); return m.String(), err },
		"Money in quotes": func(_ string, q []byte) (string, error) {
			var m Money
			err := m.UnmarshalJSON(q)
			return m.String(), err
		},
		"MoneyNumber": func(_ string, q []byte) (string, error) {
			var m MoneyNumber
			err := m.UnmarshalJSON(q[1 : len(q)-1])
			return m.String(), err
		},
		"Decimal": func(_ string, q []byte) (string, error) {
			var d Decimal
			err := d.UnmarshalJSON(q)
			return string(d), err
		},
		"Decimal, exactly": func(s string, _ []byte) (string, error) { d, err := Decimal(s).Exact(); return d.String(), err },
		"Measure, exactly": func(s string, _ []byte) (string, error) { d, err := Measure(s).Decimal(); return d.String(), err },
	} {
		count, read := 0, 0
		var greatest hostile.Spent
		for s := range hostile.Numbers() {
			q := quoted(s)
			var got string
			var err error
			spent := hostile.Cost(func() { got, err = reader(s, q) })
			greatest = greatest.Max(spent)
			count++
			takes := isPlain
			switch {
			case strings.HasPrefix(name, "Decimal"):
				takes = isShortNumber
			case name == "MoneyNumber":
				takes = func(s string) bool { return isExact(s) || isShortNumber(s) && isPlain(sixDecimals(s)) }
			case name == "Money in quotes":
				takes = isExact
			}
			if (err == nil) != takes(s) {
				t.Errorf("%s of %.60q: got %.60s, %.200v", name, s, got, err)
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("%s of %.60q: said in %d bytes", name, s, len(err.Error()))
			}
			if spent.Bytes > 64<<10 {
				t.Errorf("%s of %.60q: cost %v, want 64 KiB at most", name, s, spent)
			}
			if err != nil {
				continue
			}
			read++
			if name == "MoneyNumber" {
				s = sixDecimals(s)
			}
			if mantissa, _, _ := strings.Cut(strings.ToLower(s), "e"); strings.Trim(mantissa, "-0.") == "" {
				s = "0" // whatever the exponent is
			}
			want, ok := new(big.Rat).SetString(s)
			if value, _ := new(big.Rat).SetString(got); !ok || value == nil || value.Cmp(want) != 0 {
				t.Errorf("%s of %s: got %s", name, s, got)
			}
		}
		if count < 200 || read < 20 {
			t.Errorf("%s: %d numbers, %d of them read", name, count, read)
		}
		t.Logf("%s: %d numbers, %d read, at most %v for one", name, count, read, greatest)
	}
}

// TestLongTexts: what reads a short text looks at the length of a long one, and does not repeat it.
func TestLongTexts(t *testing.T) {
	const mebibyte = 1 << 20
	for name, read := range map[string]func(s string, quoted []byte) error{
		"ParseMoney": func(s string, _ []byte) error { _, err := ParseMoney(s); return err },
		"ParseID":    func(s string, _ []byte) error { _, err := ParseID(s); return err },
		"ParseTime":  func(s string, _ []byte) error { _, err := ParseTime(s); return err },
		"ParseDate":  func(s string, _ []byte) error { _, err := ParseDate(s); return err },
		"Code.ID":    func(s string, _ []byte) error { _, err := Code(s).ID(); return err },
		"Money":      func(_ string, q []byte) error { return new(Money).UnmarshalJSON(q) },
		"ID":         func(_ string, q []byte) error { return new(ID).UnmarshalJSON(q) },
		"Int":        func(_ string, q []byte) error { return new(Int).UnmarshalJSON(q) },
		"Decimal":    func(_ string, q []byte) error { return new(Decimal).UnmarshalJSON(q) },
		"Time":       func(_ string, q []byte) error { return new(Time).UnmarshalJSON(q) },
		"Date":       func(_ string, q []byte) error { return new(Date).UnmarshalJSON(q) },
		"Nullable":   func(_ string, q []byte) error { return new(Nullable[Store]).UnmarshalJSON(q) },
		"Object":     func(_ string, q []byte) error { return new(Object).UnmarshalJSON(q) },
	} {
		var greatest hostile.Spent
		for _, letter := range []string{"a", "1", "0", "-", " ", ".", "é"} {
			s := strings.Repeat(letter, mebibyte/len(letter))
			q := []byte(`"` + s + `"`)
			var err error
			spent := hostile.Cost(func() { err = read(s, q) })
			greatest = greatest.Max(spent)
			if err == nil || len(err.Error()) > 500 || spent.Bytes > 64<<10 {
				t.Errorf("%s of a mebibyte of %q: cost %v: %.200v", name, letter, spent, err)
			}
		}
		t.Logf("%s: at most %v", name, greatest)
	}
	long := strings.Repeat("a", mebibyte)
	for name, document := range map[string]string{
		"a time zone":   `{"created_at":{"date":"2022-11-15 19:36:59","timezone":"` + long + `"}}`,
		"a date":        `{"created_at":{"date":"` + long + `","timezone":"UTC"}}`,
		"an id":         `{"id":"` + long + `"}`,
		"a member":      `{"variants":[{"price":{"` + long + `":[]}}]}`,
		"two in a path": `{"variants":{"` + long + `":[]}}`,
	} {
		var err error
		spent := hostile.Cost(func() { err = wire.Unmarshal([]byte(document), new(Product)) })
		if err == nil || len(err.Error()) > 500 || spent.Bytes > 8*mebibyte {
			t.Errorf("%s: cost %v: %.200v", name, spent, err)
		}
	}
}
