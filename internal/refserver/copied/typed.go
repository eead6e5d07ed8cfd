package copied

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// arguments are the arguments of a method that sends a request. They must have all of its query and its body.
func (w *goWriter) arguments(m goMethod, path []string, query url.Values, body string) ([]string, error) {
	sent, asked := decoded(body), map[string]any{}
	for name, v := range query {
		if asked[name] = v[0]; len(v) > 1 {
			return nil, fmt.Errorf("%s is sent %d times", name, len(v))
		}
	}
	of, _ := sent.(map[string]any)
	out, members := []string{"ctx"}, map[string]bool{} // that arguments have
	if m.answer == "list" {
		out = nil
	}
	whole := false
	for _, arg := range m.args {
		from, typ := arg[0], arg[1]
		source, member, _ := strings.Cut(from, ".")
		var v any
		switch n, err := strconv.Atoi(source); {
		case err == nil && n < len(path):
			v = unescaped(path[n])
		case source == "body" && member == "":
			v, whole = sent, true
		case source == "body":
			v, members[member] = of[member], true
		case member == "":
			v = asked
		default:
			v = asked[member]
			delete(asked, member)
		}
		list, variadic := strings.CutPrefix(typ, "...")
		if v == nil && (variadic || source == "query") {
			if !variadic {
				out = append(out, "0") // the number of a page
			}
			continue
		}
		if variadic {
			typ = "[]" + list
		}
		text, err := w.literal(typ, v)
		if err != nil {
			return nil, err
		}
		if variadic {
			text = strings.TrimSuffix(strings.TrimPrefix(text, typ+"{"), "}")
		}
		if source == "query" && member == "" {
			asked = nil // literal has found a member for each
		}
		out = append(out, text)
	}
	for name := range asked {
		return nil, fmt.Errorf("it has no parameter %q", name)
	}
	if !whole {
		for name := range of {
			if !members[name] {
				return nil, fmt.Errorf("it has no member %q", name)
			}
		}
		if of == nil && sent != nil {
			return nil, errors.New("it has no such body")
		}
	}
	return out, nil
}
