package clienttest_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// A path that is misspelt is named in the error that the app has, and in the log that the test has.
func TestHints(t *testing.T) {
	srv := clienttest.New(t)
	c := srv.Client()
	for _, tc := range []struct {
		call client.Request
		hint string
	}{
		{client.Request{Method: http.MethodGet, Path: "/prodcuts"}, "No operation of v1 has this path; the nearest is GET /products"},
		{client.Request{Method: http.MethodGet, Path: "/pages"}, "GET /pages is in 2025-03 and unstable, not in v1"},
		{client.Request{Method: http.MethodPatch, Path: "/products"}, "The path has the methods GET, POST, HEAD"},
		{client.Request{Method: http.MethodGet, Path: "/store"}, ""},
	} {
		tc.call.Version = client.VersionV1
		err := c.Do(t.Context(), tc.call, nil)
		requests := srv.Requests()
		if got := requests[len(requests)-1].Hint; got != tc.hint {
			t.Errorf("%s: got the hint %q, want %q", tc.call.Path, got, tc.hint)
		}
		if refused, ok := errors.AsType[*client.Error](err); ok != (tc.hint != "") || ok && refused.Description != tc.hint {
			t.Errorf("%s: got %v, want %q", tc.call.Path, err, tc.hint)
		}
	}
}
