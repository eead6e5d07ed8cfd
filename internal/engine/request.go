package engine

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Request describes one call of the API.
type Request struct {
	// Method is the HTTP method; empty means GET.
	Method string
	// Version of the API; empty means Config.Version.
	Version string
	// Path below the store, with a placeholder for every value:
	// "/products/{product_id}/variants/{id}".
	Path string
	// Args fill the placeholders in order. They are printed with fmt.Sprint and
	// escaped, so a SKU with a slash stays one segment.
	Args []any
	// Query is appended to the address.
	Query url.Values
	// Body is sent as JSON, and a *Form as multipart/form-data. Nil sends none.
	Body any
	// Secrets is true if there are secrets in the body or in the answer. An answer may repeat the input that it
	// rejects. So errors then keep no Body and no Raw, and of the platform's words only words that it sent as JSON.
	Secrets bool
	// Retry overrides the retry class, which the table of endpoints gives for
	// known ones and which is the most careful of the method for others.
	Retry Class
	// Result says that an answer without a record is an error.
	Result bool
}

// chosen reports whether the query chooses the members of the record, and leaves out its id.
func (r *Request) chosen() bool {
	fields := strings.Join(r.Query["fields"], ",")
	return fields != "" && !slices.Contains(strings.Split(strings.ReplaceAll(fields, " ", ""), ","), "id")
}

// route names the endpoint in errors and logs: method and template, no values.
func (r *Request) route() string { return r.method() + " " + r.Path }

func (r *Request) method() string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

func (r *Request) class() Class {
	if r.Retry != "" {
		return r.Retry
	}
	return classOf(r.method(), r.Path)
}

// url returns the address of the request. Store 0 is none, for what is tied to no store.
func (r *Request) url(c *Config) (string, error) {
	segment, err := Escape(cmp.Or(r.Version, c.Version))
	if err != nil {
		return "", fmt.Errorf("%s: version: %w", r.route(), err)
	}
	var address strings.Builder
	base := c.Base
	host, below := base.Host, strings.TrimRight(base.EscapedPath(), "/")
	address.Grow(len(base.Scheme) + len("://") + len(host) + len(below) + len(segment) + 2*len(r.Path) + longestID)
	for _, part := range [...]string{base.Scheme, "://", host, below, "/", segment} {
		address.WriteString(part)
	}
	if c.Store != 0 {
		var digits [longestID]byte
		address.WriteByte('/')
		address.Write(strconv.AppendInt(digits[:0], c.Store, 10))
	}
	if err := WritePath(&address, r.Path, r.Args); err != nil {
		return "", fmt.Errorf("%s: %w", r.route(), err)
	}
	if len(r.Query) > 0 {
		address.WriteByte('?')
		address.WriteString(r.Query.Encode())
	}
	return address.String(), nil
}

// longestID is the length of the longest id.
const longestID = len("-9223372036854775808")

const jsonMedia = "application/json; charset=utf-8"

// body returns the body of the request as the retry loop takes it, and its Content-Type; nil and "" if there is none.
func (r *Request) body() (body any, media string, err error) {
	switch in := r.Body.(type) {
	case nil:
		return nil, "", nil
	case *Form:
		e := in.encode()
		return e.open, e.media, nil
	}
	data, err := wire.Marshal(r.Body)
	if err != nil {
		return nil, "", fmt.Errorf("%s: encode body: %w", r.route(), err)
	}
	return data, jsonMedia, nil
}

// WritePath writes a template, with its placeholders replaced by the escaped args in order.
func WritePath(path *strings.Builder, template string, args []any) error {
	if !strings.HasPrefix(template, "/") || strings.ContainsAny(template, "?#") {
		return fmt.Errorf("path %s: must start with / and have no query", wire.Quote(template))
	}
	used := 0
	for s := range strings.SplitSeq(template[1:], "/") {
		value := s
		if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
			if used == len(args) {
				return fmt.Errorf("path %s: no value for %s", wire.Quote(template), s)
			}
			value = segment(args[used])
			used++
		}
		escaped, err := Escape(value)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		path.WriteByte('/')
		path.WriteString(escaped)
	}
	if used < len(args) {
		return fmt.Errorf("path %s: %d values for %d placeholders", wire.Quote(template), len(args), used)
	}
	return nil
}

// segment is the text of a value in a path.
func segment(value any) string {
	if id, ok := value.(fmt.Stringer); ok && reflect.TypeOf(value).Kind() == reflect.Int64 { // nearly all are
		return id.String()
	}
	return fmt.Sprint(value)
}

// Escape returns one path segment. Empty and dot segments are refused: no form
// of them is certain to reach the route through proxies.
func Escape(value string) (string, error) {
	if value == "" || value == "." || value == ".." {
		return "", fmt.Errorf("value %s cannot stand in a path: %w", wire.Quote(value), condition.ErrValidation)
	}
	return url.PathEscape(value), nil
}
