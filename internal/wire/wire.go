package wire

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Option changes how one call of Unmarshal reads.
type Option = jsonv2.Options

// Marshal writes v. Members of maps are sorted, so equal values give equal bytes.
func Marshal(v any) ([]byte, error) {
	return jsonv2.Marshal(v, jsonv2.Deterministic(true))
}

// Unmarshal reads an answer of the platform into v. Duplicate member names
// (the last one wins) and invalid UTF-8 (replaced by U+FFFD) are tolerated.
func Unmarshal(data []byte, v any, opts ...Option) error {
	all := append([]Option{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}, opts...)
	return jsonv2.Unmarshal(data, v, all...)
}

// Valid reports whether data is JSON, in which names may come twice and texts may be no UTF-8.
func Valid(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Watch returns an option that calls report, with the JSON pointer of the value,
// for every T that arrives in a form that canonical does not accept. T is a type
// whose pointer reads itself from JSON; it is read as without the option.
func Watch[T any](canonical func(raw []byte) bool, report func(pointer string, raw []byte)) Option {
	read := func(dec *jsontext.Decoder, v *T) error {
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if !canonical(raw) {
			report(string(dec.StackPointer()), raw)
		}
		return any(v).(json.Unmarshaler).UnmarshalJSON(raw)
	}
	return jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(read))
}

// Watchers combines the options of several calls of Watch into one.
func Watchers(watches ...Option) Option {
	var all []*jsonv2.Unmarshalers
	for _, w := range watches {
		if u, ok := jsonv2.GetOption(w, jsonv2.WithUnmarshalers); ok {
			all = append(all, u)
		}
	}
	return jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(all...))
}

// ReadBy returns an option that has read fill every T from its JSON, in which the decoder found
// no mistake and which read must not keep. Make it once: what it knows about types is kept in it.
func ReadBy[T any](read func(raw []byte, v *T) error) Option {
	return jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *T) error {
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		return read(raw, v)
	}))
}
