package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// maxSnippet bounds the part of a body that is not JSON which an error repeats.
const maxSnippet = 512

// readAnswer fills the error from a response. If the response has secrets, no part of its body is kept, because half of
// a secret cannot be recognized as one.
func (e *Error) readAnswer(h http.Header, body []byte, secrets bool) {
	if what := encoded(h, body); what != "" {
		e.Body, e.Description = body, what
	} else {
		e.readBody(body)
		if secrets && !wire.Valid(body) {
			e.Description = ""
		}
	}
	if secrets {
		e.Body = nil
	}
}

// readBody fills the error from one of the forms of the platform's error bodies:
//
//	{"code": 404, "message": "Not Found", "description": null, "<field>": ["…"], …}
//	{"<field>": ["…"], …}
//	{"error": "Problems parsing JSON"}
//	{"error": {"status": 403, "code": "ForbiddenException", "detail": "…" or ["…"]}}
//	{"description": "…", "message": "…"} or {"description": "…", "messages": {"<path>": ["…"]}}
//
// Gateways and newer services send variations: numbers instead of texts, texts instead of lists, nested fields, objects
// with a message and the name of its field, or no object at all. Of a body that is not JSON, such as HTML, a short part
// is kept.
func (e *Error) readBody(body []byte) {
	e.Body = body
	if !wire.Valid(body) {
		e.Description = snippet(body)
		return
	}
	switch wire.Kind(body) {
	case '{':
		e.readObject(body, 0)
	case '[':
		newMessages(e).collect("errors", body, 0)
		if e.Fields == nil {
			e.Description = snippet(body)
		}
	case 'n':
	default:
		e.Description = cmp.Or(text(body), snippet(body))
	}
}

// readObject reads an error body, or its member "error". A list has messages about a field, whose name may be one of
// the names below.
func (e *Error) readObject(raw json.RawMessage, depth int) {
	var members map[string]json.RawMessage
	if depth > mostDepth || wire.Unmarshal(raw, &members) != nil {
		return
	}
	fields := newMessages(e)
	for _, name := range sortedKeys(members) {
		raw := members[name]
		switch wire.Kind(raw) {
		case '[':
			var details []string
			switch {
			case depth > 0 && name == "detail" && wire.Unmarshal(raw, &details) == nil:
				e.describe(details...)
			case name == "errors" || name == "messages" || mentionsText(raw):
				fields.collect(name, raw, 0)
			}
		case '{':
			switch name {
			case "error":
				e.readObject(raw, depth+1)
				e.Message = cmp.Or(e.Message, e.Code)
			case "errors", "messages", "message", "description", "detail":
				fields.collect("", raw, 0)
			default:
				if e.refusesInput() {
					fields.collect(name, raw, 0)
				}
			}
		default:
			e.readText(name, raw, fields)
		}
	}
	e.keep(text(members["error"]), text(members["error_description"]))
}

// keep preserves the member "error" if another member is the message. If there is a description of it, it is a code.
func (e *Error) keep(said, description string) {
	switch {
	case said == e.Message || said == http.StatusText(e.Status):
	case e.Code == "":
		e.Code = wire.Line(said, wire.MaxName)
	case description == "":
		e.describe(said)
	}
	e.describe(description)
}

// readText reads a member that is a text or a number. If two members set the same text, the later name is more
// specific, except for code and status.
func (e *Error) readText(name string, raw json.RawMessage, fields *messages) {
	said := text(raw)
	switch name {
	case "code":
		e.Code = codeOf(said)
	case "status":
		e.Code = cmp.Or(e.Code, codeOf(said))
	case "error", "error_description", "message":
		e.Message = cmp.Or(said, e.Message)
	case "title", "msg", "reason":
		if e.Message == "" {
			e.Message = said
		} else {
			e.describe(said)
		}
	case "description", "detail":
		e.describe(said)
	case "errors", "messages":
		fields.add(name, said)
	default:
		if wire.Kind(raw) == '"' && e.refusesInput() {
			fields.add(name, said)
		}
	}
}

// codeOf returns a code in the form in which codes are compared. A whole number, such as 404.0, is reduced to its
// digits.
func codeOf(said string) string {
	return wire.Line(string(wire.Digits([]byte(said))), wire.MaxName)
}

// describe appends to the description.
func (e *Error) describe(said ...string) {
	for _, s := range said {
		switch s = wire.Line(s, wire.MaxText); {
		case s == "" || s == e.Message || s == e.Description:
		case e.Description == "":
			e.Description = s
		default:
			e.Description = wire.Line(e.Description+"; "+s, wire.MaxText)
		}
	}
}

// refusesInput reports whether members with unknown names are likely to be fields of the input.
func (e *Error) refusesInput() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// mentionsText reports whether a list holds more than numbers. Lists of numbers, such as duplicate_variant_ids, are
// left to Extra.
func mentionsText(list json.RawMessage) bool { return bytes.ContainsAny(list, `"{`) }

// text returns a scalar as text; "" for null and for other values.
func text(raw json.RawMessage) string {
	switch k := wire.Kind(raw); {
	case k == '"':
		var s string
		if wire.Unmarshal(raw, &s) == nil {
			return wire.Line(s, wire.MaxText)
		}
	case k == '-' || '0' <= k && k <= '9':
		return wire.Line(string(bytes.TrimSpace(raw)), wire.MaxText)
	}
	return ""
}

// snippet returns the start of a body that is not JSON, in one printable line.
func snippet(body []byte) string {
	start := body[:min(len(body), maxSnippet)]
	if !isText(start, mostUnprintable) {
		return fmt.Sprintf("%d bytes that are not text", len(body))
	}
	return wire.Line(string(start), maxSnippet)
}

// mostUnprintable is the maximum percentage of unprintable bytes in a text, such as one in Latin-1.
const mostUnprintable = 30

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
