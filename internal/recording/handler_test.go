package recording

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// served has a recorder in front of a handler of the network. It returns the answer and the lines.
func served(t *testing.T, h http.HandlerFunc, req func(url string) *http.Request) (*http.Response, string, string) {
	t.Helper()
	var out bytes.Buffer
	var r Recorder
	done := make(chan struct{}, 1)
	s := Setup{Handler: h, Out: &out, KindOf: func(c Call) (Kind, string) { return c.Kind("") }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer func() { done <- struct{}{} }()
		r.Serve(w, req, s)
	}))
	defer server.Close()
	resp, err := server.Client().Do(req(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	<-done
	return resp, string(body), out.String()
}

func post(body string) func(string) *http.Request {
	return func(url string) *http.Request {
		req, err := http.NewRequest("POST", url+"/carts", strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		return req
	}
}

// The handler sees the call as it came, and its answer goes out as it is, with its length and its interim answers.
func TestRecorderIsTransparent(t *testing.T) {
	resp, body, lines := served(t, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := w.(http.Flusher); !ok {
			t.Error("the writer cannot be flushed")
		}
		raw, err := io.ReadAll(r.Body)
		if string(raw) != cart || err != nil {
			t.Errorf("the handler got %q, %v", raw, err)
		}
		w.Header().Set("X-A", "b")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, `{"commands":[]}`)
	}, post(cart))
	if resp.StatusCode != 200 || body != `{"commands":[]}` || resp.ContentLength != 15 || resp.Header.Get("X-A") != "b" {
		t.Errorf("got %+v %q", resp, body)
	}
	if strings.Count(lines, "\n") != 1 || !strings.Contains(lines, `"kind":"carts"`) || !strings.Contains(lines, `{\"commands\":[]}`) {
		t.Errorf("recorded %s", lines)
	}
}

// A call that was not read whole, or cannot be recorded, is still passed on.
func TestNotRecorded(t *testing.T) {
	all := func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }
	for name, tc := range map[string]struct {
		handler http.HandlerFunc
		body    string
	}{
		"no JSON":   {all, "Juan"},
		"too large": {all, `{"execution_tier":1,"products":"` + strings.Repeat("x", MostBody) + `"}`},
		"unread":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) }, cart},
		"not to its end": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadFull(r.Body, make([]byte, len(cart)))
		}, cart + strings.Repeat(" ", 100<<10)},
		"long answer": {func(w http.ResponseWriter, r *http.Request) {
			all(w, r)
			_, _ = w.Write(make([]byte, MostAnswer+1))
		}, cart},
		"unknown": {all, `{"a":1}`},
	} {
		if resp, _, lines := served(t, tc.handler, post(tc.body)); resp.StatusCode != 200 || lines != "" {
			t.Errorf("%s: got %d, recorded %.100q", name, resp.StatusCode, lines)
		}
	}
}

// An answer that is compressed is recorded as what it says; one that nobody can read is recorded without a body.
func TestCompressedAnswers(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = io.WriteString(w, `{"commands":[]}`)
	_ = w.Close()
	bomb := new(bytes.Buffer)
	w = gzip.NewWriter(bomb)
	_, _ = w.Write(make([]byte, MostAnswer+1))
	_ = w.Close()
	for encoding, body := range map[string][]byte{"gzip": z.Bytes(), "GZIP": bomb.Bytes(), "br": z.Bytes(), "gzip ": nil} {
		got := Plain(http.Header{"Content-Encoding": {encoding}}, body)
		if want := map[string]string{"gzip": `{"commands":[]}`}[encoding]; string(got) != want {
			t.Errorf("%q: got %.40q, want %q", encoding, got, want)
		}
	}
}

// A handler that panics has not answered, and its panic goes on.
func TestPanicGoesOn(t *testing.T) {
	var out bytes.Buffer
	var r Recorder
	defer func() {
		if v := recover(); fmt.Sprint(v) != "x" || out.Len() > 0 {
			t.Errorf("got the panic %v, recorded %q", v, out.String())
		}
	}()
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })
	r.Serve(httptest.NewRecorder(), post(cart)("http://x"), Setup{Handler: h, Out: &out})
}
