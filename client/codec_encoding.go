package client

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// beginnings are the first bytes of bodies that are not text in UTF-8.
var beginnings = [...]struct{ bytes, compression, charset string }{
	{"\x1f\x8b", "gzip", ""},
	{"\x28\xb5\x2f\xfd", "zstd", ""},
	{"\xff\xfe\x00\x00", "", "UTF-32"},
	{"\x00\x00\xfe\xff", "", "UTF-32"},
	{"\xff\xfe", "", "UTF-16"},
	{"\xfe\xff", "", "UTF-16"},
}

// encoded describes why a body must be decompressed or converted before it can be read; "" if it can be read.
func encoded(h http.Header, body []byte) string {
	for _, b := range beginnings {
		switch {
		case !bytes.HasPrefix(body, []byte(b.bytes)):
		case b.compression != "":
			return compressed(b.compression)
		default:
			return "the body is " + b.charset + " according to its byte order mark: must be UTF-8"
		}
	}
	if len(body) > 1 && (body[0] == 0) != (body[1] == 0) {
		return "the body looks like UTF-16: must be UTF-8"
	}
	// A transport may have decompressed the body without removing the header Content-Encoding.
	name := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
	if name != "" && name != "identity" && !isText(body, 0) {
		return compressed(wire.Line(name, wire.MaxQuote))
	}
	return ""
}

func compressed(name string) string {
	return "the body is compressed with " + name + " and was not decompressed: the transport of Config.HTTPClient must " +
		"decompress the encodings that it requests, or leave Accept-Encoding and DisableCompression unset"
}

// isText reports whether a body can be printed. At most some percent of its bytes may be unprintable.
func isText(body []byte, some int) bool {
	bad := 0
	for rest := body; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1 && len(rest) >= utf8.UTFMax, r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f':
			bad++
		}
		rest = rest[n:]
	}
	return bad*100 <= some*len(body)
}

// check rejects a response that cannot be JSON in UTF-8. Valid JSON is accepted with any content type.
func (a *answer) check() error {
	contentType := a.Header.Get("Content-Type")
	switch {
	case contentType == "application/json; charset=utf-8", contentType == "application/json", contentType == "", a.Status == http.StatusNoContent:
		return nil
	case foreignCharset(contentType) != "" && !utf8.Valid(a.Body), !isJSON(contentType) && !wire.Valid(a.Body):
		return a.unreadable(errNotJSON)
	}
	return nil
}

// errNotJSON is the error if explain finds no more specific one.
var errNotJSON = errors.New("must be JSON")

// explain returns why the body as a whole is not JSON in UTF-8. It returns nil if the body is, or if only its syntax is
// wrong. It repeats nothing of a body with secrets.
func (a *answer) explain() error {
	contentType := a.Header.Get("Content-Type")
	charset, valid := foreignCharset(contentType), wire.Valid(a.Body)
	what := ""
	if !valid {
		what = encoded(a.Header, a.Body)
	}
	switch {
	case what != "":
		return errors.New(what)
	case charset != "" && !(valid && utf8.Valid(a.Body)):
		return fmt.Errorf("the body is in charset %s: must be UTF-8", wire.Quote(charset))
	case valid:
		return nil
	case len(bytes.TrimSpace(a.Body)) == 0:
		return errors.New("the body is empty: must be JSON")
	case isJSON(contentType) && !a.isMarkup(), a.Secrets:
		return nil
	}
	return fmt.Errorf("content type %s: must be application/json: %s", wire.Quote(contentType), snippet(a.Body))
}

// isMarkup reports whether the body is HTML or XML.
func (a *answer) isMarkup() bool { return wire.Kind(a.Body) == '<' }

// isJSON reports whether a content type is empty or a type of JSON.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return contentType == "" || err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// foreignCharset returns the charset of a content type; "" if it is UTF-8 or unknown.
func foreignCharset(contentType string) string {
	_, params, _ := mime.ParseMediaType(contentType)
	charset := params["charset"]
	switch strings.ToLower(charset) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return ""
	}
	return charset
}
