package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"
)

// Record is one line of a recording: a call and how it was answered.
type Record struct {
	At   time.Time `json:"at"` // when it arrived
	Kind Kind      `json:"kind,omitempty"`
	// Operation says which of the calls about labels or payments it is.
	Operation string        `json:"operation,omitempty"`
	Method    string        `json:"method,omitempty"`
	Host      string        `json:"host,omitempty"`
	Target    string        `json:"target,omitempty"` // path and query
	Status    int           `json:"status"`           // of the answer
	Took      time.Duration `json:"took,omitempty"`   // in nanoseconds
	Body      string        `json:"body,omitempty"`   // of the call
	Answer    string        `json:"answer,omitempty"`
}

// Sizes above which a call is not recorded.
const (
	MostBody   = 4 << 20 // of a call
	MostAnswer = 1 << 20 // of an answer, which is what the platform reads of one
)

// Answer is how a call was answered.
type Answer struct {
	Status int
	Body   []byte
	Took   time.Duration
}

// Record returns the line for a call of a kind. It fails if the body is not JSON.
func (m *Masker) Record(at time.Time, kind Kind, operation string, c Call, a Answer) (Record, error) {
	body, err := m.request(kind, c.Body)
	if err != nil {
		return Record{}, err
	}
	r := Record{
		At: at, Kind: kind, Operation: operation, Method: c.Method, Host: m.hostname(c.Host), Target: m.target(c.Target),
		Status: a.Status, Took: a.Took, Body: body,
	}
	if kind != Deliveries { // of a delivery the platform reads the status alone
		r.Answer = m.answer(kind, a.Body)
	}
	return r, nil
}

// Tape writes records. Each is one Write of a whole line, so that what a process has written before it is killed can
// be read. The first error stays, and nothing is written after it. It is safe for concurrent use.
type Tape struct {
	mu  sync.Mutex
	err error
}

// Write appends a record to out.
func (t *Tape) Write(out io.Writer, r Record) error {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false) // which takes six bytes for one
	err := to.Encode(r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	if err == nil {
		_, err = out.Write(line.Bytes())
	}
	t.err = err
	return err
}

// Err returns the first error.
func (t *Tape) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// longest is the size of a line: a control character takes seven bytes, as it is escaped twice.
const longest = 7*(MostBody+MostAnswer) + 64<<10

// ErrCutOff is wrapped by the error of a last line that is not complete: its recorder was killed as it wrote it.
var ErrCutOff = errors.New("the line is incomplete, because the recorder was stopped while it wrote the line")

// Read returns the records of a recording with the numbers of their lines, and ends with the first error, which names
// its line. Empty lines are passed over.
func Read(from io.Reader) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		r, n := bufio.NewReaderSize(from, 64<<10), 0
		for {
			n++
			line, err := readLine(r)
			ends := errors.Is(err, io.EOF)
			if ends && len(bytes.TrimSpace(line)) == 0 {
				return
			}
			if err == nil || ends {
				if len(bytes.TrimSpace(line)) == 0 {
					continue
				}
				err = nil
			}
			one := Numbered{Line: n}
			if err == nil {
				err = json.Unmarshal(line, &one.Record)
			}
			if err != nil && ends {
				err = fmt.Errorf("%w: %w", ErrCutOff, err)
			}
			if err != nil {
				yield(one, inLine(n, err))
				return
			}
			if !yield(one, nil) || ends {
				return
			}
		}
	}
}

func inLine(n int, err error) error { return fmt.Errorf("recording, line %d: %w", n, err) }

// Numbered is a record with the number of its line, from 1.
type Numbered struct {
	Line int
	Record
}

// readLine returns a line without what ends it, and io.EOF with one that nothing ends.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > longest {
			return nil, bufio.ErrTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
