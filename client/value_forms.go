package client

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// forms decode types with a special JSON form directly, instead of calling their UnmarshalJSON. If they reject a value,
// UnmarshalJSON reads it.
var forms = wire.NewForms(
	wire.Reads(func(r *wire.Reader, id *ID) bool { return readInteger(r, (*int64)(id)) }),
	wire.Reads(func(r *wire.Reader, n *Int) bool { return readInteger(r, (*int64)(n)) }),
	wire.Reads(readMoney),
	wire.Reads(readTime),
	wire.Reads(readText),
	wire.Reads(readObject),
	wire.Through(func(z zonedTime) (CompletedAt, bool) {
		t, err := z.time()
		return CompletedAt(t), err == nil
	}),
	wire.Reads(func(r *wire.Reader, m *Measure) bool { return readTextOrNumber(r, (*string)(m)) }),
	wire.Reads(func(r *wire.Reader, c *Code) bool { return readTextOrNumber(r, (*string)(c)) }),
	wire.Wraps(func(a *OrderAddress) *plainAddress { return (*plainAddress)(a) }),
	wire.Lists[Text](),
	wire.Lists[InventoryLevel](),
	lax[ClientDetails](),
	lax[CustomerAddress](),
	lax[LineItemImage](),
	lax[LineItemIssues](),
	lax[PaymentDetails](),
	lax[PickupOption](),
	lax[PromotionalDiscount](),
)

func lax[T any]() wire.Form {
	return wire.Wraps(func(l *Nullable[T]) *T {
		l.Valid = true
		return &l.V
	})
}

// plainAddress is an OrderAddress without its methods.
type plainAddress OrderAddress

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

// readObject reads only the forms of an empty object, which are the most frequent.
func readObject(r *wire.Reader, to *Object) bool {
	switch r.Kind() {
	case '{':
		to.Members = map[string]json.RawMessage{}
		return r.Empty('{')
	case '[':
		to.Items = []json.RawMessage{}
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
