package recording

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Ids of another app are sent and expected wherever they are a whole value, and the paths that are shown have no token.
func TestMap(t *testing.T) {
	var got string
	app := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.URL.RequestURI() + " " + string(body)
		_, _ = io.WriteString(w, `{"commands":[{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["new"]}}]}`)
	})
	s := Sender{Handler: app, Timeout: time.Minute, Map: map[string]string{"old": "new", "7": "8", "pseudo": "token", "9": "x"}}
	r := Numbered{3, Record{
		Kind: Carts, Target: "/carts/pseudo/pseudonym?id=7&b=old", Status: 200, Body: `{"a":"old","b":7,"c":9,"d":"older","e":"7","old":1}`,
		Answer: `{"commands":[{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["old"]}}]}`,
	}}
	out, err := s.Again(t.Context(), r)
	if err != nil || len(out.Changes) != 0 {
		t.Errorf("got %v, %v; want the same", out.Changes, err)
	}
	if want := `/carts/token/pseudonym?b=new&id=8 {"a":"new","b":8,"c":9,"d":"older","e":"8","old":1}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if strings.Contains(out.Target, "token") {
		t.Errorf("the result shows the token: %s", out.Target)
	}
}

// An app that does not answer is a finding, and its error has no address, which may have a token.
func TestNoAnswer(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	r := Numbered{1, Record{Kind: Rates, Target: "/rates/hunter2", Status: 200}}
	for name, s := range map[string]Sender{
		"closed": {URL: closed.URL, Timeout: time.Minute},
		"late":   {Timeout: time.Millisecond, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
		"panics": {Timeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })},
	} {
		out, err := s.Again(t.Context(), r)
		if err != nil || !errors.Is(out.Err, ErrNoAnswer) || len(out.Changes) != 1 || strings.Contains(out.Err.Error(), "hunter2") {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
}

// Redirects are not followed, and a call has what the platform sends.
func TestSendOverTheNetwork(t *testing.T) {
	var header http.Header
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer app.Close()
	sign := func(_ Record, h http.Header, body []byte) error {
		h.Set("X-Signature", string(body))
		return nil
	}
	s := Sender{URL: app.URL + "/", Client: app.Client(), Timeout: time.Minute, Sign: sign}
	a, err := s.Send(t.Context(), Record{Kind: Carts, Target: "/x", Body: "{}"})
	if err != nil || a.Status != 307 || header.Get("X-Signature") != "{}" || header.Get("Content-Type") != "application/json" {
		t.Errorf("got %+v, %v, %v", a, err, header)
	}
	for _, target := range []string{"@evil.example/", ".evil.example/", "http://evil.example/"} {
		if _, err := s.Send(t.Context(), Record{Target: target}); err == nil || errors.Is(err, ErrNoAnswer) {
			t.Errorf("the target %s was called: %v", target, err)
		}
	}
	s.Sign = func(Record, http.Header, []byte) error { return io.ErrUnexpectedEOF }
	if _, err := s.Send(t.Context(), Record{}); !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrNoAnswer) {
		t.Errorf("got %v, want the error of Sign", err)
	}
}

// Only calls of the kinds are made.
func TestReplayKinds(t *testing.T) {
	const lines = `{"at":"2026-01-01T00:00:00Z","kind":"deliveries","status":200,"body":"{}"}
{"kind":"carts","status":200}
{"kind":"rates","status":200}
`
	s := Sender{Timeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	var got []Kind
	err := s.Replay(t.Context(), strings.NewReader(lines), []Kind{Deliveries, Rates}, func(r Result) error {
		got = append(got, r.Kind)
		return nil
	})
	if err != nil || len(got) != 2 || got[0] != Deliveries || got[1] != Rates {
		t.Errorf("got %v, %v", got, err)
	}
	stop := errors.New("enough")
	if err := s.Replay(t.Context(), strings.NewReader(lines), Kinds(), func(Result) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want the error of each", err)
	}
}
