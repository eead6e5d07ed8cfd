package delivery

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Routes say where a host name really is, so that a partner's https address can
// be a handler in the same process or servers on this machine. The zero value
// has none. It is safe for concurrent use.
type Routes struct {
	mu    sync.RWMutex
	hosts map[string]*target
}

// target is where a route leads: to a handler, or to origins in turn.
type target struct {
	handler http.Handler
	origins []*url.URL
	source  netip.Addr // not valid for the usual one
	turn    atomic.Uint64
}

// Route is a route as it was set.
type Route struct {
	Host string
	// Targets are origins that are called in turn; none for a handler in this process.
	Targets []string
	// Source is the address that calls come from, empty for the usual one.
	Source string
}

// Handle sends what goes to the origin, and to hosts below it, to a handler.
func (r *Routes) Handle(origin string, h http.Handler) error {
	if h == nil {
		return fmt.Errorf("route for %q: the handler must not be nil", origin)
	}
	return r.set(origin, &target{handler: h})
}

// Forward sends what goes to the origin to another one, for example
// http://127.0.0.1:3000. The path stays.
func (r *Routes) Forward(origin, to string) error { return r.Spread(origin, []string{to}, "") }

// Spread sends what goes to the origin to others in turn, as to the replicas of an app. The path stays. With a source,
// which must be a loopback address such as 127.0.0.2, connections come from that one.
func (r *Routes) Spread(origin string, to []string, source string) error {
	t := &target{}
	for _, one := range to {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("route to %q: must be http://host:port", one)
		}
		if u.Port() == "0" {
			return fmt.Errorf("route to %q: must be the port where the app listens, not 0", one)
		}
		if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
			return fmt.Errorf("route to %q: must be http://host:port alone; paths come from the platform's calls", one)
		}
		t.origins = append(t.origins, u)
	}
	if len(to) == 0 {
		return fmt.Errorf("route for %q: must have at least one target", origin)
	}
	if source != "" {
		var err error
		if t.source, err = netip.ParseAddr(source); err != nil || !t.source.IsLoopback() || t.source.Zone() != "" {
			return fmt.Errorf("source %q: must be a loopback address such as 127.0.0.2, which connections can come from", source)
		}
	}
	return r.set(origin, t)
}

func (r *Routes) set(origin string, t *target) error {
	host, err := hostname(origin)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hosts == nil {
		r.hosts = map[string]*target{}
	}
	r.hosts[host] = t
	return nil
}

// hostname is that of an origin of a partner.
func hostname(origin string) (string, error) {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return "", fmt.Errorf("route for %q: must be https://host", origin)
	}
	return strings.ToLower(u.Hostname()), nil
}

// Hostname is the host of an origin as Route has it, empty if it is no origin of a partner.
func Hostname(origin string) string {
	host, _ := hostname(origin)
	return host
}

// Remove ends the route for the origin. It reports whether there was one.
func (r *Routes) Remove(origin string) bool {
	host, err := hostname(origin)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.hosts[host]
	delete(r.hosts, host)
	return ok
}

// All returns the routes by host.
func (r *Routes) All() []Route {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []Route
	for _, host := range slices.Sorted(maps.Keys(r.hosts)) {
		t := r.hosts[host]
		route := Route{Host: host}
		for _, o := range t.origins {
			route.Targets = append(route.Targets, o.String())
		}
		if t.source.IsValid() {
			route.Source = t.source.String()
		}
		out = append(out, route)
	}
	return out
}

// next is the origin whose turn it is, or the replica that was asked for.
func (t *target) next(replica int) (*url.URL, error) {
	switch n := len(t.origins); {
	case replica > n:
		return nil, fmt.Errorf("replica %d: must be one of the %d targets", replica, n)
	case replica > 0:
		return t.origins[replica-1], nil
	default:
		return t.origins[(t.turn.Add(1)-1)%uint64(n)], nil
	}
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
func (r *Routes) find(host string) (*target, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	for {
		if t, ok := r.hosts[host]; ok {
			return t, true
		}
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return nil, false
		}
		host = parent
	}
}
