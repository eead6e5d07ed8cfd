package value

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

func TestMeasureReadsAndWrites(t *testing.T) {
	for in, want := range map[string]string{
		`"0.250"`: `"0.250"`,
		`2.5`:     `"2.5"`,
		`null`:    `null`,
		`""`:      `null`,
	} {
		var m Measure
		if err := wire.Unmarshal([]byte(in), &m); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if got, err := wire.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%s: written as %s, %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`{}`, `[]`, `true`} {
		var m Measure
		if err := wire.Unmarshal([]byte(in), &m); err == nil {
			t.Errorf("%s: read as %q, want an error", in, m)
		}
	}
}

func TestMeasureDecimal(t *testing.T) {
	if d, err := Measure("0.250").Decimal(); err != nil || d.String() != "0.25" {
		t.Errorf("got %v, %v, want 0.25", d, err)
	}
	if d, err := Measure("").Decimal(); err != nil || !d.IsZero() {
		t.Errorf("got %v, %v, want 0", d, err)
	}
	if _, err := Measure("1e999999999").Decimal(); err == nil {
		t.Errorf("an exponent was taken; want an error")
	}
}
