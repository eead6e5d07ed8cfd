package recording

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Recorder writes the calls of a handler of this process, with the answers. The zero value is ready. It is safe for
// concurrent use.
type Recorder struct {
	once sync.Once
	mask *Masker
	tape Tape
}

// Err returns the first error of the writer that records are written to, after which nothing is recorded.
func (r *Recorder) Err() error { return r.tape.Err() }

// Setup is what a Recorder works with.
type Setup struct {
	Handler http.Handler
	Out     io.Writer
	Keep    []string // as for NewMasker; that of the first call counts
	// KindOf recognises the calls that are recorded.
	KindOf func(Call) (Kind, string)
}

// Serve has the handler answer, and records the call.
//
// The handler reads the body as it arrives. A body that it does not read to its end is not recorded: waiting for the
// rest would hold up the answer.
func (r *Recorder) Serve(w http.ResponseWriter, req *http.Request, s Setup) {
	r.once.Do(func() { r.mask = NewMasker(s.Keep...) })
	at := time.Now()
	call := Call{Method: req.Method, Host: req.Host, Target: req.URL.RequestURI(), Header: req.Header}
	body := &copied{from: req.Body, length: req.ContentLength}
	if req.Body != nil && req.Body != http.NoBody {
		req.Body = body
	}
	answer := &answering{ResponseWriter: w}
	s.Handler.ServeHTTP(answer, req)
	a := Answer{Status: answer.code(), Took: time.Since(at)}
	var whole, short bool
	call.Body, whole = body.all()
	if a.Body, short = answer.body(); !whole || !short {
		return
	}
	kind, operation := s.KindOf(call)
	if kind == "" {
		return
	}
	if line, err := r.mask.Record(at, kind, operation, call, a); err == nil {
		_ = r.tape.Write(s.Out, line) // Err returns it
	}
}

// copied is a body that is copied as it is read. A handler may still read it when it has answered.
type copied struct {
	from   io.ReadCloser
	length int64 // that the header says, -1 if it says none

	mu   sync.Mutex
	copy cut
	read int64
	end  bool
}

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read += int64(n)
	c.copy.add(p[:n], MostBody)
	c.end = c.end || err == io.EOF
	return n, err
}

func (c *copied) Close() error { return c.from.Close() }

// all returns the body; false if it was not read to its end, or is too large.
func (c *copied) all() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.copy.Bytes()), (c.end || c.read == c.length) && c.copy.Len() <= MostBody
}

// cut is the beginning of what is written to it.
type cut struct{ bytes.Buffer }

// add copies one byte more than most at the most, which shows that there is too much.
func (c *cut) add(p []byte, most int) { c.Write(p[:min(len(p), max(0, most+1-c.Len()))]) }

// answering copies an answer as it is written.
type answering struct {
	http.ResponseWriter
	status int
	copy   cut
}

func (w *answering) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK { // those below come before the answer
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answering) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.copy.add(p, MostAnswer)
	return w.ResponseWriter.Write(p)
}

// Flush lets a handler that looks for an http.Flusher find one.
func (w *answering) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap lets http.ResponseController find the writer of the server.
func (w *answering) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *answering) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

// body returns the answer without compression; false if it is too large.
func (w *answering) body() ([]byte, bool) {
	if w.copy.Len() > MostAnswer {
		return nil, false
	}
	return Plain(w.Header(), w.copy.Bytes()), true
}

// Plain returns an answer without compression; nothing if it cannot be read.
func Plain(h http.Header, body []byte) []byte {
	switch strings.ToLower(h.Get("Content-Encoding")) {
	case "", "identity":
		return body
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil
		}
		out, err := io.ReadAll(io.LimitReader(z, MostAnswer+1))
		if err != nil || len(out) > MostAnswer {
			return nil
		}
		return out
	}
	return nil
}
