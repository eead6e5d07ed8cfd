package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what UnmarshalStrict accepts. A mebibyte of {} costs 252 MB as a
// slice of structs, so the number of values is bounded and not only the bytes.
const (
	MaxDepth  = 64
	MaxValues = 20_000
)

// UnmarshalStrict reads JSON from an untrusted sender into v. It refuses
// duplicate member names, invalid UTF-8, data after the value, more than
// MaxDepth levels and more than MaxValues values, before v is touched.
func UnmarshalStrict(data []byte, v any) error {
	if err := inspect(data); err != nil {
		return err
	}
	return jsonv2.Unmarshal(data, v)
}

func inspect(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	for values := 0; ; {
		ended := values > 0 && dec.StackDepth() == 0
		token, err := dec.ReadToken()
		switch {
		case ended && errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ended:
			return errors.New("JSON is followed by more data")
		}
		if dec.StackDepth() > MaxDepth {
			return fmt.Errorf("JSON nests deeper than %d levels", MaxDepth)
		}
		if k := token.Kind(); k != '}' && k != ']' {
			values++
		}
		if values > MaxValues {
			return fmt.Errorf("JSON holds more than %d values", MaxValues)
		}
	}
}
