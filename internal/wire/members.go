package wire

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one of an object. Name is without its quotes and escapes; Value is as it stands.
// Both may lie in what was read.
type Member struct{ Name, Value []byte }

// Members reads an object with the checks of [UnmarshalStrict] and leaves its values as
// they are. It is for readers that look at the members first and then know what to make of them.
func Members(data []byte) ([]Member, error) {
	o := object{data: data}
	err := UnmarshalStrict(data, &o)
	return o.members, err
}

var errNoObject = errors.New("want a JSON object")

type object struct {
	data    []byte
	members []Member
}

// UnmarshalJSONFrom implements the decoder's interface, which spares a decoder of one's own.
func (o *object) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return errNoObject
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	o.members = make([]Member, 0, 4)
	for d.PeekKind() != '}' {
		name, err := o.read(d)
		if err != nil {
			return err
		}
		if name, err = unquoted(name); err != nil {
			return err
		}
		value, err := o.read(d)
		if err != nil {
			return err
		}
		o.members = append(o.members, Member{name, value})
	}
	_, err := d.ReadToken()
	return err
}

// read returns the next value, in data: the decoder reuses what it returns.
func (o *object) read(d *jsontext.Decoder) ([]byte, error) {
	raw, err := d.ReadValue()
	end := int(d.InputOffset())
	return o.data[end-len(raw) : end : end], err
}

// unquoted returns what is in a valid string.
func unquoted(raw []byte) ([]byte, error) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	return jsontext.AppendUnquote(nil, raw)
}
