package client

import (
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

// read reads a body up to limit. An error body is cut there; a good
// answer that is longer is an error. Of memory it takes what the length says and a byte to find the end in.
func (b *bodies) read(resp *http.Response, limit int64) ([]byte, error) {
	room := int64(512)
	if n := resp.ContentLength; n > 0 && n <= limit {
		room = n + 1
	}
	data := b.take(room)
	for {
		n, err := resp.Body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit && resp.StatusCode/100 == 2:
			return nil, errTooLarge
		case int64(len(data)) > limit:
			return data[:limit], nil
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return data, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// take returns room for n bytes.
func (b *bodies) take(n int64) []byte {
	if n < leastLent || n > mostLent {
		return make([]byte, 0, n)
	}
	if room, ok := b.given.Get().(*[]byte); ok && int64(cap(*room)) >= n {
		return (*room)[:0]
	}
	return make([]byte, 0, n+n/8)
}

// give returns a body that nothing points into: what was decoded from it is a copy, but an error may keep it.
func (b *bodies) give(body []byte) {
	if cap(body) >= leastLent && cap(body) <= 2*mostLent {
		room := body
		b.given.Put(&room)
	}
}
