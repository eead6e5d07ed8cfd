package client

import "github.com/commerceplatform/commerce-go/internal/wire"

// Amount is an amount with its currency, in fulfillment orders. Its value is a JSON number on the wire; a string is
// also read.
type Amount struct {
	Value Money // exact; written as a JSON number
	// Currency is an ISO 4217 code.
	Currency string
	// Extra holds the members without a field.
	Extra Extra
}

// amount is the form of Amount on the wire.
type amount struct {
	Value    MoneyNumber `json:"value"`
	Currency string      `json:"currency"`
	Extra    Extra       `json:",embed"`
}

// MarshalJSON writes {value, currency} with the value as a number.
func (a Amount) MarshalJSON() ([]byte, error) {
	return wire.MarshalRecord(a.onWire())
}

// UnmarshalJSON reads {value, currency}, or [], "", false and null as the zero Amount.
func (a *Amount) UnmarshalJSON(data []byte) error {
	var v amount
	if wire.None(data) {
		*a = Amount{}
		return nil
	}
	if err := wire.Unmarshal(data, &v); err != nil {
		return err
	}
	*a = Amount{v.Value.Money, v.Currency, v.Extra}
	return nil
}

// MoneyNumber is Money that the platform writes as a JSON number. A string is also read. A number may have an exponent.
// Digits after the sixth decimal are floating-point noise of the platform and are rounded away. If the number is a
// field of a record, Config.OnDrift is called with its place.
type MoneyNumber struct{ Money }

// MarshalJSON writes a number.
func (m MoneyNumber) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a number or a string.
func (m *MoneyNumber) UnmarshalJSON(data []byte) error {
	err := m.Money.UnmarshalJSON(data)
	if err == nil || wire.Kind(data) == '"' {
		return err
	}
	var d Decimal
	if d.UnmarshalJSON(data) != nil {
		return err
	}
	exact, failed := d.Exact()
	if failed != nil {
		return err
	}
	rounded, failed := ParseMoney(exact.Round(mostFraction).String())
	if failed != nil {
		return err
	}
	m.Money = rounded
	return nil
}

// mostFraction is the number of decimals that an amount may have.
const mostFraction = 6

// isWhole reports whether an amount requires no rounding.
func isWhole(raw []byte) bool {
	_, err := ParseMoney(string(raw))
	return err == nil || wire.Kind(raw) == '"' || wire.Kind(raw) == 'n'
}
