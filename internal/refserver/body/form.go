package body

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// Multipart is the type of a body that is a Form.
const Multipart = "multipart/form-data"

// BrokenForm refuses a form that cannot be read. It is assumed.
const BrokenForm = "Problems parsing the form"

// Form is a body in parts. Done notes the unread parts.
type Form struct{ left map[string][]byte }

// ReadForm reads a body of several parts. Another type is 415, and one that cannot be read is 400.
func ReadForm(in *api.In) (Form, error) {
	f := Form{map[string][]byte{}}
	media, params, _ := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if media != Multipart {
		return f, api.Coded(http.StatusUnsupportedMediaType, "Content-Type should be "+Multipart)
	}
	parts := multipart.NewReader(bytes.NewReader(in.Raw), params["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) && len(in.Raw) > 0 {
			return f, nil
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(part)
		}
		if err != nil {
			return f, api.Coded(http.StatusBadRequest, BrokenForm)
		}
		f.left[part.FormName()] = content
	}
}

// Part takes the content of a part, and reports whether there is one.
func (f Form) Part(name string) (content []byte, ok bool) {
	content, ok = f.left[name]
	delete(f.left, name)
	return content, ok
}

// Text reads a part into to, if there is one.
func (f Form) Text(name string, to *string) {
	if content, ok := f.Part(name); ok {
		*to = string(content)
	}
}

// JSON reads a part that is an object of JSON; one that is absent or anything else is refused.
func (f Form) JSON(name string) (Members, error) {
	content, _ := f.Part(name)
	m := start()
	left, ok := object(content)
	if !ok {
		return m, api.Coded(http.StatusBadRequest, name+" "+BeObject)
	}
	m.path, m.left = name, left
	return m, nil
}

// Done notes what nothing has read.
func (f Form) Done(in *api.In) {
	names := make([]string, 0, len(f.left))
	for name := range f.left {
		names = append(names, name)
	}
	slices.Sort(names)
	in.MarkUnread(names...)
}
