package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
)

// gate stands between the program and the reference server, so that a process can be stopped in the middle of a request.
type gate struct {
	url    string
	server *http.Server
	served chan struct{}

	mu       sync.Mutex
	arrives  func(*http.Request)        // before the platform has it
	answered func(*http.Response) error // before the program has it
}

func newGate(platform http.RoundTripper) (*gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &gate{url: "http://" + l.Addr().String(), served: make(chan struct{})}
	silent := log.New(io.Discard, "", 0) // connections of processes that were killed
	proxy := &httputil.ReverseProxy{
		Transport: platform,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "https", Host: "platform.example"}) },
		ModifyResponse: func(r *http.Response) error {
			if _, answered := g.watched(); answered != nil {
				return answered(r)
			}
			return nil
		},
		ErrorLog: silent,
	}
	g.server = &http.Server{ErrorLog: silent, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if arrives, _ := g.watched(); arrives != nil {
			arrives(r)
		}
		proxy.ServeHTTP(w, r)
	})}
	go func() {
		defer close(g.served)
		_ = g.server.Serve(l) // returns when the server is closed
	}()
	return g, nil
}

// watch has functions called with every request and every answer from now on; nil calls none.
func (g *gate) watch(arrives func(*http.Request), answered func(*http.Response) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.arrives, g.answered = arrives, answered
}

func (g *gate) watched() (func(*http.Request), func(*http.Response) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.arrives, g.answered
}

// hold keeps the nth request that is wanted from the platform until its sender is gone. The channel is closed when it
// is there.
func (g *gate) hold(nth int, wanted func(*http.Request) bool) <-chan struct{} {
	held := make(chan struct{})
	var mu sync.Mutex
	n := 0
	g.watch(func(r *http.Request) {
		if !wanted(r) {
			return
		}
		mu.Lock()
		n++
		mine := n == nth
		mu.Unlock()
		if mine {
			close(held)
			<-r.Context().Done()
		}
	}, nil)
	return held
}

func (g *gate) close() error {
	err := g.server.Close()
	<-g.served
	return err
}
