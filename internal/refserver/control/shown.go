package control

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// masked takes the place of a secret.
const masked = "***"

// secrets are the members whose values are not shown.
var secrets = []string{
	"access_token", "refresh_token", "client_secret", "api_key", "password", "secret_key", "private_key",
}

// shown is a body as it is shown: JSON as such, without secrets, other text as text, null if there is none.
func shown(raw []byte) any {
	switch {
	case len(raw) == 0:
		return nil
	case !json.Valid(raw):
		return strings.ToValidUTF8(string(raw), "�")
	}
	lower := bytes.ToLower(raw)
	for _, name := range append([]string{`\u`}, secrets...) { // an escape can be part of a name
		if bytes.Contains(lower, []byte(name)) {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			var v any
			if d.Decode(&v) != nil {
				return nil // nested too deep to be looked through
			}
			return mask(v)
		}
	}
	return json.RawMessage(raw)
}

// mask replaces the secrets in a value.
func mask(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = mask(value)
			for _, hidden := range secrets {
				if strings.EqualFold(name, hidden) {
					v[name] = masked
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = mask(v[i])
		}
	}
	return v
}

// stamp is a time as it is shown, null for the zero time.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339Nano)
	return &s
}

// ms is a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// amount is an amount of money in a body: a text or a number of at most 15 digits, with two decimals at most.
type amount struct{ decimal.Decimal }

// UnmarshalJSON reads an amount without exponent, whose value could be endless.
func (a *amount) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	whole, cents, point := strings.Cut(text, ".")
	digits := func(s string, most int) bool { return s != "" && len(s) <= most && strings.Trim(s, "0123456789") == "" }
	if text == "null" {
		return nil
	}
	if !digits(whole, 15) || point && !digits(cents, 2) {
		return illegible[amount](text)
	}
	var err error
	a.Decimal, err = decimal.NewFromString(text)
	return err
}

// illegible is the error of a text that a type cannot read. The decoder adds the name of the member.
func illegible[T any](text string) error {
	return &json.UnmarshalTypeError{Value: cut(text), Type: reflect.TypeFor[T]()}
}

// forms are the rules of the types whose texts have a form.
var forms = map[reflect.Type]string{
	reflect.TypeFor[amount](): "must be an amount such as 12.50",
	reflect.TypeFor[span]():   "must be a duration such as 48h or 800ms",
}

// money is an amount as it is shown.
func money(d decimal.Decimal) string { return d.StringFixed(2) }

// span is a duration in a body, as text such as "48h".
type span time.Duration

// UnmarshalJSON reads a duration.
func (s *span) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return illegible[span](string(raw))
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return illegible[span](text)
	}
	*s = span(d)
	return nil
}

// MarshalJSON writes a duration as text.
func (s span) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).String()) }
