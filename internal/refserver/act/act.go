package act

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
)

// Act is a row of the table: an act of the platform, or a read.
type Act struct {
	// Name is the resource and the verb, such as carts.buy.
	Name string
	// Method and Path are the route below the prefix of the control API. The path has its parameters in braces.
	Method, Path string
	// InGo are the methods of clienttest that perform the act, such as Basket.Buy.
	InGo []string
	// Does is the help, without a capital and a period.
	Does string
	// Query are the parameters of the query, Lists and Streams whether the answer is a page of a list or a stream.
	Query          []string
	Lists, Streams bool
	// Body and Answer are examples in JSON. Body is empty if the act has no input.
	Body, Answer string
	// In is the type of the input; nil if there is none.
	In reflect.Type
}

// Reads reports whether the act changes nothing.
func (a Act) Reads() bool { return a.Method == "GET" }

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// Parameters returns the names of the parameters of the path, in order.
func (a Act) Parameters() []string {
	var out []string
	for _, m := range parameter.FindAllStringSubmatch(a.Path, -1) {
		out = append(out, m[1])
	}
	return out
}

// Fill returns the path with the values of its parameters, escaped.
func (a Act) Fill(values ...string) (string, error) {
	names := a.Parameters()
	if len(values) != len(names) {
		return "", fmt.Errorf("%s: must have %d values for its path, not %d", a.Name, len(names), len(values))
	}
	path := a.Path
	for i, name := range names {
		path = strings.Replace(path, "{"+name+"}", Escape(values[i]), 1)
	}
	return path, nil
}

// Escape returns a value as a segment of a path.
func Escape(value string) string {
	if value == "." || value == ".." {
		return "%2E" + value[1:]
	}
	return url.PathEscape(value)
}

// Find returns the act of a name.
func Find(acts []Act, name string) (Act, bool) {
	for _, a := range acts {
		if a.Name == name {
			return a, true
		}
	}
	return Act{}, false
}
