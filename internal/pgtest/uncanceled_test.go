package pgtest

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
)

// A connection is forwarded, with its first message in one piece. A request to cancel a query is not.
func TestUncanceled(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	front, err := newUncanceled(server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer front.close()
	send := func(code uint32, rest string) net.Conn {
		conn, err := net.Dial("tcp", front.address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		start := binary.BigEndian.AppendUint32(nil, uint32(8+len(rest)))
		if _, err := conn.Write(append(binary.BigEndian.AppendUint32(start, code), rest...)); err != nil {
			t.Fatal(err)
		}
		return conn
	}

	cancel := send(cancelCode, "12345678")
	if n, err := cancel.Read(make([]byte, 1)); err == nil {
		t.Errorf("a request to cancel was answered with %d bytes, want its connection closed", n)
	}
	client := send(3<<16, "user\x00test\x00\x00")
	conn, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	first := make([]byte, 100)
	n, err := conn.Read(first)
	if err != nil || n != 8+len("user\x00test\x00\x00") || binary.BigEndian.Uint32(first[4:]) != 3<<16 {
		t.Fatalf("the server read %q, %v: want the first message, and no request to cancel", first[:n], err)
	}
	if _, err := conn.Write([]byte("R")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(client, first[:1]); err != nil || first[0] != 'R' {
		t.Errorf("the client read %q, %v: want R", first[:1], err)
	}
	_ = client.Close()
	if _, err := conn.Read(first); err == nil {
		t.Error("the server reads on after the client has closed")
	}
}
