package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// maxSnippet bounds what an error repeats of a body that is not JSON.
const maxSnippet = 512

// readBody fills the error from one of the shapes in which the platform answers:
//
//	{"code": 404, "message": "Not Found", "description": null, "<field>": ["…"], …}
//	{"<field>": ["…"], …}
//	{"error": "Problems parsing JSON"}
//	{"error": {"status": 403, "code": "ForbiddenException", "detail": "…" or ["…"]}}
//	{"description": "…", "message": "…"} or {"description": "…", "messages": {"<path>": ["…"]}}
//
// and keeps a short piece of anything else, such as the HTML of a gateway. A list is
// of messages about a field, whose name may be one of those. Where two members give
// one text, the later name tells more, but for code and status.
func (e *Error) readBody(body []byte) {
	e.Body = body
	var members map[string]json.RawMessage
	if wire.Unmarshal(body, &members) != nil {
		e.Description = snippet(body)
		return
	}
	for _, name := range sortedKeys(members) {
		raw := members[name]
		if kind(raw) == '[' {
			e.addField(name, raw)
			continue
		}
		switch name {
		case "code":
			e.Code = text(raw)
		case "status":
			e.Code = cmp.Or(e.Code, text(raw))
		case "message", "error_description":
			e.Message = cmp.Or(text(raw), e.Message)
		case "description":
			e.Description = text(raw)
		case "error":
			e.readNested(raw)
		case "messages":
			e.readFields(raw)
		}
	}
}

// forgetBody drops the body, and what it said if it was no JSON: a piece that is cut out of
// it may hold a part of a secret, which nobody recognizes as one.
func (e *Error) forgetBody() {
	if !wire.Valid(e.Body) {
		e.Description = ""
	}
	e.Body = nil
}

// readNested reads the member "error": a text, or {status, code, detail}.
func (e *Error) readNested(raw json.RawMessage) {
	var nested struct {
		Code   string          `json:"code"`
		Detail json.RawMessage `json:"detail"`
	}
	if wire.Unmarshal(raw, &nested) != nil {
		e.Message = text(raw)
		return
	}
	e.Code = clean(nested.Code)
	e.Message = e.Code
	var details []string
	if wire.Unmarshal(nested.Detail, &details) == nil {
		e.Description = clean(strings.Join(details, "; "))
	} else {
		e.Description = text(nested.Detail)
	}
}

func (e *Error) readFields(raw json.RawMessage) {
	var fields map[string]json.RawMessage
	if wire.Unmarshal(raw, &fields) == nil {
		for name, messages := range fields {
			e.addField(name, messages)
		}
	}
}

// addField keeps the messages of a field. Members of other kinds, such as
// duplicate_variant_ids, are left to Extra.
func (e *Error) addField(name string, raw json.RawMessage) {
	var messages []string
	if wire.UnmarshalExact(raw, &messages) != nil || len(messages) == 0 {
		return
	}
	for i, m := range messages {
		messages[i] = clean(m)
	}
	if e.Fields == nil {
		e.Fields = make(map[string][]string)
	}
	e.Fields[clean(name)] = messages
}

// text returns a scalar as text; "" for null and for anything that is no scalar.
func text(raw json.RawMessage) string {
	var s string
	if wire.Unmarshal(raw, &s) == nil {
		return clean(s)
	}
	if k := kind(raw); k == '-' || '0' <= k && k <= '9' {
		return string(bytes.TrimSpace(raw))
	}
	return ""
}

// snippet returns the start of a body that is not JSON, in one printable line.
func snippet(body []byte) string {
	return clean(string(body[:min(len(body), maxSnippet)]))
}

// clean makes the platform's text fit for a log line: no control characters, no
// characters that change the direction of the line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
