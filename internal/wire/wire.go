package wire

import (
	"encoding/json"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Option changes how one call of Unmarshal reads.
type Option = jsonv2.Options

// Marshal writes v. Members of maps are sorted, so equal values give equal bytes.
func Marshal(v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv2.Deterministic(true), writesByFields)
}

// Unmarshal reads an answer of the platform into v. Duplicate member names (the last one wins, whatever the others
// are), invalid UTF-8 (replaced by U+FFFD) and values in another form than their type, such as "5" for 5, are
// tolerated.
func Unmarshal(data []byte, v any, opts ...Option) error {
	opts = tolerant(opts)
	err := jsonv2.Unmarshal(data, v, opts...)
	if err != nil {
		if last, repeated := lastMembers(data); repeated {
			err = jsonv2.Unmarshal(last, v, opts...)
		}
	}
	return err
}

// Text returns a value as Unmarshal reads it where a record has a text: a string, or the text of a number, true or
// false.
func Text(data []byte) (string, error) {
	var text string
	if len(data) > 0 && data[0] == '"' {
		err := Unmarshal(data, &text)
		return text, err
	}
	var list [1]string
	err := Unmarshal(slices.Concat([]byte("["), data, []byte("]")), &list)
	return list[0], err
}

// exact are the options of UnmarshalExact.
var exact = jsonv2.JoinOptions(strict, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// UnmarshalExact is Unmarshal for values in the form of their type alone. It is for readers that find out what was
// sent, and for types of the app.
func UnmarshalExact(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, exact)
}

// Valid reports whether data is JSON, in which names may come twice and texts may be no UTF-8.
func Valid(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// A Watcher is called with the JSON pointer of a value that has another form than its type, the form that was due, and
// the value, which it must not keep.
type Watcher func(pointer, form string, raw []byte)

// Watch is a type whose values are watched. See [Watching].
type Watch struct {
	unmarshalers func(Watcher) *jsonv2.Unmarshalers
}

// Watched is the watch of the values of T that canonical does not accept as the form. T is a type whose pointer reads
// itself from JSON; it is read as without the watch.
func Watched[T any](form string, canonical func(raw []byte) bool) Watch {
	return Watch{func(report Watcher) *jsonv2.Unmarshalers {
		return jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *T) error {
			if err := begin(dec, v); err != nil {
				return err
			}
			raw, err := dec.ReadValue()
			if err != nil {
				return err
			}
			if !canonical(raw) {
				report(string(dec.StackPointer()), form, raw)
			}
			return any(v).(json.Unmarshaler).UnmarshalJSON(raw)
		})
	}}
}

// Watching returns an option of Unmarshal and UnmarshalList that calls report for each tolerated form, among them those
// of the watched types.
func Watching(report Watcher, watches ...Watch) Option {
	var all []*jsonv2.Unmarshalers
	for _, w := range watches {
		all = append(all, w.unmarshalers(report))
	}
	all = append(all, tolerance{report}.unmarshalers())
	return jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(all...))
}

// ReadBy returns an option that has read fill every T from its JSON, in which the decoder found no mistake and which
// read must not keep. Make it once, because it caches the readers of types.
func ReadBy[T any](read func(raw []byte, v *T) error) Option {
	own := jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *T) error {
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		return read(raw, v)
	})
	return jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(own, readsByFields))
}
