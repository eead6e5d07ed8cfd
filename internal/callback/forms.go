package callback

import (
	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Forms returns the forms of a kind of call: those of values of package client, and its own ones.
func Forms(own ...wire.Form) *wire.Forms {
	return wire.NewForms(append(own, wire.Reads(ReadID), wire.Reads(ReadInt), wire.Reads(ReadCode))...)
}

// ReadID reads an integer in its usual form.
func ReadID(r *wire.Reader, v *value.ID) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Scalar()
	if !ok {
		return false
	}
	n, ok := Digits(text)
	*v = value.ID(n)
	return ok
}

// ReadInt reads an integer in its usual form.
func ReadInt(r *wire.Reader, v *value.Int) bool { return ReadID(r, (*value.ID)(v)) }

// ReadCode reads a text.
func ReadCode(r *wire.Reader, v *value.Code) bool {
	if r.Null() {
		return true
	}
	text, ok := r.Text()
	*v = value.Code(text)
	return ok
}

// Digits returns the value of up to 18 digits.
func Digits(text []byte) (n int64, ok bool) {
	for _, b := range text {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = n*10 + int64(b-'0')
	}
	return n, len(text) > 0 && len(text) <= 18
}
