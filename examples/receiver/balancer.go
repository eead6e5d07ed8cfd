package main

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
)

// balancer forwards deliveries to the live processes, in turn. It answers 502 if there is no process, or if a process
// dies before it has answered.
type balancer struct {
	mu    sync.Mutex
	to    []*httputil.ReverseProxy
	names []string
	next  int
}

func (b *balancer) add(address string) error {
	target, err := url.Parse(address)
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		Transport:    &http.Transport{DisableKeepAlives: true},
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to, b.names = append(b.to, proxy), append(b.names, address)
	return nil
}

func (b *balancer) remove(address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, name := range b.names {
		if name == address {
			b.to, b.names = append(b.to[:i:i], b.to[i+1:]...), append(b.names[:i:i], b.names[i+1:]...)
			return
		}
	}
}

// ServeHTTP implements http.Handler.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	var proxy *httputil.ReverseProxy
	if len(b.to) > 0 {
		b.next++
		proxy = b.to[b.next%len(b.to)]
	}
	b.mu.Unlock()
	if proxy == nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	proxy.ServeHTTP(w, r)
}
