package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// reply is a value of an answer of the control API. A missing member is null.
type reply struct {
	raw json.RawMessage
	in  map[string]json.RawMessage // the members of an object
}

// UnmarshalJSON reads one level.
func (a *reply) UnmarshalJSON(raw []byte) error {
	*a = reply{raw: bytes.Clone(raw)}
	if raw[0] == '{' {
		return json.Unmarshal(raw, &a.in)
	}
	return nil
}

// at returns a member, with dots between the names of members in members.
func (a reply) at(path string) reply {
	for name := range strings.SplitSeq(path, ".") {
		raw, ok := a.in[name]
		if a = (reply{}); ok {
			_ = json.Unmarshal(raw, &a) // it is JSON, because the whole is
		}
	}
	return a
}

// is reports whether a member is set: not null, false, 0 or empty.
func (a reply) is(path string) bool {
	switch a.text(path) {
	case "", "0", "false":
		return false
	}
	return true
}

// text returns a member as a terminal shows it unchanged, null as "".
func (a reply) text(path string) string {
	raw := a.at(path).raw
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return plain(s)
	}
	return oneLine(raw)
}

// body returns a member that is a body, on one line.
func (a reply) body(path string) string {
	if raw := a.at(path).raw; len(raw) > 0 && string(raw) != "null" {
		return oneLine(raw)
	}
	return "no body"
}

// number returns a member that is a number, else 0.
func (a reply) number(path string) (n float64) {
	_ = json.Unmarshal(a.at(path).raw, &n)
	return n
}

// texts returns the elements of a member that are texts.
func (a reply) texts(path string) (out []string) {
	_ = json.Unmarshal(a.at(path).raw, &out) // none if there is no array
	return out
}

// list returns the elements of a member.
func (a reply) list(path string) (out []reply) {
	_ = json.Unmarshal(a.at(path).raw, &out) // none if there is no array
	return out
}
