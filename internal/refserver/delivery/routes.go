package delivery

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Routes say where a host name really is, so that a partner's https address can
// be a handler in the same process or a server on this machine. The zero value
// has none. It is safe for concurrent use.
type Routes struct {
	mu    sync.RWMutex
	hosts map[string]target
}

// target is one of the two.
type target struct {
	handler http.Handler
	origin  *url.URL
}

// Handle sends what goes to the origin, and to hosts below it, to a handler.
func (r *Routes) Handle(origin string, h http.Handler) error {
	if h == nil {
		return fmt.Errorf("route for %q: want a handler, got nil", origin)
	}
	return r.set(origin, target{handler: h})
}

// Forward sends what goes to the origin to another one, for example
// http://127.0.0.1:3000. The path stays.
func (r *Routes) Forward(origin, to string) error {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("route to %q: want http://host:port", to)
	}
	return r.set(origin, target{origin: u})
}

func (r *Routes) set(origin string, t target) error {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return fmt.Errorf("route for %q: want https://host", origin)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hosts == nil {
		r.hosts = map[string]target{}
	}
	r.hosts[strings.ToLower(u.Hostname())] = t
	return nil
}

// CopyTo gives another table the routes of this one.
func (r *Routes) CopyTo(other *Routes) {
	r.mu.RLock()
	hosts := maps.Clone(r.hosts)
	r.mu.RUnlock()
	other.mu.Lock()
	defer other.mu.Unlock()
	other.hosts = hosts
}

// find returns the route of the longest name the host is, or is below.
func (r *Routes) find(host string) (target, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for {
		if t, ok := r.hosts[host]; ok {
			return t, true
		}
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return target{}, false
		}
		host = parent
	}
}
