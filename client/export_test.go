package client

import (
	"context"
	"net/http"
	"reflect"
)

// DecodeList reads a list as the pages of a List are read.
func DecodeList[T any](ctx context.Context, c *Client, raw []byte) ([]T, error) {
	items, err := decodeItems(ctx, c, raw, reflect.TypeFor[[]T](), false)
	if !items.IsValid() {
		return nil, err
	}
	return items.Interface().([]T), err
}

// Decode reads a record as the answer to a call is read.
func Decode(ctx context.Context, c *Client, raw []byte, out any) error {
	return (&answer{call: &call{client: c}, header: http.Header{}, status: http.StatusOK, body: raw}).decode(ctx, out)
}

// Formed reports whether the forms take raw.
func Formed(raw []byte, out any) bool { return forms.Unmarshal(raw, out) }
