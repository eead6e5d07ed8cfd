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
//
// An answer without a record is a *[DecodeError], and ErrOutcomeUnknown after a write: one without content, null, one
// without id if T has a field ID for the member id, or, if T keeps unknown members in a field Extra, one with unknown
// members only. An ID may be missing if the query chooses fields without it, if it is a pointer, or if its tag has
// omitzero. A T that is a slice needs content after a write only, and an id in each item. The id is not
// compared with that of the request, because the platform may answer with the record that took its place.
func Result[T any](ctx context.Context, v View, r Request) (*T, error) {
	r.result = true
	out := new(T)
	if err := v.Do(ctx, r, out); err != nil {
		return nil, err
	}
	return out, nil
}
