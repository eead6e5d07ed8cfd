package recording

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Of every text, the replacement has the form, is another text, and comes back each time.
func TestScrambleKeepsTheForm(t *testing.T) {
	m := NewMasker()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-zà-üÀ-Ü0-9 .,@/:-]{0,40}`)).Draw(t, "text")
		got := m.scramble.text(text)
		if got != m.scramble.text(text) || !utf8.ValidString(got) || utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
			t.Fatalf("%q became %q", text, got)
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }) && got == text {
			t.Fatalf("%q stayed", text)
		}
		is := []rune(got)
		for i, r := range []rune(text) {
			if r < 0x80 && (unicode.IsUpper(r) != unicode.IsUpper(is[i]) || unicode.IsDigit(r) != unicode.IsDigit(is[i])) {
				t.Fatalf("%q became %q, of another form", text, got)
			}
		}
	})
}

// Different values of one form stay different, also where there are few: the numbers of houses and floors.
func TestScrambleIsOneToOne(t *testing.T) {
	m := NewMasker()
	for _, digits := range []string{"0123456789", "abcdefghijklmnopqrstuvwxyz"} {
		seen := map[string]string{}
		for _, a := range digits {
			for _, b := range digits {
				for _, text := range []string{string(a), string(a) + string(b), string(a) + "-" + string(b)} {
					got := m.scramble.text(text)
					if before, ok := seen[got]; ok && before != text || got == text {
						t.Fatalf("%q and %q both became %q", text, before, got)
					}
					seen[got] = text
				}
			}
		}
	}
}

// Numbers stay numbers of JSON, with their sign, their point and their exponent.
func TestScrambleNumbers(t *testing.T) {
	m := NewMasker()
	for _, literal := range []string{"0", "-0", "7", "-12", "30123456", "0.5", "-0.000", "1.5e10", "12E-3", "0e9", "123456789012345678901234567890"} {
		got := m.scramble.number(literal)
		if !json.Valid([]byte(got)) || len(got) != len(literal) {
			t.Errorf("%s became %s", literal, got)
		}
		if _, after, ok := strings.Cut(strings.ToLower(literal), "e"); ok && !strings.HasSuffix(strings.ToLower(got), "e"+after) {
			t.Errorf("%s became %s, of another size", literal, got)
		}
		if strings.Trim(literal, "-0.e9") != "" && got == literal {
			t.Errorf("%s stayed", literal)
		}
	}
}

// Another key replaces otherwise, so that nobody can try all telephone numbers.
func TestKeysDiffer(t *testing.T) {
	const text = "+54 11 5555-1234 of somebody"
	if a, b := NewMasker().scramble.text(text), NewMasker().scramble.text(text); a == b {
		t.Errorf("two maskers made %q", a)
	}
}
