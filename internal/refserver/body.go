package refserver

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// logged is how much of a body the request log keeps.
const logged = 64 << 10

// readBody takes the body of a write, as far as its size allows. It comes before
// any waiting: only once the body is read does net/http notice a caller who leaves.
func (s *Server) readBody(c *call) error {
	if !c.in.Op.Writes() {
		return nil
	}
	raw, err := io.ReadAll(http.MaxBytesReader(nil, c.r.Body, s.world.Limits().BodyBytes))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			return api.Coded(http.StatusRequestEntityTooLarge, "")
		}
		return api.Malformed()
	}
	c.in.Raw, c.entry.Body = raw, raw[:min(len(raw), logged)]
	return nil
}

// checkBody refuses a body that is not what its type should be. A write without
// one is for the operation to judge, once it has a type if the server is strict.
func (s *Server) checkBody(c *call) error {
	read := len(c.in.Raw) > 0 && !c.in.Op.NoBody
	if c.r.Method == http.MethodDelete || !c.in.Op.Writes() || !read && !s.options.Strict {
		return nil
	}
	want := "application/json"
	if c.in.Op.ContentType != "" {
		want = c.in.Op.ContentType
	}
	if media, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type")); media != want {
		return api.Coded(http.StatusUnsupportedMediaType, "Content-Type should be "+want)
	}
	if read && want == "application/json" && !json.Valid(c.in.Raw) {
		return api.Malformed()
	}
	return nil
}
