package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
)

// Each way in which a connection fails has its own words.
func TestCauses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		err  error
		want string
	}{
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "connection refused: no program listens at this address and port"},
		{&net.DNSError{Name: "app.example", IsNotFound: true}, "no such host: the name app.example has no address"},
		{fmt.Errorf("dial: %w", context.DeadlineExceeded), "nothing in time: the host is down, or a firewall drops the packets"},
		{io.EOF, "the other side closed the connection (EOF)"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "the other side closed the connection (read: connection reset by peer)"},
		{errors.New("malformed HTTP response"), "malformed HTTP response"},
	} {
		if got := cause(row.err); got != row.want {
			t.Errorf("%v: got %q, want %q", row.err, got, row.want)
		}
	}
}
