package body

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// words is the name of a field as texts have it.
func words(field string) string { return strings.ReplaceAll(field, "_", " ") }

// Require notes a field that is not there and reports whether it is.
func (p *Problems) Require(field string, there bool) bool {
	if !there {
		p.Add(field, Required(words(field)))
	}
	return there
}

// Select notes a value that is not among those there are, and reports whether it is.
func (p *Problems) Select(field string, there bool) bool {
	if !there {
		p.Add(field, NotSelectable(words(field)))
	}
	return there
}

// Choice returns the value. One that is not among the allowed is noted.
func (p *Problems) Choice(field, value string, allowed []string) string {
	p.Select(field, slices.Contains(allowed, value))
	return value
}

// AtMost notes a text with more characters than the most.
func (p *Problems) AtMost(field, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		p.Add(field, TooLong(words(field), most))
	}
}

// Cost reads an amount to the cent; none is 0.
func (p *Problems) Cost(field string, s Scalar) decimal.Decimal {
	if s.Text == "" {
		return decimal.Decimal{}
	}
	d, ok := s.Amount()
	if !ok {
		p.Add(field, NotAmount(words(field)))
	}
	return d.Round(2)
}

// Within reads an integer from the least to the most.
func (p *Problems) Within(field string, s Scalar, least, most int) int64 {
	n, ok := s.Within(int64(least), int64(most))
	if !ok {
		p.Add(field, NotWithin(words(field), least, most))
	}
	return n
}

// Amount reads a number that is not negative, with the given decimals. Null stays null. It returns the current value if
// the member is absent or rejected, with the given texts.
func (p *Problems) Amount(
	field string, s Scalar, now decimal.NullDecimal, places int32, noNumber, negative string,
) decimal.NullDecimal {
	d, ok := s.Decimal()
	switch {
	case !s.Present:
	case s.Null():
		return decimal.NullDecimal{}
	case !ok:
		p.Add(field, noNumber)
	case d.IsNegative():
		p.Add(field, negative)
	default:
		return Fixed(d, places)
	}
	return now
}

// Fixed returns the number with exactly the given decimals, so that equal numbers are equal values.
func Fixed(d decimal.Decimal, places int32) decimal.NullDecimal {
	return decimal.NewNullDecimal(decimal.RequireFromString(d.StringFixed(places)))
}

// lastWords are the words of the last name in a dotted path.
func lastWords(path string) string { return words(path[strings.LastIndexByte(path, '.')+1:]) }

// Percent reads a percentage that has to be there, from 0 to 100 with two decimals at most.
func (p *Problems) Percent(path string, s Scalar) decimal.Decimal {
	d, ok := s.Amount()
	switch {
	case s.Text == "":
		p.Add(path, Required(lastWords(path)))
	case !ok || d.GreaterThan(decimal.NewFromInt(100)) || !d.Equal(d.Round(2)):
		p.Add(path, NotPercent(lastWords(path)))
	}
	return Fixed(d, 2).Decimal
}

// Cents reads an amount with two decimals at most; null stays null, and an absent member is what is there now.
func (p *Problems) Cents(path string, s Scalar, now decimal.NullDecimal) decimal.NullDecimal {
	switch d, ok := s.Amount(); {
	case !s.Present:
		return now
	case s.Null():
		return decimal.NullDecimal{}
	case !ok || !d.Equal(d.Round(2)):
		p.Add(path, NotCents(lastWords(path)))
		return now
	default:
		return Fixed(d, 2)
	}
}
