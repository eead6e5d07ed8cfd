package callback

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// ErrEncoded is what Bodies.Read returns for a body with a Content-Encoding, because the signature and the limit are
// those of the body as it was sent.
var ErrEncoded = errors.New("the body is compressed")

// Open begins with a request: it must have arrived whole by the deadline, and is to be refused
// with 405 if Open reports that its method is another one. One that came in chunks is the last on
// its connection.
func Open(w http.ResponseWriter, r *http.Request, method string, deadline time.Time) bool {
	// Not every writer can do this; the server's own limits hold then. The deadline stays
	// unless the body is read whole, so that a refused sender cannot drip on.
	_ = http.NewResponseController(w).SetReadDeadline(deadline)
	// The platform sends a length. If a request has both a length and chunks, net/http drops the length. A proxy that
	// used the length disagrees about where this body ends and the next request begins.
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	if r.Method != method {
		w.Header().Set("Allow", method)
		return false
	}
	return true
}

// ErrFull is what Bodies.Read returns if too many bytes of other bodies are being received.
var ErrFull = errors.New("too many bytes of bodies are being received")

// firstPart is the size that is allocated for a body before any of it has arrived.
const firstPart = 4 << 10

// Bodies bounds the memory of the bodies that a handler receives, from their first byte until Done.
//
// A quarter of it is for the first 4 KiB of each body, so that a flood of large bodies rejects no call of the usual
// size.
type Bodies struct {
	most int64
	held atomic.Int64
}

// NewBodies returns Bodies with room for that many bytes.
func NewBodies(most int64) *Bodies { return &Bodies{most: most} }

// Room is what Bodies of a handler may hold: the bytes chosen or, by default, usual, and in any case room for two
// bodies of the largest size.
func Room(chosen, usual, maxBody int64) int64 {
	if chosen > 0 {
		return chosen
	}
	return max(usual, 2*maxBody)
}

// CheckRoom checks a bound that was chosen.
func (c *Check) CheckRoom(chosen, maxBody int64) {
	c.Refuse(chosen < 0 || chosen > 0 && chosen/2 < maxBody, "MaxReceiving is %d: must be 0 or at least twice MaxBody, which is %d", chosen, maxBody)
}

// Read returns the body of an opened request whole, or says why it cannot: see Status. Memory is allocated as bytes
// arrive. Done must be called with the body once it was verified.
func (b *Bodies) Read(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	if !isPlain(r.Header) {
		return nil, ErrEncoded
	}
	if r.ContentLength > most {
		return nil, &http.MaxBytesError{Limit: most}
	}
	from := r.Body
	if r.ContentLength < 0 { // the server ends the others at their length; of this one it must not read the rest
		from = http.MaxBytesReader(w, from, most)
	}
	body, err := b.readAll(from, r.ContentLength, most)
	if err != nil {
		return nil, err
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the server would take its end for a lost connection
	return body, nil
}

// Done ends the count of a body that Read returned.
func (b *Bodies) Done(body []byte) { b.held.Add(-int64(cap(body))) }

// readAll is io.ReadAll for a body of which a length was claimed, or -1. It allocates no more than four times what has
// arrived, and a first part. A body that is longer than most is refused whatever was claimed, since something in front
// of the handler may have replaced it.
func (b *Bodies) readAll(from io.Reader, claimed, most int64) ([]byte, error) {
	size := int64(firstPart)
	if claimed >= 0 {
		size = min(size, claimed+1) // the end is met in the last byte
	}
	if !b.take(size, b.most) {
		return nil, ErrFull
	}
	all := make([]byte, 0, size)
	for {
		n, err := from.Read(all[len(all):cap(all)])
		all = all[:len(all)+n]
		if int64(len(all)) > most {
			err = &http.MaxBytesError{Limit: most}
		}
		if err == io.EOF {
			return all, nil
		}
		if err == nil && len(all) == cap(all) {
			all, err = b.grow(all, claimed)
		}
		if err != nil {
			b.Done(all)
			return nil, err
		}
	}
}

// grow returns the bytes with room for more.
func (b *Bodies) grow(all []byte, claimed int64) ([]byte, error) {
	const factor = 4
	size := factor * int64(cap(all))
	if rest := claimed + 1; rest > int64(cap(all)) {
		size = min(size, rest)
	}
	if !b.take(size, b.most-b.most/4) {
		return all, ErrFull
	}
	larger := append(make([]byte, 0, size), all...)
	b.Done(all)
	return larger, nil
}

// take counts bytes unless there would be more than limit.
func (b *Bodies) take(size, limit int64) bool {
	if b.held.Add(size) > limit {
		b.held.Add(-size)
		return false
	}
	return true
}

// Status is what an error of Bodies.Read is answered: 415, 413, 503, 408 or 400.
func Status(err error) int {
	if errors.Is(err, ErrFull) {
		return http.StatusServiceUnavailable
	}
	if errors.Is(err, ErrEncoded) {
		return http.StatusUnsupportedMediaType
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// isPlain reports whether no encoding but identity was applied to the body.
func isPlain(h http.Header) bool {
	for _, encoding := range h["Content-Encoding"] {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
	return true
}
