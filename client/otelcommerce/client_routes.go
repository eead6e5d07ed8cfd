package otelcommerce

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/commerceplatform/commerce-go/client"
)

// mostRoutes is the maximum number of templates with a name of their own. The contract has about 130 endpoints.
const mostRoutes = 512

// routes are the endpoints that were called, with the common attributes of their spans and metrics.
type routes struct {
	server []attribute.KeyValue
	mu     sync.RWMutex
	asked  map[endpoint]*route // by method and path as given; also bounded
	known  map[endpoint]*route // by method and template
}

type endpoint struct{ method, path string }

// route is an endpoint. Its attributes are sorted and made into options once, because that takes longer than recording.
type route struct {
	callName, name       string
	callOptions, options []trace.SpanStartOption
	all, server          *series // of the endpoint, and of the server
	ends                 *seriesBy[outcome]
}

// outcome distinguishes the series of an endpoint.
type outcome struct {
	status int
	err    string
}

func newRoutes(server []attribute.KeyValue) *routes {
	return &routes{server: server, asked: map[endpoint]*route{}, known: map[endpoint]*route{}}
}

// of returns the route of a method and a path.
func (s *routes) of(method, path string) *route {
	key := endpoint{method, path}
	s.mu.RLock()
	r, ok := s.asked[key]
	s.mu.RUnlock()
	if ok {
		return r
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	short := endpoint{knownMethod(method), template(path)}
	r, ok = s.known[short]
	if !ok {
		if len(s.known) >= mostRoutes {
			short.path = otherType
		}
		if r, ok = s.known[short]; !ok {
			r = s.make(short)
			s.known[short] = r
		}
	}
	if len(s.asked) < mostRoutes {
		s.asked[key] = r
	}
	return r
}

func (s *routes) make(e endpoint) *route {
	attributes := []attribute.KeyValue{semconv.HTTPRequestMethodKey.String(e.method), semconv.URLTemplate(e.path)}
	attributes = append(attributes, s.server...)
	method := e.method
	if method == otherType {
		method = "HTTP" // required by the semantic conventions
	}
	name := method + " " + e.path
	return &route{
		callName: "call " + name, name: name,
		callOptions: []trace.SpanStartOption{trace.WithAttributes(attributes[:2:2]...)},
		options:     []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...)},
		all:         newSeries(attributes), server: newSeries(s.server),
		ends: newSeriesBy(func(end outcome) []attribute.KeyValue { return end.attributes(slices.Clone(attributes)) }),
	}
}

// ended returns the series of an end.
func (r *route) ended(e client.AttemptEnd) *series {
	var end outcome
	if answered(e.Status) {
		end.status = e.Status
	}
	if e.Err != nil {
		end.err = errorType(e.Err)
	}
	return r.ends.of(end)
}

// attributes appends the attributes of an outcome.
func (o outcome) attributes(all []attribute.KeyValue) []attribute.KeyValue {
	if o.status != 0 {
		all = append(all, semconv.HTTPResponseStatusCode(o.status))
	}
	if o.err != "" {
		all = append(all, semconv.ErrorTypeKey.String(o.err))
	}
	return all
}

// knownMethod returns a method of HTTP, or "_OTHER".
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead,
		http.MethodOptions:
		return method
	}
	return otherType
}

// template returns a path with {value} for each segment that is neither a placeholder nor a word as in the contract.
func template(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		placeholder := strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}")
		if !word(strings.Trim(s, "{}")) || !placeholder && strings.ContainsAny(s, "{}") {
			segments[i] = "{value}"
		}
	}
	return strings.Join(segments, "/")
}

// longestWord is the maximum length of a segment, in bytes.
const longestWord = 64

// word reports whether a text is made of lower-case letters, "-" and "_".
func word(s string) bool {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' }
	return len(s) <= longestWord && !strings.ContainsFunc(s, other)
}
