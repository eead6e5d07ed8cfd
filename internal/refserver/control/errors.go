package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Error is the form of all errors. It has the fault with its field and value, the rule, and the remedy.
type Error struct {
	// Status is that of the answer; 0 is 422.
	Status  int    `json:"-"`
	Message string `json:"error"`
	// Hint is never empty in an answer.
	Hint  string `json:"hint"`
	Field string `json:"field,omitempty"`
	Value any    `json:"value,omitempty"`
	Rule  string `json:"rule,omitempty"`

	allow string // the methods of a 405
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// exampleHint is the hint of a wrong member. The command line shows the help of its command instead.
const exampleHint = "GET " + Prefix + " has an example of each call"

// wrong is the error of a member of a body, or of a parameter.
func wrong(field string, value any, rule string) *Error {
	subject := field
	if shown, err := encode(value); err == nil && value != nil {
		subject += " " + cut(string(shown))
	}
	return &Error{
		Message: fmt.Sprintf("%s: %s", subject, rule), Field: field, Value: value, Rule: rule,
		Hint: exampleHint,
	}
}

// inside are the names of the packages that do the work, with which their errors begin.
var inside = regexp.MustCompile(`^(shop|carrier|label|payment|rules|fault): `)

// message is an error without the name of a package, which a caller does not know.
func message(err error) string { return inside.ReplaceAllString(err.Error(), "") }

// refuse makes the error of an answer. Those of the packages that do the work are refusals of what was asked for.
func refuse(err error) *Error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		e = &Error{
			Status: http.StatusGatewayTimeout, Message: fmt.Sprintf("the call took longer than %s", mostTime),
			Hint: "completed changes remain: read the state before you repeat the call",
		}
	case errors.Is(err, shop.ErrNoCart):
		e = &Error{
			Status: http.StatusNotFound, Message: message(err), Hint: "GET " + Prefix + "stores/{store}/carts lists the carts",
		}
	default:
		e = &Error{Message: message(err)}
	}
	out := *e
	if out.Status == 0 {
		out.Status = http.StatusUnprocessableEntity
	}
	if out.Hint == "" {
		out.Hint = "nothing was changed: correct the call and repeat it"
	}
	return &out
}

// write answers in JSON.
func write(w http.ResponseWriter, status int, v any) {
	if e, ok := v.(*Error); ok && status == 0 {
		status = refuse(e).Status
	}
	body, err := encode(v)
	if err != nil { // only maps, texts and numbers are answered
		status = http.StatusInternalServerError
		body = []byte(`{"error":"the answer is not JSON","hint":"report this as a defect"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // an error here is the connection's
}

func encode(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// lastKnown are the records among which the nearest is looked for, if a list is long.
var lastKnown = work.Part{After: math.MaxInt64, Newest: true, Most: 1000}

// unknown is the error of an unknown name, with the nearest known names.
func unknown(kind, value string, of []string) *Error {
	e := &Error{
		Status: http.StatusNotFound, Message: fmt.Sprintf("%s %q does not exist", kind, cut(value)), Field: kind,
		Value: cut(value),
		Rule:  "must exist",
	}
	if value == "" {
		e.Message, e.Rule = kind+": must be set", "must be set"
	}
	switch near := world.Nearest(value, of); {
	case near != "":
		e.Hint = "the nearest is " + near
	case len(of) == 0:
		e.Hint = "there are none yet"
	case len(of) == 1:
		e.Hint = "there is only " + of[0]
	case len(of) <= mostShown:
		e.Hint = fmt.Sprintf("there are %d: %s", len(of), strings.Join(of, ", "))
	default:
		e.Hint = fmt.Sprintf("there are %d, such as %s", len(of), strings.Join(of[:mostShown], ", "))
	}
	return e
}

// mostShown is how many known names an error lists.
const mostShown = 5

// misspelt is unknown for a name in a body.
func misspelt(kind, value string, of []string) *Error {
	e := unknown(kind, value, of)
	e.Status = http.StatusUnprocessableEntity
	return e
}

// misnamed is misspelt for a member that is the name of something, such as a domain.
func misnamed(member, value, something string, of []string) *Error {
	e := misspelt(member, value, of)
	if value != "" {
		e.Rule = "must be " + something
		e.Message = fmt.Sprintf("%s %q: %s", member, cut(value), e.Rule)
	}
	return e
}

// cut bounds a value that is shown in an error.
func cut(s string) string {
	const most = 100
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.ToValidUTF8(s, "�")
}
