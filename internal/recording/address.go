package recording

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	// A segment of a path stays if it cannot be the token that makes an address a secret: lower-case words, a short
	// number, or a version.
	segment = regexp.MustCompile(`^([A-Z]?[a-z]{1,15}([._~-][A-Za-z]?[a-z]{0,15}){0,5}|[0-9]{1,12}|v[0-9]{1,2})$`)
	host    = regexp.MustCompile(`^[a-zA-Z0-9.-]{1,253}(:[0-9]{1,5})?$`)
)

// target returns the path and the query of a call to be recorded.
func (m *Masker) target(target string) string {
	before, query, asked := strings.Cut(target, "?")
	parts := strings.Split(before, "/")
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil || part != "" && !segment.MatchString(plain) {
			parts[i] = url.PathEscape(m.scramble.text(plain))
		}
	}
	out := strings.Join(parts, "/")
	if !asked {
		return out
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if pairs[i] = m.parameter(name, value); !ok {
			pairs[i] = strings.TrimSuffix(pairs[i], "=")
		}
	}
	return out + "?" + strings.Join(pairs, "&")
}

// Replaced returns the segments of a recorded path that are replacements of others, which could have been tokens.
func Replaced(target string) (parts []string) {
	path, _, _ := strings.Cut(target, "?")
	for part := range strings.SplitSeq(path, "/") {
		if plain, err := url.PathUnescape(part); err == nil && plain != "" && !segment.MatchString(plain) {
			parts = append(parts, plain)
		}
	}
	return parts
}

// parameter returns one of a query. If it cannot be unescaped, it is replaced as it is.
func (m *Masker) parameter(name, value string) string {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	if plain, err := url.QueryUnescape(value); err == nil {
		value = plain
	}
	n := m.query.member(name)
	return url.QueryEscape(m.name(m.query, name)) + "=" + url.QueryEscape(m.value(n, name, value))
}

// hostname returns the host that a call names.
func (m *Masker) hostname(name string) string {
	if host.MatchString(name) {
		return name
	}
	return ""
}
