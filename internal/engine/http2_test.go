package engine

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Frames of HTTP/2, as RFC 9113 has them.
const (
	frameData, frameHeaders, frameReset, frameSettings, frameGoAway byte = 0, 1, 3, 4, 7

	flagEndStream, flagEndHeaders byte = 1, 4

	noError, protocolError, internalError, refusedStream, cancelled uint32 = 0, 1, 2, 7, 8

	preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	// statusOK is the header block of ":status: 200".
	statusOK = "\x88"
)

func frame(kind, flags byte, stream uint32, payload string) []byte {
	size := len(payload)
	b := []byte{byte(size >> 16), byte(size >> 8), byte(size), kind, flags}
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

// words is a payload of 32-bit numbers.
func words(n ...uint32) string {
	var b []byte
	for _, n := range n {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return string(b)
}

func fineStream(stream uint32) []byte {
	return append(frame(frameHeaders, flagEndHeaders, stream, statusOK), frame(frameData, flagEndStream, stream, `{}`)...)
}

// identity returns a certificate of a server and what its clients check that by.
func identity() (server, client *tls.Config) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	protocols := []string{"h2"}
	return &tls.Config{Certificates: s.TLS.Certificates, NextProtos: protocols}, &tls.Config{RootCAs: roots, ServerName: "example.com", NextProtos: protocols}
}

// streams is a server of HTTP/2 over net.Pipe: to each request, read whole, it writes what answer says, and hangs up if
// there is nothing to write.
type streams struct {
	server   *tls.Config
	client   *tls.Config
	answer   func(stream uint32, attempt int) (frames []byte, hangUp bool)
	attempts atomic.Int64
	all      sync.WaitGroup
}

func (s *streams) dial(context.Context, string, string) (net.Conn, error) {
	near, pipe := net.Pipe()
	far := tls.Server(pipe, s.server)
	writes := make(chan []byte, 16)
	s.all.Go(func() {
		defer func() { _ = pipe.Close() }()
		for frames := range writes {
			if _, err := far.Write(frames); err != nil {
				return
			}
		}
	})
	s.all.Go(func() {
		s.read(far, writes)
		close(writes)
		_, _ = io.Copy(io.Discard, far) // or the client could not write while it reads
	})
	return tls.Client(near, s.client), nil
}

// read reads requests, and has the answers written, until it is time to hang up.
func (s *streams) read(far net.Conn, writes chan<- []byte) {
	writes <- frame(frameSettings, 0, 0, "")
	if _, err := io.ReadFull(far, make([]byte, len(preface))); err != nil {
		return
	}
	for head := make([]byte, 9); ; {
		if _, err := io.ReadFull(far, head); err != nil {
			return
		}
		size := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
		if _, err := io.CopyN(io.Discard, far, size); err != nil {
			return
		}
		if kind, ends := head[3], head[4]&flagEndStream != 0; kind > frameHeaders || !ends {
			continue
		}
		frames, hangUp := s.answer(binary.BigEndian.Uint32(head[5:]), int(s.attempts.Add(1)))
		writes <- frames
		if hangUp {
			return
		}
	}
}

// HTTP/2 can say that a request was not processed, and then it is sent again, creates included. Whatever else ends a
// stream leaves the outcome open.
func TestStreamsThatEnd(t *testing.T) {
	server, client := identity()
	reset := func(code uint32) func(uint32) ([]byte, bool) {
		return func(stream uint32) ([]byte, bool) { return frame(frameReset, 0, stream, words(code)), false }
	}
	goAway := func(last func(uint32) uint32) func(uint32) ([]byte, bool) {
		return func(stream uint32) ([]byte, bool) {
			return frame(frameGoAway, 0, 0, words(last(stream), noError)), true
		}
	}
	for _, c := range []struct {
		name    string
		first   func(stream uint32) ([]byte, bool)
		refused bool // says that nothing was done
	}{
		{"refused", reset(refusedStream), true},
		{"going away before it", goAway(func(uint32) uint32 { return 0 }), true},
		{"protocol error", reset(protocolError), false},
		{"internal error", reset(internalError), false},
		{"cancelled", reset(cancelled), false},
		{"going away after it", goAway(func(s uint32) uint32 { return s }), false},
		{"answered by half", func(stream uint32) ([]byte, bool) {
			return append(frame(frameHeaders, flagEndHeaders, stream, statusOK), frame(frameData, 0, stream, `{"id":`)...), true
		}, false},
		{"reset within the answer", func(stream uint32) ([]byte, bool) {
			half := append(frame(frameHeaders, flagEndHeaders, stream, statusOK), frame(frameData, 0, stream, `{"id":`)...)
			return append(half, frame(frameReset, 0, stream, words(internalError))...), false
		}, false},
	} {
		for _, r := range []Request{{Path: "/store"}, {Method: "POST", Path: "/products", Body: 1}, {Method: "POST", Path: "/products"}} {
			for _, warm := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s %v, warm %v", c.name, r.method(), r.Body, warm), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						// The first answer tells that this is HTTP/2. Without one, and without a body, a create is
						// never sent again.
						known := warm && r.Body != nil
						want, unknown := int64(2), false
						if r.method() == "POST" && (!c.refused || !known) {
							want, unknown = 1, true
						}
						s := &streams{server: server, client: client}
						s.end(t, c.first, r, warm, want, unknown)
					})
				})
			}
		}
	}
}

// end makes a request whose first stream ends early, and wants so many requests to reach the server.
func (s *streams) end(t *testing.T, first func(uint32) ([]byte, bool), r Request, warm bool, want int64, unknown bool) {
	t.Helper()
	ends := int64(1)
	s.answer = func(stream uint32, attempt int) ([]byte, bool) {
		if int64(attempt) == ends {
			return first(stream)
		}
		return fineStream(stream), false
	}
	transport := &http.Transport{ForceAttemptHTTP2: true, IdleConnTimeout: 45 * time.Second}
	transport.DialTLSContext = s.dial
	client := newTest(t, transport)
	if warm {
		ends++
		if err := client.Do(t.Context(), Request{Path: "/store"}, nil); err != nil {
			t.Error(err)
		}
	}
	err := client.Do(t.Context(), r, nil)
	transport.CloseIdleConnections()
	s.all.Wait()
	got := s.attempts.Load() - ends + 1
	t.Logf("%d requests: %v", got, err)
	if got != want || errors.Is(err, ErrOutcomeUnknown) != unknown || (err == nil) == unknown {
		t.Errorf("%d requests, %v; want %d, and an unknown outcome %v", got, err, want, unknown)
	}
}
