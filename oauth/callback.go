package oauth

import (
	"fmt"
	"net/url"
	"strings"
)

// callbackQuery is the query of a request for the redirect URL.
type callbackQuery struct {
	code, state string
	refusal     *Error

	installed string // proof of a success address
	again     string // state of an installation to begin again
}

const maxQuery = 8 << 10

// readCallback rejects a query in which a parameter of this package can be read in two ways. It ignores other
// parameters, such as those of campaigns, even if they are malformed.
func readCallback(rawQuery string) (callbackQuery, error) {
	var c callbackQuery
	if len(rawQuery) > maxQuery {
		return c, fmt.Errorf("%w: query of %d bytes: must be at most %d", errQuery, len(rawQuery), maxQuery)
	}
	var refused, description string
	fields := map[string]*string{
		"code": &c.code, "state": &c.state, "error": &refused, "error_description": &description,
		"installed": &c.installed, "again": &c.again,
	}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(rawQuery, "&") {
		key, escaped, _ := strings.Cut(pair, "=")
		key, err := url.QueryUnescape(key)
		field, ours := fields[key]
		if err != nil || !ours {
			continue
		}
		value, err := url.QueryUnescape(escaped)
		switch {
		case err != nil || strings.Contains(escaped, ";"): // some servers read ; as &
			return callbackQuery{}, fmt.Errorf("%w: %s cannot be parsed", errQuery, key)
		case seen[key] && value != *field:
			return callbackQuery{}, fmt.Errorf("%w: more than one %s", errQuery, key)
		}
		*field, seen[key] = value, true
	}
	if len(c.code) > maxCode {
		return callbackQuery{}, fmt.Errorf("%w: code of %d bytes: must be at most %d", errQuery, len(c.code), maxCode)
	}
	if refused != "" {
		c.refusal = &Error{Code: clean(refused), Description: clean(description)}
	}
	return c, nil
}
