package webhook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client/value"
)

// subject is the customer whose data must be erased.
type subject struct {
	customer string   // id; "" if unknown
	orders   []string // ids
	texts    []string // in lower case: email, phone and identification
	numbers  []string // digits of phone and identification
}

// fewest is the least length of a text or number that identifies somebody.
const fewest = 6

// concerning returns a function that reports whether a dead letter is about the customer or one of the orders, or
// contains one of the customer's texts. In doubt it returns true, because the duty to erase matters more than a dead
// letter.
func (c CustomerRedact) concerning() func(DeadLetter) bool {
	s := subject{customer: number(c.Customer.ID), numbers: []string{digits(c.Customer.Phone), digits(c.Customer.Identification)}}
	for _, id := range c.OrdersToRedact {
		if text := number(id); text != "" {
			s.orders = append(s.orders, text)
		}
	}
	for _, text := range []string{c.Customer.Email, c.Customer.Phone, c.Customer.Identification} {
		if text = strings.ToLower(strings.TrimSpace(text)); len(text) >= fewest {
			s.texts = append(s.texts, text)
		}
	}
	return func(d DeadLetter) bool { return s.in(d.Event, d.Body) }
}

func (s subject) in(event Name, body []byte) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return s.inText(string(body)) || s.inRuins(strings.ToLower(string(body)))
	}
	kind, _, _ := strings.Cut(string(event), "/")
	if root, ok := value.(map[string]any); ok && kind == "" { // the event is only in the body if it does not fit a column
		name, _ := root[eventMember].(string)
		kind, _, _ = strings.Cut(name, "/")
	}
	return s.inText(string(body)) || s.inValue(kind, value) // also in the first of two members of one name
}

// inValue searches a value that belongs to about: the name of its member, or the record of its event.
func (s subject) inValue(about string, value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if name == "id" {
				name = about
			}
			if s.inValue(name, inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return s.inValue(about, inner) })
	case string:
		return s.named(about, v) || s.inText(v) || s.numbered(v)
	case json.Number:
		return s.named(about, v.String()) || s.inText(v.String()) || s.numbered(v.String())
	}
	return false
}

// named reports whether a scalar is the id of the customer or of an order.
func (s subject) named(about, text string) bool {
	var id value.ID
	if id.UnmarshalJSON([]byte(text)) != nil {
		return false
	}
	switch about = strings.ToLower(about); {
	case strings.Contains(about, "customer"):
		return number(id) != "" && number(id) == s.customer
	case strings.Contains(about, "order"):
		return slices.Contains(s.orders, number(id))
	}
	return false
}

// inText searches for the texts of the customer as whole words.
func (s subject) inText(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(s.texts, func(sought string) bool { return holdsWord(text, sought) })
}

// inRuins searches for ids in a body that is not JSON.
func (s subject) inRuins(text string) bool {
	return s.customer != "" && strings.Contains(text, "customer") && holdsWord(text, s.customer) ||
		strings.Contains(text, "order") && slices.ContainsFunc(s.orders, func(id string) bool { return holdsWord(text, id) })
}

// numbered reports whether a text is a number of the customer in any spelling: a phone number also with or without its
// country code.
func (s subject) numbered(text string) bool {
	if strings.ContainsFunc(text, unicode.IsLetter) {
		return false
	}
	is := digits(text)
	return slices.ContainsFunc(s.numbers, func(sought string) bool {
		short, long := is, sought
		if len(short) > len(long) {
			short, long = long, short
		}
		return len(short) >= fewest && len(long)-len(short) <= 3 && strings.HasSuffix(long, short)
	})
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// holdsWord reports whether a word is in a text, with neither a letter nor a digit before or after it.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[from+i+len(word):])
		if !isWord(before) && !isWord(after) { // utf8.RuneError is neither
			return true
		}
		from += i + 1
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
