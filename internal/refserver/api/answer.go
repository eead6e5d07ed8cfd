package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// Answer replaces the answer that the pipeline would write.
type Answer struct {
	// Status replaces the operation's success status unless it is 0.
	Status int
	Header http.Header
	// Body is written as JSON; nil writes none.
	Body any
}

// Empty is the {} that a delete answers.
type Empty struct{}

// Stamp writes a time as the API does, to the second and with the offset +0000.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-0700") }

// StampOrNil is Stamp, or null for the zero time.
func StampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Stamp(t)
}

// TextOrNil is the text, or null on the wire if there is none.
func TextOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Encode writes v as JSON the way the API does: no HTML escapes, no final newline.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
