package client_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/condition"
)

// state is an error of a database.
type state string

func (s state) Error() string    { return "database: " + string(s) }
func (s state) SQLState() string { return string(s) }

// A system that is down is distinguished from a mistake of the app and a refusal by the platform.
func TestUnavailable(t *testing.T) {
	get := func(err error) error { return &url.Error{Op: "Get", URL: "https://erp.example", Err: err} }
	late := http.Client{Timeout: 1}
	_, timeout := late.Get("http://192.0.2.1/") // the time is over before anything is sent
	if timeout == nil {
		t.Fatal("no error of a client whose time is over")
	}
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{client.ErrServer, true},
		{client.ErrNoAnswer, true},
		{client.ErrCircuitOpen, true},
		{client.ErrIntermediary, true},
		{&client.Error{Status: http.StatusBadGateway}, true},
		{fmt.Errorf("import: %w", errors.Join(errors.New("a"), client.ErrServer)), true},
		{&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		{&net.DNSError{Name: "erp.example"}, true},
		{get(io.EOF), true},
		{get(io.ErrUnexpectedEOF), true},
		{get(os.ErrDeadlineExceeded), true},
		{timeout, true},
		{driver.ErrBadConn, true},
		{sql.ErrConnDone, true},
		{state("08006"), true},
		{state("53300"), true},
		{state("57P01"), true},
		{state("25006"), true},

		{condition.ErrRedirect, true},
		{&client.DecodeError{Index: -1, Raw: []byte("\uFEFF <html>Sign in")}, true},
		{&client.DecodeError{Index: -1}, true},

		{nil, false},
		{&client.DecodeError{Index: -1, Raw: []byte(`{"id":"x"}`)}, false},
		{&client.DecodeError{Index: 3, Raw: []byte("<")}, false},
		{errors.New("the order has no address"), false},
		{client.ErrNotFound, false},
		{client.ErrUnauthorized, false},
		{client.ErrValidation, false},
		{client.ErrRateLimited, false},
		{context.Canceled, false},
		{context.DeadlineExceeded, false},
		{get(context.Canceled), false},
		{&url.Error{Op: "parse", URL: ":", Err: errors.New("missing protocol scheme")}, false},
		{io.EOF, false},
		{sql.ErrNoRows, false},
		{state("40001"), false},
		{state("23505"), false},
		{state("57014"), false},
		{state(""), false},
	} {
		if got := client.Unavailable(tt.err); got != tt.want {
			t.Errorf("%v: got %t, want %t", tt.err, got, tt.want)
		}
	}
}
