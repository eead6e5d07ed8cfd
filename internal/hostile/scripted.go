package hostile

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/jarcoal/httpmock"
)

// Answer answers one request.
type Answer = func(*http.Request) (*http.Response, error)

// Script is a transport that answers requests in order and keeps them. The fields may be read once no call runs.
type Script struct {
	mu      sync.Mutex
	answers []Answer
	Seen    []*http.Request
	Bodies  []string
}

// Answers returns a transport with the given answers, of which the last is repeated.
func Answers(f ...Answer) *Script { return &Script{answers: f} }

// Repeat gives all later requests one answer.
func (s *Script) Repeat(f Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = []Answer{f}
}

// RoundTrip implements http.RoundTripper.
func (s *Script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body := ""
	if r.Body != nil {
		data, _ := io.ReadAll(r.Body)
		body = string(data)
	}
	s.Seen, s.Bodies = append(s.Seen, r), append(s.Bodies, body)
	return s.answers[min(len(s.Seen), len(s.answers))-1](r)
}

// Status answers with a status, a body that is JSON unless headers say otherwise, and pairs of header names and values.
func Status(code int, body string, headers ...string) Answer {
	return func(*http.Request) (*http.Response, error) {
		resp := httpmock.NewStringResponse(code, body)
		for i := 0; i+1 < len(headers); i += 2 {
			resp.Header.Add(headers[i], headers[i+1])
		}
		if resp.Header.Get("Content-Type") == "" {
			resp.Header.Set("Content-Type", "application/json")
		}
		return resp, nil
	}
}

// Refuses answers with a status as the platform does, and pairs of header names and values.
func Refuses(code int, headers ...string) Answer {
	return Status(code, refusal(code), headers...)
}

func refusal(code int) string {
	return fmt.Sprintf(`{"code":%d,"message":%q,"description":null}`, code, http.StatusText(code))
}

// Fails answers with an error of the transport.
func Fails(err error) Answer {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// Truncated answers with a status and a body of JSON that breaks off. A refusal has the words of the platform before.
func Truncated(code int) Answer {
	begin := `{"id":`
	if code >= http.StatusBadRequest {
		begin = strings.Replace(refusal(code), "}", `,"id":`, 1)
	}
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: code, Header: http.Header{}, ContentLength: 100,
			Body: io.NopCloser(io.MultiReader(strings.NewReader(begin), brokenReader{}))}, nil
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// RoundTripper is a function as a transport.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// EachRequest reads the requests of a connection whole, one after another, until answer has had enough, and hangs up.
func EachRequest(c net.Conn, answer func(*http.Request) bool) {
	defer func() { _ = c.Close() }()
	for r := bufio.NewReader(c); ; {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, req.Body); err != nil || !answer(req) {
			return
		}
	}
}
