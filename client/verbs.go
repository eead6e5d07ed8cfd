package client

import (
	"context"
	"net/http"
	"net/url"
)

// get reads the record at path.
func get[T any](ctx context.Context, v View, path string, q url.Values, args ...any) (*T, error) {
	return Result[T](ctx, v, Request{Path: path, Args: args, Query: q})
}

// send writes in to path and returns the record of the answer.
func send[T any](ctx context.Context, v View, method, path string, in any, args ...any) (*T, error) {
	return Result[T](ctx, v, Request{Method: method, Path: path, Args: args, Body: in})
}

// remove deletes the record at path.
func remove(ctx context.Context, v View, path string, args ...any) error {
	return v.Do(ctx, Request{Method: http.MethodDelete, Path: path, Args: args}, nil)
}

// Result makes a request and returns the record of the answer, nil if it fails. It is for packages that
// extend the client, as [NewList] is for their lists.
func Result[T any](ctx context.Context, v View, r Request) (*T, error) {
	out := new(T)
	if err := v.Do(ctx, r, out); err != nil {
		return nil, err
	}
	return out, nil
}
