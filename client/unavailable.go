package client

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Unavailable reports whether an error says that another system cannot be used now: the platform, a server of the app,
// or its database. The record that the app works on is not at fault, so the same work will succeed later. These are
//
//   - ErrNoAnswer, ErrServer, ErrCircuitOpen and ErrIntermediary
//   - a redirect, a page or nothing in the place of JSON, as the login of a network answers
//   - errors of package net, timeouts and cut connections of net/http
//   - driver.ErrBadConn, sql.ErrConnDone, and errors of a database with a method SQLState that returns a code of the
//     classes 08 (connection), 53 (resources) and 57 (operator intervention, except 57014), or 25006 (read-only)
//
// The end of a context is none of them: it may be the fault of the caller.
func Unavailable(err error) bool {
	for _, down := range []error{
		ErrNoAnswer, ErrServer, ErrCircuitOpen, ErrIntermediary, engine.ErrRedirect, driver.ErrBadConn,
		sql.ErrConnDone,
	} {
		if errors.Is(err, down) {
			return true
		}
	}
	return unconnected(err) || unserved(err) || isPage(err)
}

// isPage reports whether an answer of success had a page or nothing in the place of JSON.
func isPage(err error) bool {
	var unread *DecodeError
	if !errors.As(err, &unread) || unread.Index >= 0 {
		return false
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(unread.Raw, []byte("\uFEFF")))
	return len(body) == 0 || body[0] == '<'
}

// unconnected reports whether a request or a connection of the standard library failed.
func unconnected(err error) bool {
	var dial *net.OpError
	var name *net.DNSError
	if errors.As(err, &dial) || errors.As(err, &name) {
		return true
	}
	var request *url.Error
	return errors.As(err, &request) && !errors.Is(err, context.Canceled) &&
		(request.Timeout() || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

// unserved reports whether a database did not execute a statement because of its own state.
func unserved(err error) bool {
	var database interface{ SQLState() string }
	if !errors.As(err, &database) {
		return false
	}
	code := database.SQLState()
	switch {
	case code == "25006":
		return true
	case code == "57014": // the statement was canceled
		return false
	}
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57")
}
