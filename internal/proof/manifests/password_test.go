package manifests

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"
)

// The password of the environment reaches the database that -database names, as the user of the URL.
func TestPassword(t *testing.T) {
	p := program
	for _, c := range p.containers(t) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(c.flag("database"))
		if err != nil {
			t.Fatal(err)
		}
		u.Host, u.RawQuery = l.Addr().String(), strings.Replace(u.RawQuery, "sslmode=verify-full", "sslmode=disable", 1)
		got := make(chan string, 1)
		go func() {
			defer l.Close()
			startup, password, err := login(l)
			got <- fmt.Sprintf("%q %q %v", startup, password, err)
		}()
		err = p.try(t.Context(), c.here(map[string]string{"database": u.String(), "listen": "127.0.0.1:0"}), c.env)
		_ = l.Close()
		if said := <-got; !strings.Contains(said, `user\x00app\x00`) || !strings.Contains(said, `"cnry_pass" <nil>`) {
			t.Errorf("%s: the database hears %s", c.name, said)
		}
		if err == nil || strings.Contains(err.Error(), "cnry") {
			t.Errorf("%s: without a database: %v", c.name, err)
		}
	}
}

// login is the beginning of a PostgreSQL that asks for the password in plain text.
func login(l net.Listener) (startup, password string, err error) {
	conn, err := l.Accept()
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return "", "", err
	}
	message := func() (string, error) {
		var size [4]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return "", err
		}
		text := make([]byte, min(max(0, int64(binary.BigEndian.Uint32(size[:]))-4), 1<<16))
		_, err := io.ReadFull(conn, text)
		return string(text), err
	}
	if startup, err = message(); err != nil {
		return startup, "", err
	}
	if _, err := conn.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3}); err != nil { // AuthenticationCleartextPassword
		return startup, "", err
	}
	if _, err := io.ReadFull(conn, make([]byte, 1)); err != nil { // 'p', PasswordMessage
		return startup, "", err
	}
	password, err = message()
	return startup, strings.TrimSuffix(password, "\x00"), err
}
