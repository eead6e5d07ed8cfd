package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const maxToken = 4096

// answer is a JSON object by its exact keys.
type answer map[string]json.RawMessage

// text returns the string under key; nothing if it is no string.
func (a answer) text(key string) string {
	var s string
	if json.Unmarshal(a[key], &s) != nil {
		return ""
	}
	return s
}

// readAnswer reads the token answer of a successful request. Its errors repeat nothing of the answer but the platform's
// own error code and description.
func readAnswer(body []byte, secrets ...string) (Install, error) {
	var a answer
	if json.Unmarshal(body, &a) != nil || a == nil {
		return Install{}, errors.New("answer is not a JSON object")
	}
	if a.text("error") != "" {
		return Install{}, refusal(0, body, secrets...)
	}
	token := a.text("access_token")
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Install{}, errors.New("answer has no usable access_token")
	}
	// An answer without a type is taken for the only one there is.
	if kind := a.text("token_type"); len(a["token_type"]) > 0 && !strings.EqualFold(kind, "bearer") {
		return Install{}, errors.New("token_type is not bearer")
	}
	id, err := a.storeID()
	if err != nil {
		return Install{}, err
	}
	return Install{StoreID: id, Token: Secret(token), Scopes: ParseScopes(a.text("scope"))}, nil
}

// storeID reads user_id, which some answers call store_id. If there are both they must agree.
func (a answer) storeID() (int64, error) {
	var id int64
	for _, key := range []string{"user_id", "store_id"} {
		raw, ok := a[key]
		if !ok || string(raw) == "null" {
			continue
		}
		n, err := parseID(raw)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", key, err)
		}
		if id != 0 && id != n {
			return 0, errors.New("user_id and store_id differ")
		}
		id = n
	}
	if id == 0 {
		return 0, errors.New("answer has no user_id")
	}
	return id, nil
}

// parseID reads a positive id from a JSON number or string of plain digits; never through a float64.
func parseID(raw json.RawMessage) (int64, error) {
	digits := string(raw)
	if digits[0] == '"' {
		digits = answer{"id": raw}.text("id")
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, errors.New("want a positive integer")
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("want a positive integer")
	}
	return n, nil
}

// refusal makes an Error of an answer; a body that is no JSON object adds nothing to the status.
func refusal(status int, body []byte, secrets ...string) *Error {
	var a answer
	_ = json.Unmarshal(body, &a)
	first := func(keys ...string) string {
		for _, key := range keys {
			if text := clean(a.text(key), secrets...); text != "" {
				return text
			}
		}
		return ""
	}
	return &Error{
		Status:      status,
		Code:        first("error", "message"),
		Description: first("error_description", "description"),
	}
}
