package client

import (
	"context"
	"reflect"
)

// DecodeList reads a list as the pages of a List are read.
func DecodeList[T any](ctx context.Context, c *Client, raw []byte) ([]T, error) {
	items, err := decodeItems(ctx, c, raw, reflect.TypeFor[[]T]())
	if !items.IsValid() {
		return nil, err
	}
	return items.Interface().([]T), err
}
