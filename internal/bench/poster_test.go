package bench

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Every post arrives once and whole, over one connection until the server ends it.
func TestPoster(t *testing.T) {
	var connections int
	var got []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		got = append(got, fmt.Sprint(r.Method, r.URL, r.Header.Get("X-Signature"), string(body), err))
		if string(body) == "last" {
			w.Header().Set("Connection", "close")
		}
		w.WriteHeader(200 + len(got))
		_, _ = io.WriteString(w, "an answer")
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections++
		}
	}
	server.Start()
	defer server.Close()
	p := &Poster{Timeout: time.Minute}
	defer p.Close()
	for i, body := range []string{"one", "last", ""} {
		status, err := p.Post(server.URL, "X-Signature", "abc", []byte(body))
		if want := fmt.Sprint("POST", "/", "abc", body, nil); status != 201+i || err != nil || got[len(got)-1] != want {
			t.Errorf("%q: status %d, %v, and the server got %q, want %q", body, status, err, got, want)
		}
	}
	if connections != 2 || len(got) != 3 {
		t.Errorf("%d connections for %d requests, want 2 for 3", connections, len(got))
	}
}

// A server that ends without an answer is an error, and the next post is to the one that follows it.
func TestPosterAfterFailure(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := make(chan error)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			err = conn.Close()
		}
		dead <- err
	}()
	p := &Poster{Timeout: time.Minute}
	defer p.Close()
	url := "http://" + l.Addr().String()
	if status, err := p.Post(url, "X-Signature", "abc", []byte("one")); err == nil {
		t.Errorf("status %d of a server that did not answer, want an error", status)
	}
	if err := <-dead; err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(Bare)}
	ended := make(chan error)
	go func() { ended <- server.Serve(l) }()
	if status, err := p.Post(url, "X-Signature", "abc", []byte("two")); status != http.StatusOK || err != nil {
		t.Errorf("status %d, %v, want 200", status, err)
	}
	_ = server.Close()
	if err := <-ended; err != http.ErrServerClosed {
		t.Error(err)
	}
}
