package api

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// In is one request as a handler sees it.
type In struct {
	Op      *Op
	Version string
	App     world.App
	Store   world.Store
	Scopes  world.Scopes
	Header  http.Header
	// Vars are the values of the path's {names}, unescaped.
	Vars map[string]string
	// Query are the parameters of the URL.
	Query url.Values
	// Raw is the body, which package body reads; empty if there was none.
	Raw []byte
	// CheckURL says why a partner's address is refused, nil if it is not.
	CheckURL func(url string) error
	// Strict is set if the server insists on what the contract says.
	Strict bool
	// Readings are the other answers that the server gives.
	Readings Readings

	unread []string
}

// Need refuses the request with 403 unless one of the scopes is held.
func (in *In) Need(scopes ...string) error {
	if in.Scopes.HasAny(scopes) {
		return nil
	}
	return MissingScope(scopes)
}

// MissingScope is the 403 for a token that lacks a permission.
func MissingScope(scopes []string) *Error {
	return Forbidden("Missing a required scope: " + strings.Join(scopes, " or "))
}

// Var is a value of the path as text.
func (in *In) Var(name string) string { return in.Vars[name] }

// ID is a value of the path as an integer id. Text that is none gives 0, an id
// nothing has, so that looking it up answers the 404 of the resource.
func (in *In) ID(name string) int64 {
	id, _ := ParseID(in.Vars[name])
	return id
}

// ParseID reads an id as paths have it, in digits only.
func ParseID(s string) (int64, bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, false
	}
	return id, true
}

// ParseQuery reads the parameters of a URL. Only & lies between two of them: a
// semicolon is text like any other. An escape that is none is an error.
func ParseQuery(raw string) (url.Values, error) {
	return url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B"))
}

// Has reports whether the query has the parameter with a value.
func (in *In) Has(name string) bool { return in.Query.Get(name) != "" }

// Unfiltered reports whether the query asks for nothing but a page and the fields of what is on it,
// and for what else the parameters say that are named.
func (in *In) Unfiltered(but ...string) bool {
	for name := range in.Query {
		if name != "page" && name != "per_page" && name != "fields" && !slices.Contains(but, name) {
			return false
		}
	}
	return true
}

// Text is a query parameter, empty if it is absent.
func (in *In) Text(name string) string { return in.Query.Get(name) }

// Int is an integer query parameter. Another text counts as absent. An integer out of range is the greatest or the
// least.
func (in *In) Int(name string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(in.Query.Get(name)), 10, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// Bool is a query parameter true/false (also 1/0); anything else counts as absent.
func (in *In) Bool(name string) (value, ok bool) {
	switch strings.ToLower(in.Query.Get(name)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// Texts is a comma-separated query parameter without its empty parts.
func (in *In) Texts(name string) []string {
	parts := strings.Split(in.Query.Get(name), ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// Ints is a comma-separated list of integers without the parts that are none.
func (in *In) Ints(name string) []int64 {
	var out []int64
	for _, s := range in.Texts(name) {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// Time is a query parameter in any of the forms ParseTime reads. Another text counts as absent.
func (in *In) Time(name string) (time.Time, bool) {
	if !in.Has(name) {
		return time.Time{}, false
	}
	t, err := ParseTime(in.Query.Get(name))
	return t, err == nil
}

// Recurring lists the parameters that most lists take and Selects reads.
func Recurring(more ...string) []string {
	return append([]string{"since_id", "created_at_min", "created_at_max", "updated_at_min", "updated_at_max"}, more...)
}

// Selects applies the recurring parameters to a record: since_id and the windows
// of created_at and updated_at, whose bounds belong to the window. Bounds have
// whole seconds, so a record's fraction of a second does not count.
func (in *In) Selects(id int64, created, updated time.Time) bool {
	if since, ok := in.Int("since_id"); ok && id <= since {
		return false
	}
	return in.Within("created_at", created) && in.Within("updated_at", updated)
}

// Within applies name_min and name_max to a time.
func (in *In) Within(name string, t time.Time) bool {
	t = t.Truncate(time.Second)
	if least, ok := in.Time(name + "_min"); ok && t.Before(least) {
		return false
	}
	if most, ok := in.Time(name + "_max"); ok && t.After(most) {
		return false
	}
	return true
}

// Unread lists the members of the body that nothing reads, as far as package body
// has found out.
func (in *In) Unread() []string {
	slices.Sort(in.unread)
	return slices.Compact(in.unread)
}

// MarkUnread adds members to Unread. Package body calls it.
func (in *In) MarkUnread(members ...string) { in.unread = append(in.unread, members...) }
