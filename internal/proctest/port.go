package proctest

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// Address returns an address of 127.0.0.1 that nothing listens at, for a program that a test starts. Its port is below
// the ports that systems give to connections. Otherwise the connection that waits for the program could get that port.
func Address(t testing.TB) string {
	t.Helper()
	const least, ports = 20_000, 12_000
	for {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(least+rand.IntN(ports))))
		if err != nil {
			continue // somebody has it
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return l.Addr().String()
	}
}
