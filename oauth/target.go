package oauth

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

const maxTarget = 2048

// checkTarget accepts a path of this site, with or without a query or fragment. No browser and no proxy may take it for
// another site, so after decoding it must still be one clean path.
func checkTarget(target string) error {
	refuse := func(rule string) error { return fmt.Errorf("%w %q: %s", errTarget, clean(target), rule) }
	if len(target) > maxTarget {
		return refuse(fmt.Sprintf("must have at most %d bytes", maxTarget))
	}
	if !strings.HasPrefix(target, "/") {
		return refuse("must be a path that starts with /")
	}
	if strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) {
		return refuse(`must be printable ASCII without spaces and \`)
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return refuse("must be a path without scheme and host")
	}
	if strings.ContainsFunc(u.Path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return refuse(`must not have an encoded control character or \`)
	}
	if plain := path.Clean(u.Path); u.Path != plain && (plain == "/" || u.Path != plain+"/") {
		return refuse("must not have an empty, . or .. segment")
	}
	return nil
}
