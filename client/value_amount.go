package client

import "github.com/commerceplatform/commerce-go/internal/wire"

// Amount is an amount with its currency, in fulfillment orders. Unlike elsewhere
// the value is a JSON number there; it is read from a string too.
type Amount struct {
	Value Money // exact, written as a JSON number
	// Currency is an ISO 4217 code.
	Currency string
	// Extra holds the members that have no field.
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
	if none(data) {
		*a = Amount{}
		return nil
	}
	if err := wire.Unmarshal(data, &v); err != nil {
		return err
	}
	*a = Amount{v.Value.Money, v.Currency, v.Extra}
	return nil
}

// MoneyNumber is Money that the platform writes as a JSON number. It is read from
// a string too. A number may have an exponent, and what it has behind the sixth
// decimal is the noise of a platform that computes in floating point: that is
// rounded away, and Config.OnDrift told where the record has the number as a field.
type MoneyNumber struct{ Money }

// MarshalJSON writes a number.
func (m MoneyNumber) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalJSON reads a number or a string.
func (m *MoneyNumber) UnmarshalJSON(data []byte) error {
	err := m.Money.UnmarshalJSON(data)
	if err == nil || kind(data) == '"' {
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
	rounded, failed := ParseMoney(exact.Round(moneyFraction).String())
	if failed != nil {
		return err
	}
	m.Money = rounded
	return nil
}

// isWhole reports whether nothing of an amount has to be rounded away.
func isWhole(raw []byte) bool {
	_, ok := parseMoney(raw)
	return ok || kind(raw) == '"' || kind(raw) == 'n'
}
