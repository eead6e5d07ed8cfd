package wire

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one of an object. Name is without its quotes and escapes; Value is as it stands.
// Both may lie in what was read.
type Member struct{ Name, Value []byte }

// mostPlain is how many members the quick reader takes: it compares each name with all before.
const mostPlain = 16

// Members reads an object with the checks of [UnmarshalStrict] and leaves its values as
// they are. It is for readers that look at the members first and then know what to make of them.
func Members(data []byte) ([]Member, error) {
	if err := bound(data); err != nil {
		return nil, err
	}
	r := Reader{data: data, strict: true}
	if members, ok := r.members(); ok {
		return members, nil
	}
	o := object{data: data} // what is not in plain form is for the general decoder to judge
	err := UnmarshalStrict(data, &o)
	return o.members, err
}

// members takes a document that is an object with few members, whose names have no escapes.
func (r *Reader) members() (members []Member, ok bool) {
	members = make([]Member, 0, 4)
	ok = r.object(func(name []byte) bool {
		value, ok := r.Raw()
		twice := slices.ContainsFunc(members, func(m Member) bool { return bytes.Equal(m.Name, name) })
		members = append(members, Member{name, value[:len(value):len(value)]})
		return ok && !twice && len(members) <= mostPlain
	})
	return members, ok && r.Kind() == 0 && r.at == len(r.data)
}

var errNoObject = errors.New("must be a JSON object")

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
