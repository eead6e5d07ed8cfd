package engine

import (
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Form is a body in parts, multipart/form-data, for the endpoints that take no JSON. Files are not read until the
// request is sent, and each attempt reads them again: a file must stay as it is until the call has returned. The zero
// Form is empty.
type Form struct {
	parts []part
}

// part is one part of a form. It is read by several attempts, and two can overlap: net/http may still read the body of
// an attempt that was cancelled.
type part struct {
	name, filename, media string
	content               io.ReaderAt
	size                  int64
}

// Add adds a field.
func (f *Form) Add(name, value string) {
	f.parts = append(f.parts, part{name: name, content: strings.NewReader(value), size: int64(len(value))})
}

// AddFile adds a file of size bytes. The media type is sent as it is.
func (f *Form) AddFile(name, filename, media string, content io.ReaderAt, size int64) {
	f.parts = append(f.parts, part{name, filename, media, content, size})
}

// header returns the lines before the content of a part. Quotes, backslashes and line breaks in names are escaped as
// browsers do, so that no name can end its header.
func (p *part) header(boundary string) string {
	escape := strings.NewReplacer(`\`, "%5C", `"`, "%22", "\r", "%0D", "\n", "%0A").Replace
	var b strings.Builder
	fmt.Fprintf(&b, "--%s\r\nContent-Disposition: form-data; name=\"%s\"", boundary, escape(p.name))
	if p.filename != "" {
		fmt.Fprintf(&b, "; filename=\"%s\"\r\nContent-Type: %s", escape(p.filename), p.media)
	}
	b.WriteString("\r\n\r\n")
	return b.String()
}

// encoded is a form with its boundary. All attempts of a call send the same bytes.
type encoded struct {
	headers []string
	parts   []part
	end     string
	size    int64
	media   string // Content-Type of the whole
}

func (f *Form) encode() *encoded {
	boundary := rand.Text() // no content can be chosen to have it
	e := &encoded{parts: f.parts, end: "--" + boundary + "--\r\n"}
	e.media = mime.FormatMediaType("multipart/form-data", map[string]string{"boundary": boundary})
	e.size = int64(len(e.end))
	for i := range f.parts {
		header := f.parts[i].header(boundary)
		e.headers = append(e.headers, header)
		e.size += int64(len(header)) + f.parts[i].size + int64(len("\r\n"))
	}
	return e
}

// open returns the body from its beginning, for one attempt.
func (e *encoded) open() (io.Reader, error) {
	readers := make([]io.Reader, 0, 3*len(e.parts)+1)
	for i, p := range e.parts {
		name := p.filename
		if name == "" {
			name = p.name
		}
		file := &exactly{io.NewSectionReader(p.content, 0, p.size), name, p.size}
		readers = append(readers, strings.NewReader(e.headers[i]), file, strings.NewReader("\r\n"))
	}
	return &formReader{io.MultiReader(append(readers, strings.NewReader(e.end))...), e.size}, nil
}

// formReader is the body of one attempt, whose length the retry loop asks for before it sends.
type formReader struct {
	io.Reader
	size int64
}

// Len returns the length of the whole body.
func (r *formReader) Len() int { return int(r.size) }

// fileError is the end of a request whose own body could not be read. The platform saw less than Content-Length says.
type fileError struct {
	name string
	err  error
}

func (e *fileError) Error() string {
	return wire.Line(fmt.Sprintf("read %s: %v", wire.Quote(e.name), e.err), wire.MaxText)
}

func (e *fileError) Unwrap() error { return e.err }

// exactly reads a file that must be as long as was said. A shorter one would move the parts after it.
type exactly struct {
	io.Reader
	name string
	left int64
}

func (r *exactly) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.left -= int64(n)
	switch {
	case err == io.EOF && r.left > 0:
		err = &fileError{r.name, fmt.Errorf("%w: %d bytes are missing", io.ErrUnexpectedEOF, r.left)}
	case err != nil && err != io.EOF:
		err = &fileError{r.name, err}
	}
	return n, err
}
