package shipping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// ErrInvalid means that an answer is not sent, because the platform might not display it.
var ErrInvalid = errors.New("invalid answer")

// Validate returns an error if the body is not a valid answer to the request. It may be stricter than the platform.
// It rejects members that are not in the contract, and rates that the platform would not display. It also rejects an
// answer without rates, because that counts as successful and hides the merchant's fallback. The error wraps
// ErrInvalid and names member, value and rule.
//
// A Handler validates its answers. Validate reads the bytes independently and shares no code with the encoder.
func Validate(r *Request, answer []byte) error { return r.facts().validate(answer) }

func (f *facts) validate(answer []byte) error {
	top, ok := readObject(answer)
	if !ok {
		return fmt.Errorf("%w: not one object of strict JSON", ErrInvalid)
	}
	if w := f.validateAll(top); w != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, engine.Invalid(w.field, w.value, w.rule))
	}
	return nil
}

// wrong describes an invalid member. Its field is the path from the enclosing member.
type wrong struct{ field, value, rule string }

// in adds the path of the enclosing member.
func (w *wrong) in(format string, args ...any) *wrong {
	if w != nil {
		w.field = fmt.Sprintf(format, args...) + w.field
	}
	return w
}

func (f *facts) validateAll(top members) *wrong {
	list, w := top.list("rates")
	if w != nil {
		return w
	}
	if len(list) == 0 {
		return &wrong{"rates", "[]", "at least one rate: answer 422 if there is none"}
	}
	doors, points := map[string]bool{}, map[string]int{}
	for i, raw := range list {
		m, ok := readObject(raw)
		if !ok {
			return &wrong{fmt.Sprintf("rates[%d]", i), string(raw), "an object, each member once"}
		}
		if w := f.validateRate(m, doors, points); w != nil {
			return w.in("rates[%d].", i)
		}
	}
	return top.rest()
}

func (f *facts) validateRate(m members, doors map[string]bool, points map[string]int) *wrong {
	kind, w := m.oneOf("type", "ship", "pickup")
	if w != nil {
		return w
	}
	code, w := m.line("code")
	if w != nil {
		return w
	}
	if kind == "ship" {
		if doors[code] {
			return &wrong{"code", code, "a code that no other ship rate has"}
		}
		doors[code] = true
	} else if points[code]++; points[code] > 10 {
		return &wrong{"code", code, "10 pickup rates with a code at most"}
	}
	for _, name := range []string{"name", "reference"} {
		if _, w := m.line(name); w != nil {
			return w
		}
	}
	if w := f.validatePrices(m); w != nil {
		return w
	}
	if w := m.period(); w != nil {
		return w
	}
	for _, name := range []string{"id_required", "phone_required", "accepts_cod"} {
		if w := m.flag(name); w != nil {
			return w
		}
	}
	if kind == "pickup" {
		if w := m.point(); w != nil {
			return w
		}
	}
	return m.rest()
}

func (f *facts) validatePrices(m members) *wrong {
	price, w := m.amount("price")
	if w != nil {
		return w
	}
	if m.has("price_merchant") {
		merchant, w := m.amount("price_merchant")
		if w != nil {
			return w
		}
		if !f.free && !price.Equal(merchant) {
			return &wrong{"price_merchant", merchant.String(), "the price, because no item has free shipping"}
		}
	}
	currency, w := m.line("currency")
	if w != nil {
		return w
	}
	if len(currency) != 3 || !strings.Contains(" "+currencies+" ", " "+currency+" ") {
		return &wrong{"currency", currency, "an ISO 4217 code"}
	}
	return nil
}

// members are the members of an object that are not checked yet.
type members map[string]json.RawMessage

// readObject reads an object without duplicate members, and nothing after it.
func readObject(data []byte) (members, bool) {
	if !utf8.Valid(data) || !json.Valid(data) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	m := members{}
	for dec.More() {
		name, err := dec.Token()
		key, ok := name.(string)
		if err != nil || !ok || m.has(key) {
			return nil, false
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return nil, false
		}
		m[key] = raw
	}
	return m, true
}

func (m members) has(name string) bool {
	_, ok := m[name]
	return ok
}

// take returns a member and removes it.
func (m members) take(name string) (json.RawMessage, *wrong) {
	raw, ok := m[name]
	if !ok {
		return nil, &wrong{name, "absent", "the member"}
	}
	delete(m, name)
	return raw, nil
}

// rest reports a member that was not checked.
func (m members) rest() *wrong {
	for name, raw := range m {
		return &wrong{name, string(raw), "no such member"}
	}
	return nil
}

func (m members) list(name string) ([]json.RawMessage, *wrong) {
	raw, w := m.take(name)
	if w != nil {
		return nil, w
	}
	var all []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &all) != nil {
		return nil, &wrong{name, string(raw), "a list"}
	}
	return all, nil
}

func (m members) text(name string) (string, *wrong) {
	raw, w := m.take(name)
	if w != nil {
		return "", w
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", &wrong{name, string(raw), "a text"}
	}
	return s, nil
}

// line returns a visible text without control characters.
func (m members) line(name string) (string, *wrong) {
	s, w := m.text(name)
	if w != nil {
		return "", w
	}
	shown := false
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return "", &wrong{name, s, "a text without control characters"}
		}
		shown = shown || r != ' '
	}
	if !shown {
		return "", &wrong{name, s, "a text, not empty"}
	}
	return s, nil
}

func (m members) oneOf(name string, words ...string) (string, *wrong) {
	s, w := m.text(name)
	if w != nil {
		return "", w
	}
	for _, word := range words {
		if s == word {
			return s, nil
		}
	}
	return "", &wrong{name, s, strings.Join(words, " or ")}
}

// flag checks that a member is true, false or absent.
func (m members) flag(name string) *wrong {
	if !m.has(name) {
		return nil
	}
	raw, _ := m.take(name)
	if s := string(raw); s != "true" && s != "false" {
		return &wrong{name, s, "true or false"}
	}
	return nil
}

// amount returns a number of 0 or more, without exponent.
func (m members) amount(name string) (client.Money, *wrong) {
	raw, w := m.take(name)
	if w != nil {
		return client.Money{}, w
	}
	amount, err := client.ParseMoney(string(raw))
	if err != nil || raw[0] == '-' {
		return client.Money{}, &wrong{name, string(raw), "a number of 0 or more, with up to 6 decimals"}
	}
	return amount, nil
}
