package body

import (
	"encoding/json"
	"math/big"
	"runtime"
	"strings"
	"testing"
)

// TestScalarsOfStrangers: a number is read exactly or refused, and neither costs more whatever was written.
func TestScalarsOfStrangers(t *testing.T) {
	nines := func(n int) string { return strings.Repeat("9", n) }
	var texts []string
	for _, digits := range []string{"0", "5", "007", "1234567", nines(15), nines(24), nines(48), nines(49), nines(1000), nines(1_000_000)} {
		for _, before := range []string{"", "-", "+", "--", "\u2212", ".", "0.", "0x", " "} {
			texts = append(texts, before+digits)
		}
		for _, behind := range []string{".", ".0", ".50", "..5", ".5.5", "e2", "E+2", "e-2", "e24", "e25", "e-48", "e-49", "e10000", "e1000000000", "e-1000000000", "e9223372036854775808", "_000", ",00", "f", "\x00"} {
			texts = append(texts, digits+behind)
		}
	}
	texts = append(texts, "", "-", ".", "NaN", "Inf", "-Infinity", "1_000", "1e", "e5", "５", "٣", "½", "0b1", "0x1p-2", "true")
	read := 0
	for _, text := range texts {
		body, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var s Scalar
		if err := s.UnmarshalJSON(body); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, ok := s.Decimal()
		n, whole := s.Int()
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<10 {
			t.Errorf("%.60q: cost %d bytes, want 64 KiB at most", text, spent)
		}
		if !ok {
			if whole && strings.Trim(text, "0123456789") != "" {
				t.Errorf("%.60q: is the integer %d and no number", text, n)
			}
			continue
		}
		read++
		want, lawful := new(big.Rat).SetString(strings.TrimSpace(text))
		if !lawful || d.Rat().Cmp(want) != 0 || whole && new(big.Rat).SetInt64(n).Cmp(want) != 0 {
			t.Errorf("%q: got %v and %d", text, d, n)
		}
	}
	if len(texts) < 200 || read < 50 {
		t.Errorf("%d numbers, %d of them read", len(texts), read)
	}
	t.Logf("%d numbers, %d read", len(texts), read)
}

// TestBombsAreNotParsed: to refuse a number for its size allocates nothing, as the library would with any number.
func TestBombsAreNotParsed(t *testing.T) {
	for _, text := range []string{
		"1e1000000000", "-1E+1000000000", "1e-1000000000", "1e10000", "0e10000", "1e25", "1.5e26", "1e-49", "1.5e-48", "0." + strings.Repeat("0", 46) + "1e-1",
		strings.Repeat("9", 49), strings.Repeat("9", 1_000_000), "0." + strings.Repeat("9", 1_000_000), "\u22125",
	} {
		s, ok := Scalar{Present: true, Text: text}, false
		allocations := testing.AllocsPerRun(10, func() { _, ok = s.Decimal() })
		if ok || allocations > 0 {
			t.Errorf("%.60q: read %v, with %v allocations", text, ok, allocations)
		}
	}
	for _, text := range []string{"1e24", "1.5e25", "1e-48", "1.5e-47", "0." + strings.Repeat("0", 46), strings.Repeat("9", 48), "1e0000000005"} {
		if _, ok := (Scalar{Present: true, Text: text}).Decimal(); !ok {
			t.Errorf("%q: refused", text)
		}
	}
}
