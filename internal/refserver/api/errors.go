package api

import (
	"fmt"
	"maps"
	"net/http"
)

// Error is a refusal: a status and a body in one of the five shapes of the API.
type Error struct {
	Status int
	Header http.Header
	// Body is written as JSON; nil writes none.
	Body any
}

// Error gives the status and the body, for logs.
func (e *Error) Error() string {
	b, err := Encode(e.Body)
	if err != nil {
		return fmt.Sprint(e.Status)
	}
	return fmt.Sprintf("%d %s", e.Status, b)
}

// Coded is the common shape, {"code","message","description"}. The message is
// the status in words; an empty description is written as null.
func Coded(status int, description string) *Error {
	body := map[string]any{"code": status, "message": http.StatusText(status), "description": nil}
	if description != "" {
		body["description"] = description
	}
	return &Error{Status: status, Body: body}
}

// With returns the error with one more member in its body, for example a field
// with its messages, or duplicate_variant_ids. Only bodies that are objects of
// the shapes Coded and Invalid have can take it; others come back unchanged.
func (e *Error) With(member string, value any) *Error {
	body, ok := e.Body.(map[string]any)
	if !ok {
		return e
	}
	out := *e
	next := maps.Clone(body)
	next[member] = value
	out.Body = next
	return &out
}

// NotFound is 404 in the common shape; an empty description is null.
func NotFound(description string) *Error { return Coded(http.StatusNotFound, description) }

// Forbidden is 403 in the common shape.
func Forbidden(description string) *Error { return Coded(http.StatusForbidden, description) }

// Unprocessable is 422 in the common shape.
func Unprocessable(description string) *Error {
	return Coded(http.StatusUnprocessableEntity, description)
}

// Validation is 422 "Validation error" in the common shape with a list of
// messages per field. A field called like a member of that shape would take its
// place: the answer has fields only then, as that of Invalid.
func Validation(fields map[string][]string) *Error {
	return ValidationBy(http.StatusUnprocessableEntity, fields)
}

// ValidationBy is Validation with another status.
func ValidationBy(status int, fields map[string][]string) *Error {
	e := Coded(status, "Validation error")
	for _, own := range []string{"code", "message", "description"} {
		if _, taken := fields[own]; taken {
			e.Body = map[string]any{}
		}
	}
	for field, messages := range fields {
		e = e.With(field, messages)
	}
	return e
}

// Invalid is 422 in the shape {"field": ["message", ...]}, without a code. More
// fields are added by With.
func Invalid(field string, messages ...string) *Error {
	return &Error{Status: http.StatusUnprocessableEntity, Body: map[string]any{field: messages}}
}

// Plain is the shape {"error": "text"}.
func Plain(status int, text string) *Error {
	return &Error{Status: status, Body: map[string]any{"error": text}}
}

// Malformed is the 400 for a body that is not JSON.
func Malformed() *Error { return Plain(http.StatusBadRequest, "Problems parsing JSON") }

// Exception is the shape {"error": {"status", "code", "detail"}} of promotions
// and discount callbacks. The detail of a 400 is a list, otherwise the first text.
func Exception(status int, code string, detail ...string) *Error {
	var d any = detail
	if status != http.StatusBadRequest && len(detail) > 0 {
		d = detail[0]
	}
	return &Error{Status: status, Body: map[string]any{
		"error": map[string]any{"status": status, "code": code, "detail": d},
	}}
}

// Described is the shape {"description", "message"} of fulfillment orders.
func Described(status int, description, message string) *Error {
	return &Error{Status: status, Body: map[string]any{"description": description, "message": message}}
}

// DescribedAll is the shape {"description", "messages"} of fulfillment orders,
// with messages keyed by dotted path.
func DescribedAll(status int, description string, messages map[string][]string) *Error {
	return &Error{Status: status, Body: map[string]any{"description": description, "messages": messages}}
}
