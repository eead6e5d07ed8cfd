package value

import "github.com/commerceplatform/commerce-go/internal/wire"

// Forms returns how the values are decoded directly, instead of by UnmarshalJSON. It is for the packages of this
// module. If a form rejects a value, UnmarshalJSON reads it.
func Forms() []wire.Form {
	return []wire.Form{
		wire.Reads(func(r *wire.Reader, id *ID) bool { return readInteger(r, (*int64)(id)) }),
		wire.Reads(func(r *wire.Reader, n *Int) bool { return readInteger(r, (*int64)(n)) }),
		wire.Reads(readMoney),
		wire.Reads(readTime),
		wire.Reads(readText),
		wire.Through(func(z zonedTime) (CompletedAt, bool) {
			t, err := z.time()
			return CompletedAt(t), err == nil
		}),
		wire.Reads(func(r *wire.Reader, m *Measure) bool { return readTextOrNumber(r, (*string)(m)) }),
		wire.Reads(func(r *wire.Reader, c *Code) bool { return readTextOrNumber(r, (*string)(c)) }),
		wire.Lists[Text](),
	}
}

func readInteger(r *wire.Reader, to *int64) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Scalar()
	if !ok || len(text) == 0 {
		return ok
	}
	digits, negative := text, text[0] == '-'
	if negative {
		digits = text[1:]
	}
	n, ok := parseDigits(digits)
	if negative {
		n = -n
	}
	*to = n
	return ok
}

// parseDigits reads up to 18 digits, which always fit into an int64.
func parseDigits(digits []byte) (n int64, ok bool) {
	for _, b := range digits {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = 10*n + int64(b-'0')
	}
	return n, len(digits) > 0 && len(digits) <= moneyDigits
}

func readMoney(r *wire.Reader, to *Money) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Scalar()
	if !ok || len(text) == 0 {
		return ok
	}
	*to, ok = parseMoney(text)
	return ok
}

func readTime(r *wire.Reader, to *Time) bool {
	if r.Null() {
		return true
	}
	if r.Kind() != '"' {
		return false
	}
	text, ok := r.Scalar()
	if !ok || len(text) == 0 {
		return ok
	}
	t, ok := parseUTC(text)
	*to = Time{t}
	return ok
}

func readText(r *wire.Reader, to *Text) bool {
	switch r.Kind() {
	case '{':
		texts, ok := r.Texts()
		*to = texts
		return ok
	case '"':
		s, ok := r.Text()
		*to = Plain(s)
		return ok
	case '[':
		*to = Text{}
		return r.Empty('[')
	}
	return r.Null()
}

func readTextOrNumber(r *wire.Reader, to *string) (ok bool) {
	switch r.Kind() {
	case '"':
		*to, ok = r.Text()
		return ok
	case '0':
		text, ok := r.Scalar()
		*to = r.Keep(text)
		return ok
	}
	return r.Null()
}
