package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// checkConnection connects to the program, so that what is wrong with the address is not taken for its certificate.
func checkConnection(ctx context.Context, e *exam) (outcome, error) {
	limited, cancel := context.WithTimeout(ctx, e.kind.limit()+patience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(limited, "tcp", e.dialled())
	if err != nil {
		return fail("%s: %s", e.dialled(), cause(err))
	}
	conn.Close()
	return pass("connected to %s", e.dialled())
}

// cause is why there was no connection, or why it ended, in words.
func cause(err error) string {
	name, unknown := errors.AsType[*net.DNSError](err)
	record, foreign := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case unknown && name.IsNotFound:
		return "no such host: the name " + name.Name + " has no address"
	case unknown:
		return fmt.Sprintf("the name %s could not be resolved: %v", name.Name, err)
	case late(err):
		return "nothing in time: the host is down, or a firewall drops the packets"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused: no program listens at this address and port"
	case foreign:
		return fmt.Sprintf("no TLS at this port, which answers %q: write http:// in the address, or another port", record.RecordHeader)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return fmt.Sprintf("the other side closed the connection (%v)", err)
	}
	return err.Error()
}
