package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// forms is a set of the forms in which the platform refuses a request. The section "Errors" of the contract has them;
// testdata/refusals.tsv lists the words and an example for each status.
type forms uint8

const (
	general   forms = 1 << iota // {"code": 404, "message": "Not Found", "description": "…" or null, …}
	byField                     // {"<field>": ["…"], …}
	exception                   // {"error": {"status": 403, "code": "ForbiddenException", "detail": "…"}}
	described                   // {"description": "…", "message": "…"} or {"description": "…", "messages": {…}}
	object                      // any object
	metered                     // any body, with the headers of the rate limit
)

// refusals has the statuses from which callers conclude something about a record, an input, an installation or the
// rate limit, with the forms that the contract describes for each. Such a status with another body is the answer of an
// intermediary: a proxy, an ingress, a gateway or a firewall.
var refusals = map[int]forms{
	http.StatusBadRequest:          object, // one cause has no documented body
	http.StatusUnauthorized:        general,
	http.StatusPaymentRequired:     general, // "body not documented": the form of 401
	http.StatusForbidden:           general | exception,
	http.StatusNotFound:            general | exception | described,
	http.StatusConflict:            general,
	http.StatusUnprocessableEntity: general | exception | described | byField,
	http.StatusTooManyRequests:     object | metered, // "no documented body", but documented headers
}

// byIntermediary reports whether an answer has a status of the platform's refusals, and none of their forms. Its
// Content-Type does not count, because servers label JSON as they like. A body that was cut is judged by its first
// members.
func byIntermediary(resp *http.Response, method string, body []byte, cut bool) bool {
	accepted, listed := refusals[resp.StatusCode]
	if !listed {
		return false
	}
	if (accepted&metered != 0 || method == http.MethodHead) && RateOf(resp.Header).Limit > 0 {
		return false // an answer to HEAD has no body
	}
	members, ok := membersOf(body, cut)
	return !ok || accepted&formsOf(resp.StatusCode, members) == 0
}

// membersOf returns the members of an object; of one that was cut, the members before the cut.
func membersOf(body []byte, cut bool) (members map[string]json.RawMessage, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, false
	}
	members = make(map[string]json.RawMessage)
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return members, cut && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
		}
		members[name.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		return members, cut && errors.Is(err, io.EOF)
	}
	_, err := d.Token()
	return members, errors.Is(err, io.EOF)
}

// formsOf returns the forms that an error body has.
func formsOf(status int, members map[string]json.RawMessage) forms {
	found := object
	_, explains := members["description"]
	message := textOf(members["message"])
	if explains && message != "" && isNumber(members["code"], status) &&
		(status != http.StatusNotFound || message == http.StatusText(status)) {
		found |= general
	}
	if members["code"] == nil && textOf(members["description"]) != "" &&
		(message != "" || startsWith(members["messages"], '{')) {
		found |= described
	}
	if inner, ok := membersOf(members["error"], false); ok && isNumber(inner["status"], status) &&
		textOf(inner["code"]) != "" && inner["detail"] != nil {
		found |= exception
	}
	for _, value := range members {
		var messages []string
		if startsWith(value, '[') && json.Unmarshal(value, &messages) == nil && len(messages) > 0 &&
			!slices.Contains(messages, "") {
			found |= byField
		}
	}
	return found
}

// textOf returns a text; "" for another value.
func textOf(value json.RawMessage) string {
	var text string
	if !startsWith(value, '"') || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

// isNumber reports whether a value is n, as a number or in a text.
func isNumber(value json.RawMessage, n int) bool {
	number := []byte(value)
	if text := textOf(value); text != "" {
		number = []byte(text)
	}
	digits, ok := digitsOf(string(wire.Digits(number)))
	return ok && digits == int64(n)
}

func startsWith(value json.RawMessage, b byte) bool { return len(value) > 0 && value[0] == b }
