package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/recording"
)

// dialer connects to an app.
func dialer(app string) (func(context.Context) (net.Conn, error), error) {
	u, err := url.Parse(app)
	if err != nil || !isWeb(u) || strings.Trim(u.Path, "/") != "" {
		return nil, misused("--app", app, "must be like http://127.0.0.1:3000; paths are passed on as they come")
	}
	port := u.Port()
	var plain net.Dialer
	if u.Scheme == "https" {
		if port == "" {
			port = "443"
		}
		config := &tls.Config{ServerName: u.Hostname(), NextProtos: []string{"http/1.1"}}
		secure := tls.Dialer{NetDialer: &plain, Config: config}
		return func(ctx context.Context) (net.Conn, error) {
			return secure.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
		}, nil
	}
	if port == "" {
		port = "80"
	}
	return func(ctx context.Context) (net.Conn, error) {
		return plain.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	}, nil
}

// itself reports whether an app is at the address of the recorder, which would call itself until nothing is left.
func itself(ctx context.Context, app string, listens net.Addr) bool {
	u, err := url.Parse(app)
	at, ok := listens.(*net.TCPAddr)
	if err != nil || !ok || u.Port() != strconv.Itoa(at.Port) {
		return false
	}
	found, err := net.DefaultResolver.LookupIPAddr(ctx, u.Hostname())
	if err != nil {
		return false // the first call reports it
	}
	for _, one := range found {
		if one.IP.Equal(at.IP) || one.IP.IsUnspecified() || at.IP.IsUnspecified() && one.IP.IsLoopback() {
			return true
		}
	}
	return false
}

// isWeb reports whether an address has only a scheme and a server.
func isWeb(u *url.URL) bool {
	return u.Hostname() != "" && (u.Scheme == "http" || u.Scheme == "https") && u.RawQuery == "" && u.User == nil
}

// openRecording opens a recording to append to it. It removes an unfinished line of a killed recorder. It rejects a
// file that is no recording, so that no other file is damaged by mistake.
func openRecording(name string) (_ *os.File, err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return f, err
	}
	first, err := bufio.NewReader(f).ReadBytes('\n')
	var line recording.Record
	if wrong := json.Unmarshal(first, &line); wrong != nil || line.At.IsZero() {
		if !slices.Contains(first, '\n') && strings.HasPrefix(string(first), `{"at":"`) {
			return f, f.Truncate(0) // the first line is unfinished
		}
		return nil, fmt.Errorf("%s: must be a recording or a new file; it was not changed", name)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	end, err := endOfLines(f, info.Size())
	if err != nil || end == info.Size() {
		return f, err
	}
	return f, f.Truncate(end)
}

// endOfLines returns the size of a file up to the end of its last whole line.
func endOfLines(f *os.File, size int64) (int64, error) {
	buffer := make([]byte, 64<<10)
	for at := size; at > 0; {
		n := min(at, int64(len(buffer)))
		if _, err := f.ReadAt(buffer[:n], at-n); err != nil {
			return 0, err
		}
		if i := strings.LastIndexByte(string(buffer[:n]), '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return 0, nil
}
