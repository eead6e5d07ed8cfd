package engine

import (
	"context"
	"net/http"
	"net/url"
)

// Service is a Core at one version of the API.
type Service struct {
	core    *Core
	version string
	kind    string
}

// AnyService is Service, and each type that is defined as it. Functions take them where methods of Service cannot be
// called: a defined type has none of them.
type AnyService interface {
	~struct {
		core    *Core
		version string
		kind    string
	}
}

// At returns a Core at a version of the API. It is cheap; services of one Core share everything.
func At(c *Core, version string) *Service { return &Service{core: c, version: version} }

// For returns the service for one kind of record, where one type of service serves several.
func (s *Service) For(kind string) *Service { return &Service{s.core, s.version, kind} }

// CoreOf returns the Core of a service.
func CoreOf[S AnyService](s *S) *Core { return Service(*s).core }

// VersionOf returns the version of the API that a service calls.
func VersionOf[S AnyService](s *S) string { return Service(*s).version }

// KindOf returns the kind of record that a service was made for by For; "" without it.
func KindOf[S AnyService](s *S) string { return Service(*s).kind }

// Do performs a request at the version of the service and decodes the answer into out. With a nil out the answer is
// discarded.
func Do[S AnyService](ctx context.Context, s *S, r Request, out any) error {
	r.Version = VersionOf(s)
	return CoreOf(s).Do(ctx, r, out)
}

// Ask performs a request at the version of the service, and returns what read makes of the answer, or of the error.
func Ask[S AnyService](ctx context.Context, s *S, r Request, read func(context.Context, *Answer, error) error) error {
	r.Version = VersionOf(s)
	return CoreOf(s).Ask(ctx, r, read)
}

// Result makes a request and returns the record of the answer, nil if it fails. An answer without a record is an error.
func Result[T any, S AnyService](ctx context.Context, s *S, r Request) (*T, error) {
	r.Result = true
	out := new(T)
	if err := Do(ctx, s, r, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Get reads the record at path.
func Get[T any, S AnyService](ctx context.Context, s *S, path string, q url.Values, args ...any) (*T, error) {
	return Result[T](ctx, s, Request{Path: path, Args: args, Query: q})
}

// Send writes in to path and returns the record of the answer.
func Send[T any, S AnyService](ctx context.Context, s *S, method, path string, in any, args ...any) (*T, error) {
	return Result[T](ctx, s, Request{Method: method, Path: path, Args: args, Body: in})
}

// Delete deletes the record at path.
func Delete[S AnyService](ctx context.Context, s *S, path string, args ...any) error {
	return Do(ctx, s, Request{Method: http.MethodDelete, Path: path, Args: args}, nil)
}

// List returns the list that spec describes; Service is set.
func List[S AnyService](s *S, spec ListSpec) Listing {
	service := Service(*s)
	spec.Service = &service
	return spec.Listing()
}
