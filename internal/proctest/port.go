package proctest

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// Address returns an address of 127.0.0.1 that nothing listens at, for a program that a test starts. Its port is below
// the ports that systems give to connections. Otherwise the connection that waits for the program could get that port.
// Until the test ends, no other call and no "refserver test" gets the port: a UDP port that belongs to it guards it.
func Address(t testing.TB) string {
	t.Helper()
	const least, ports = 20_000, 12_000
	for {
		port := least + rand.IntN(ports)
		at := func(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
		guard, err := net.ListenPacket("udp", at(port+ports))
		if err != nil {
			continue // somebody has it
		}
		l, err := net.Listen("tcp", at(port))
		if err != nil {
			guard.Close()
			continue
		}
		t.Cleanup(func() { guard.Close() })
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return l.Addr().String()
	}
}
