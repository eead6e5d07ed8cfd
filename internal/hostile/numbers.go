package hostile

import (
	"iter"
	"strings"
)

// Numbers are texts that look like numbers to somebody, a thousand of them or a few less, some with a million digits.
// Which of them are numbers is for the reader to say.
func Numbers() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range odd() {
			if !yield(s) {
				return
			}
		}
		for _, digits := range []string{"0", "1", "5", "12", "1234567", nines(15), nines(16), nines(19), nines(65), nines(1000)} {
			for _, of := range forms() {
				if !yield(of(digits)) {
					return
				}
			}
		}
		million := nines(1_000_000) // forms of it take long to make
		for _, s := range []string{million, "-" + million, "0." + million, million + ".00", "1e" + million} {
			if !yield(s) {
				return
			}
		}
	}
}

func nines(n int) string { return strings.Repeat("9", n) }

// odd are texts of no form.
func odd() []string {
	return []string{
		"-", "+", ".", "-.", "..", "e", "e5", "E", ",", "_", " ", "\x00", "NaN", "nan", "Inf", "-Inf", "+Inf", "inf", "Infinity", "-Infinity", "true", "None",
		"0x", "0x1p-2", "0b1", "0o7", "0x1e5", "1e", "1e+", "1e-", "1E+-5", "1ee5", "1e5e5", "1e1.5", "½", "Ⅷ", "٣", "१", "五", "५.०", "１.５", "1\u00a0000", "1’000", "1'000", "1\u200b", "\ufeff1", "\u202e5",
		"1e-2147483649", "1e2147483648", "1e9223372036854775808", "1e-9223372036854775809", "\xff", "5\xff", "1;2", "1:2", "1/2", "5 ARS", "$5", "5%", "(5)", "5-", "5+", "1-1", "1+1", "#1", "1#", "&#53;", "%35",
	}
}

// forms are what is made of digits.
func forms() []func(string) string {
	with := func(before, behind string) func(string) string {
		return func(s string) string { return before + s + behind }
	}
	all := []func(string) string{
		func(s string) string { return s + "." + s },
		func(s string) string { return s + "." + s + "." + s },
		func(s string) string { return strings.Join(strings.Split(s, ""), "_") },
		func(s string) string { return strings.Join(strings.Split(s, ""), ".") },
		func(s string) string { return "1e" + s },
		func(s string) string { return "1e-" + s },
		func(s string) string { return strings.Map(func(r rune) rune { return r - '0' + '０' }, s) },
	}
	for _, before := range []string{
		"", "-", "+", "--", "-+", "\u2212", "\uff0d", "0", "-0", strings.Repeat("0", 100), ".", "-.", "0.", "0.000000", " ", "\t", "$", "0x", "1_", "1,",
	} {
		all = append(all, with(before, ""))
	}
	for _, behind := range []string{
		".", ".0", ".00", ".5", ".123456", ".1234567", ".", "..", ",00", " ", "\n", "\x00", "e0", "E2", "e+5", "e-5", "e99", "e-99", "e100", "e10000", "e-10000", "e1000000000", "e-1000000000",
		"e99999999999999999999", "_000", "_", "f", "n", "L", "/3", "%", "\u0660", "−", "\xff", "." + strings.Repeat("0", 100), strings.Repeat(".", 100),
	} {
		all = append(all, with("", behind))
	}
	return all
}
