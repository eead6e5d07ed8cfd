package engine

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

// bodies lends memory for large answers. A page of a list is as large as the one before it, and is read into the same
// memory once that one was decoded.
type bodies struct{ given sync.Pool }

// Smaller bodies cost little, and larger ones are seldom.
const (
	leastLent = 32 << 10
	mostLent  = 4 << 20
)

// MaxErrorBody bounds the body of an answer outside 2xx in bytes.
const MaxErrorBody = 64 << 10

// leastRoom is how much memory a body of unknown or absurd length is given at first.
const leastRoom = 512

// read reads a body up to limit. An error body is cut there; a good answer that is longer is an error. New memory is
// taken as the bytes arrive, at most twice as much as there are: the length that a server claims costs it nothing.
func (b *bodies) read(resp *http.Response, limit int64) ([]byte, error) {
	room := int64(leastRoom) // for the whole body, and a byte to find its end in
	if n := resp.ContentLength; n > 0 && n <= limit {
		room = n + 1
	}
	data := b.take(room)
	for {
		n, err := resp.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit && resp.StatusCode/100 == 2:
			return nil, ErrTooLarge
		case int64(len(data)) > limit:
			return data[:limit], nil
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return data, err
		}
		if have := int64(len(data)); have == int64(cap(data)) {
			more := 2 * have
			if room > have {
				more = min(more, room+room/8) // the next page may be a little larger
			}
			data = append(make([]byte, 0, more), data...)
		}
	}
}

// take returns memory to begin a body with that takes room bytes in all. Lent memory is there already, so it may be
// larger than what has arrived.
func (b *bodies) take(room int64) []byte {
	if room >= leastLent && room <= mostLent {
		if lent, ok := b.given.Get().(*[]byte); ok {
			return (*lent)[:0]
		}
	}
	return make([]byte, 0, min(room, leastLent))
}

// give returns a body to the pool. Decoded values are copies of it, but an error may keep it.
func (b *bodies) give(body []byte) {
	if cap(body) >= leastLent && cap(body) <= 2*mostLent {
		room := body
		b.given.Put(&room)
	}
}

// byteOrderMark is what some servers put before a text in UTF-8.
const byteOrderMark = "\uFEFF"

// withoutMark returns a body without the byte order marks before it, which are no part of JSON.
func withoutMark(body []byte) []byte {
	for bytes.HasPrefix(body, []byte(byteOrderMark)) {
		body = body[len(byteOrderMark):]
	}
	return body
}
