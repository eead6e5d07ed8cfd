package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Upload is a file to upload. It is not read into memory. Each attempt of a call reads it from Content again, so it
// must not change before the call has returned. UploadFrom makes an Upload from a file, a buffer or a stream.
type Upload struct {
	// Filename is required. If it is a path, also a Windows path, only the last element is sent. Control characters are
	// rejected.
	Filename string
	// Content is the file, for example a *os.File or a *bytes.Reader.
	Content io.ReaderAt
	// Size is in bytes and must be at least 1. A shorter file is an error. Of a longer file, the rest is not sent.
	Size int64
}

// UploadFrom returns an upload of the rest of r. A reader that is an io.ReaderAt and an io.Seeker, such as *os.File,
// *bytes.Reader and *strings.Reader, is read by the call and must stay open until then. Any other reader is read into
// memory, up to MaxImageBytes. If there is more, UploadFrom fails.
func UploadFrom(r io.Reader, filename string) (Upload, error) {
	filename = baseName(filename)
	fail := func(err error) (Upload, error) {
		return Upload{}, fmt.Errorf("read upload %s: %w", wire.Quote(filename), err)
	}
	if file, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil { // fails for a pipe
			end, err := file.Seek(0, io.SeekEnd)
			if err == nil {
				_, err = file.Seek(at, io.SeekStart)
			}
			if err != nil {
				return fail(err)
			}
			in := Upload{filename, io.NewSectionReader(file, at, max(0, end-at)), max(0, end-at)}
			return in, in.check()
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxImageBytes+1))
	if err != nil {
		return fail(err)
	}
	if len(data) > MaxImageBytes {
		return fail(fmt.Errorf("more than %d bytes: a larger file must be an io.ReaderAt and io.Seeker, such as *os.File", MaxImageBytes))
	}
	in := Upload{filename, bytes.NewReader(data), int64(len(data))}
	return in, in.check()
}

func (u Upload) check() error {
	switch {
	case u.Filename == "" || u.Filename == ".":
		return engine.Invalid("filename", u.Filename, "the name of a file")
	case !utf8.ValidString(u.Filename) || strings.ContainsFunc(u.Filename, unicode.IsControl):
		return engine.Invalid("filename", u.Filename, "a name in UTF-8 without control characters")
	case u.Content == nil:
		return engine.Invalid("content", nil, "a file")
	case u.Size <= 0:
		return engine.Invalid("size", u.Size, "1 byte or more")
	}
	return nil
}

// sniffed is the number of bytes from which the media type is detected.
const sniffed = 512

// request returns the request that uploads the file as a part of a form.
func (u Upload) request(path, part string, args ...any) (engine.Request, error) {
	u.Filename = baseName(u.Filename)
	if err := u.check(); err != nil {
		return engine.Request{}, err
	}
	head := make([]byte, min(sniffed, u.Size))
	if n, err := u.Content.ReadAt(head, 0); n < len(head) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return engine.Request{}, fmt.Errorf("read upload %s: %w", wire.Quote(u.Filename), err)
	}
	form := &engine.Form{}
	form.AddFile(part, u.Filename, http.DetectContentType(head), u.Content, u.Size)
	return engine.Request{Method: http.MethodPost, Path: path, Args: args, Body: form}, nil
}

// present returns nil if the response to a write has a value for a member, and otherwise an error of unknown outcome.
func present[T comparable](r engine.Request, member string, value T) error {
	if value != *new(T) {
		return nil
	}
	why := &lineError{noRecord("no record: the answer has no " + member)}
	return &Error{Method: r.Method, Route: r.Path, unknown: true, cause: &DecodeError{Index: -1, Err: why}}
}
