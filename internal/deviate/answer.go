package deviate

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
)

// mostBody is the size above which a body is left alone.
const mostBody = 8 << 20

// answer is a response that deviations change.
type answer struct {
	request *http.Request // as the client sent it
	status  int
	header  http.Header
	body    []byte // if json is nil
	json    *node  // nil if the body is not JSON
	printing
	wire
}

// wire is how a response is sent.
type wire struct {
	headerCase func(name string) string
	reason     *string // instead of the status text
	early      string  // an interim response before the response itself
	chunk      int     // the most bytes of a chunk; 0 is a Content-Length
	open       bool    // the body ends with the connection
	gzip       bool
	http2      bool
}

// readAnswer reads a response. It returns nil if the response must stay as it is; res is usable then.
func readAnswer(q *http.Request, res *http.Response) (*answer, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, mostBody+1))
	if err != nil || len(body) > mostBody {
		res.Body = &unread{io.MultiReader(bytes.NewReader(body), &failing{res.Body, err}), res.Body}
		return nil, nil
	}
	if err := res.Body.Close(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	h := res.Header.Clone()
	h.Del("Content-Length")
	h.Del("Connection")
	return &answer{request: q, status: res.StatusCode, header: h, body: body, json: parse(body)}, nil
}

// unread is a body of which a part was read.
type unread struct {
	io.Reader
	io.Closer
}

// failing continues with a body, or fails as it failed.
type failing struct {
	body io.Reader
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.body.Read(p)
}

// payload returns the body as it is sent.
func (a *answer) payload() []byte {
	if a.json == nil {
		return a.body
	}
	return a.print(a.json)
}

// list returns the items of a response to a list, or nil.
func (a *answer) list() *node {
	if a.request.Method != http.MethodGet || a.status != http.StatusOK || a.json == nil {
		return nil
	}
	if a.json.kind == '[' {
		return a.json
	}
	for _, path := range envelopes {
		at := a.json
		for _, name := range strings.Split(path, ".") {
			if at != nil {
				at = at.member(name)
			}
		}
		if at != nil && at.kind == '[' {
			return at
		}
	}
	return nil
}
