package condition

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
)

// Unavailable reports whether an error says that another system cannot be used now. Package client documents it.
func Unavailable(err error) bool {
	for _, down := range []error{
		ErrNoAnswer, ErrServer, ErrCircuitOpen, ErrIntermediary, ErrRedirect, ErrPage, driver.ErrBadConn,
		sql.ErrConnDone,
	} {
		if errors.Is(err, down) {
			return true
		}
	}
	return unconnected(err) || unserved(err)
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
