package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/webhook"
)

// unavailable adds webhook.ErrUnavailable to an error of a server that does not answer or cannot write now. A server
// that refuses the role, the database or the tables is available.
func unavailable(err error) error {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err) // also a deadline
	down := connecting || network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
	if code := codeOf(err); len(code) == 5 {
		switch code[:2] {
		case "08", "53", "58": // connection, resources, files of the server
			down = true
		default:
			down = unfit(err) && code != stalePlan && code != staleRow || idled(err) || code == lockNotAvailable
		}
	}
	if !down {
		return err
	}
	return fmt.Errorf("%w: %w", webhook.ErrUnavailable, err)
}
