package client

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
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

	noError, internalError, refusedStream, cancelled uint32 = 0, 2, 7, 8

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

// streams is a server of HTTP/2 over net.Pipe: to each request, read whole, it writes what answer says, and hangs up if
// there is nothing to write.
type streams struct {
	answer   func(stream uint32, attempt int) (frames []byte, hangUp bool)
	attempts atomic.Int64
	all      sync.WaitGroup
}

func (s *streams) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	writes := make(chan []byte, 16)
	s.all.Go(func() {
		defer func() { _ = far.Close() }()
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
	return near, nil
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

// HTTP/2 can say that a request was not processed, and then it is sent again, creates included. Whatever else ends a stream
// leaves the outcome open.
func TestStreamsThatEnd(t *testing.T) {
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
		posts   int64 // that are sent in all; reads are sent again
		unknown bool
	}{
		{"refused", reset(refusedStream), 2, false},
		{"going away before it", goAway(func(uint32) uint32 { return 0 }), 2, false},
		{"internal error", reset(internalError), 1, true},
		{"cancelled", reset(cancelled), 1, true},
		{"going away after it", goAway(func(s uint32) uint32 { return s }), 1, true},
		{"answered by half", func(stream uint32) ([]byte, bool) {
			return append(frame(frameHeaders, flagEndHeaders, stream, statusOK), frame(frameData, 0, stream, `{"id":`)...), true
		}, 1, true},
		{"reset within the answer", func(stream uint32) ([]byte, bool) {
			half := append(frame(frameHeaders, flagEndHeaders, stream, statusOK), frame(frameData, 0, stream, `{"id":`)...)
			return append(half, frame(frameReset, 0, stream, words(internalError))...), false
		}, 1, true},
	} {
		for method, sent := range map[string]int64{"POST": c.posts, "GET": 2} {
			t.Run(c.name+"/"+method, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &streams{answer: func(stream uint32, attempt int) ([]byte, bool) {
						if attempt == 1 {
							return c.first(stream)
						}
						return fineStream(stream), false
					}}
					transport := NewTransport()
					transport.DialContext = s.dial
					transport.Protocols = new(http.Protocols)
					transport.Protocols.SetUnencryptedHTTP2(true)
					client := newTest(t, transport, func(c *Config) { c.BaseURL = "http://127.0.0.1" })
					start := time.Now()
					err := client.Do(t.Context(), Request{Method: method, Path: "/products", Body: 1}, nil)
					took := time.Since(start)
					transport.CloseIdleConnections()
					s.all.Wait()
					t.Logf("%d requests in %v: %v", s.attempts.Load(), took, err)
					if s.attempts.Load() != sent || errors.Is(err, ErrOutcomeUnknown) != (c.unknown && method == "POST") || (err == nil) != (sent == 2) {
						t.Errorf("%d requests, %v; want %d, and an unknown outcome %v", s.attempts.Load(), err, sent, c.unknown && method == "POST")
					}
				})
			})
		}
	}
}
