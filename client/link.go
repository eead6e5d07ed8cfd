package client

import (
	"net/url"
	"strings"
)

// parseLinks reads Link headers (RFC 8288) into the query of each relation. Only
// the query is used: where a link points to another host or path, the request
// still goes to the configured one.
func parseLinks(headers []string) map[string]url.Values {
	links := map[string]url.Values{}
	for _, header := range headers {
		for header != "" {
			var target, params string
			target, params, header = cutLink(header)
			u, err := url.Parse(target)
			if err != nil || target == "" {
				continue
			}
			for _, rel := range relations(params) {
				if _, ok := links[rel]; !ok {
					links[rel] = u.Query()
				}
			}
		}
	}
	return links
}

// cutLink takes the first link off a header: what stands in its angle brackets,
// its parameters, and what follows the comma behind them.
func cutLink(header string) (target, params, rest string) {
	_, header, ok := strings.Cut(header, "<")
	if !ok {
		return "", "", ""
	}
	target, header, ok = strings.Cut(header, ">")
	if !ok {
		return "", "", ""
	}
	quoted := false
	for i, r := range header {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ',' && !quoted:
			return target, header[:i], header[i+1:]
		}
	}
	return target, header, ""
}

// relations returns the values of the parameter rel.
func relations(params string) []string {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
		if strings.EqualFold(strings.TrimSpace(name), "rel") {
			return strings.Fields(strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`)))
		}
	}
	return nil
}
