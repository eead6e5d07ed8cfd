package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
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

// wrong is the error of a member of a body, or of a parameter.
func wrong(field string, value any, rule string) *Error {
	return &Error{
		Message: fmt.Sprintf("%s: %s", field, rule), Field: field, Value: value, Rule: rule,
		Hint: "GET " + Prefix + " has an example of each call",
	}
}

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
			Status: http.StatusNotFound, Message: err.Error(), Hint: "GET " + Prefix + "stores/{store}/carts lists the carts",
		}
	default:
		e = &Error{Message: err.Error()}
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
		Status: http.StatusNotFound, Message: fmt.Sprintf("%s %q: there is none", kind, cut(value)), Field: kind,
		Value: cut(value),
		Rule:  "must exist",
	}
	switch near := nearest(value, of); {
	case near != "":
		e.Hint = "the nearest is " + near
	case len(of) == 0:
		e.Hint = "there are none yet"
	default:
		e.Hint = fmt.Sprintf("there are %d, such as %s", len(of), strings.Join(of[:min(len(of), 5)], ", "))
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

// nearest is the name that is most like a word, empty if none is like it.
func nearest(word string, of []string) string {
	best, least := "", max(2, min(len(word), 64)/2)+1
	for _, name := range of {
		if d := distance(strings.ToLower(word), strings.ToLower(name), least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is how many bytes have to change, be left out or put in; most if it is more than that or the words are long.
func distance(a, b string, most int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], most)
}
