package webhooktest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"
)

// mostBody is the size above which a body is passed on and not recorded.
const mostBody = 4 << 20

// Recorder writes what arrives at a handler to Out, a line of JSON for each request,
// and passes it on byte by byte. Handler and Out must be set. It is safe for concurrent use and
// must not be copied.
//
// It records before anything is verified, and bodies hold personal data: keep recordings as you
// keep orders. Secrets and signatures are not recorded.
type Recorder struct {
	Handler http.Handler
	Out     io.Writer

	mu  sync.Mutex
	err error
}

// Record is one line of a recording.
type Record struct {
	At     time.Time `json:"at"`     // when it arrived
	Status int       `json:"status"` // that the handler answered
	// Body is the body if it is text, else Bytes has it.
	Body  string `json:"body,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
}

// raw returns the body as it was signed.
func (r Record) raw() []byte {
	if r.Bytes != nil {
		return r.Bytes
	}
	return []byte(r.Body)
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	at := time.Now()
	var body bytes.Buffer
	recorded, err := body.ReadFrom(io.LimitReader(req.Body, mostBody+1))
	rest := io.MultiReader(bytes.NewReader(body.Bytes()), req.Body)
	if err != nil {
		rest = io.MultiReader(bytes.NewReader(body.Bytes()), broken{err})
	}
	req.Body = struct {
		io.Reader
		io.Closer
	}{rest, req.Body}
	answer := &statusWriter{ResponseWriter: w}
	r.Handler.ServeHTTP(answer, req)
	if err != nil || recorded > mostBody {
		return
	}
	line := Record{At: at, Status: answer.code()}
	if utf8.Valid(body.Bytes()) {
		line.Body = body.String()
	} else {
		line.Bytes = body.Bytes()
	}
	r.write(line)
}

// Err returns the first error of Out, after which nothing is recorded any more.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recorder) write(line Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		to := json.NewEncoder(r.Out)
		to.SetEscapeHTML(false) // which takes six bytes for one
		r.err = to.Encode(line)
	}
}

// Replay delivers a recording in its order, signed anew with the secret of the sender, and calls
// each with every record and the status that it was answered now. It ends at the first
// error: of the recording, which names the line, of a delivery, or of each.
func Replay(ctx context.Context, recording io.Reader, to Sender, each func(r Record, status int) error) error {
	lines := bufio.NewScanner(recording)
	lines.Buffer(nil, 7*mostBody) // a control character takes six bytes
	n := 1
	for ; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return fmt.Errorf("webhooktest: recording, line %d: %w", n, err)
		}
		status, err := to.Deliver(ctx, r.raw())
		if err != nil {
			return fmt.Errorf("webhooktest: recording, line %d: %w", n, err)
		}
		if err := each(r, status); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("webhooktest: recording, line %d: %w", n, err)
	}
	return nil
}

// broken is what is left of a body whose transfer failed.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK { // those below come before the answer
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the writer of the server.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *statusWriter) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
