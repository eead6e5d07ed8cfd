package client_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

const canary = "cnry7f3a"

// mishap is how a call ends: with what the server writes before it hangs up, or without connecting.
type mishap struct {
	name, answer string
	dial         error
	// stalls: the server writes no more, and waits until the client hangs up.
	stalls bool
	// resets: the connection is reset where it would have ended.
	resets bool
	// patience is how long the caller waits, if that is less than what the client allows.
	patience time.Duration
	// left is the cause with which the caller leaves, if there is one.
	left error
	// response is in place of what a server writes. Retries and drift are not in the way of its texts then.
	response func() *http.Response
	of       string // the answer in which the text of a stranger stands
	noRecord bool   // the answer has no record
	refusal  int    // the status that must be returned
}

var mishaps = []mishap{
	{name: "success", answer: answer("200 OK", "application/json", `{}`)},
	{name: "refused", dial: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}},
	{name: "no such host", dial: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}}},
	{name: "certificate", dial: &tls.CertificateVerificationError{Err: errors.New("unknown authority")}},
	{name: "hung up"},
	{name: "reset", resets: true},
	{name: "stall", stalls: true},
	{name: "stall within the answer", answer: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\":", stalls: true},
	{name: "the caller leaves", stalls: true, patience: 100 * time.Millisecond},
	{name: "silence", answer: "HTTP/1.1 200 OK\r\n"},
	{name: "no HTTP", answer: "SSH-2.0-OpenSSH_9.6\r\n\r\n"},
	{name: "redirect", answer: "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://other.example.com/?token=" + canary + "\r\nContent-Length: 0\r\n\r\n"},
	{name: "401", answer: answer("401 Unauthorized", "application/json", `{"code":401,"message":"Unauthorized"}`)},
	{name: "422", answer: answer("422 Unprocessable Entity", "application/json", `{"name":["can't be blank"]}`)},
	{name: "429", answer: "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n"},
	{name: "500", answer: answer("500 Internal Server Error", "application/json", `{"code":500,"message":"Internal Server Error"}`)},
	{name: "503", answer: answer("503 Service Unavailable", "application/json", `{"code":503,"message":"Service Unavailable"}`)},
	{name: "504", answer: answer("504 Gateway Timeout", "application/json", `{}`)},
	{name: "HTML 502", answer: answer("502 Bad Gateway", "text/html", `<html>bad gateway</html>`)},
	{name: "truncated", answer: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\":"},
	{name: "HTML 200", answer: answer("200 OK", "text/html", `<html>`)},
	{name: "unreadable", answer: answer("200 OK", "application/json", `[[{"id":{}}]]`)},
}

func answer(status, contentType, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", status, contentType, len(body), body)
}

// verbs are all ways to print a value.
var verbs = []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"}

// showing prints all that it is shown, in the ways that a program may print it. Hooks of net/http show from goroutines
// of their own.
type showing struct {
	mu      sync.Mutex
	text    bytes.Buffer
	loggers []*slog.Logger
}

func (s *showing) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *showing) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func newShowing() *showing {
	s := &showing{}
	debug := &slog.HandlerOptions{Level: slog.LevelDebug}
	s.loggers = []*slog.Logger{slog.New(slog.NewTextHandler(s, debug)), slog.New(slog.NewJSONHandler(s, debug))}
	return s
}

func (s *showing) show(v any, verbs ...string) {
	for _, verb := range verbs {
		_, _ = fmt.Fprintf(s, verb+"\n", v)
	}
	for _, log := range s.loggers {
		log.Debug("shown", "value", v)
	}
	if data, err := json.Marshal(v); err == nil {
		_, _ = s.Write(data)
	}
}

// leak returns where a canary stands in the open, in any of the spellings that the verbs give it; "" if nowhere.
func (s *showing) leak() string {
	const spelled = "%x\n%X\n%d\n%#v"
	all := s.String()
	for needle := range strings.SplitSeq(canary+"\n"+fmt.Sprintf(spelled, canary, canary, []byte(canary), []byte(canary)), "\n") {
		needle = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(needle, "[]byte{"), "}"), "[]")
		if at := strings.Index(all, needle); at >= 0 {
			return all[max(0, at-300):min(len(all), at+100)]
		}
	}
	return ""
}

// What is not called, but held: clients and services.
func TestNoSecretIsShownByAnyService(t *testing.T) {
	c := &caller{t: t, shown: newShowing()}
	one, app, _ := c.client(mishap{})
	held := []any{one, app, []*client.Client{one}, struct{ C *client.Client }{one}, client.AtVersion(one, client.VersionV1), client.AppAt(app, client.VersionV1)}
	for _, s := range everyService(one, app) {
		held = append(held, s.Interface())
	}
	for _, v := range held {
		c.shown.show(v, verbs...)
	}
	if leak := c.shown.leak(); leak != "" {
		t.Errorf("a secret is in the open: …%s…", leak)
	}
	t.Logf("%d values, %d bytes printed: none shows a secret", len(held), len(c.shown.String()))
}
