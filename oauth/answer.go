package oauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

const maxToken = 4096

// answer is a JSON object whose keys are compared exactly.
type answer map[string]json.RawMessage

// text returns the string under key; empty if it is no string.
func (a answer) text(key string) string {
	var s string
	if json.Unmarshal(a[key], &s) != nil {
		return ""
	}
	return s
}

// readAnswer reads the token answer of a successful request. From the answer, its errors repeat only the platform's
// error code and description. Of duplicate members the last one is used.
func readAnswer(body []byte, secrets ...string) (Install, error) {
	a, err := parseAnswer(body)
	if err != nil {
		return Install{}, err
	}
	if a.text("error") != "" {
		return Install{}, refusal(0, body, secrets...)
	}
	token := a.text("access_token")
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Install{}, errors.New("answer has no usable access_token")
	}
	// An answer without a type is taken as bearer, the only type there is.
	if kind := a.text("token_type"); !a.unset("token_type") && !strings.EqualFold(kind, "bearer") {
		return Install{}, errors.New("token_type is not bearer")
	}
	id, err := a.storeID()
	if err != nil {
		return Install{}, err
	}
	return Install{StoreID: id, Token: client.Secret(token), Scopes: a.scopes()}, nil
}

// parseAnswer reads a JSON object, with a byte order mark or without.
func parseAnswer(body []byte) (answer, error) {
	var a answer
	if json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &a) == nil && a != nil {
		return a, nil
	}
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		return nil, errors.New("answer is compressed with gzip")
	}
	return nil, errors.New("answer is not a JSON object")
}

// unset reports whether a member is absent, null or an empty string.
func (a answer) unset(key string) bool {
	raw := string(a[key])
	return raw == "" || raw == "null" || raw == `""`
}

// scopes reads a text of scopes, or a list of such texts. Members of other types grant nothing.
func (a answer) scopes() Scopes {
	var list []json.RawMessage
	if json.Unmarshal(a["scope"], &list) != nil {
		return ParseScopes(a.text("scope"))
	}
	var texts []string
	for _, raw := range list {
		texts = append(texts, answer{"scope": raw}.text("scope"))
	}
	return ParseScopes(strings.Join(texts, ","))
}

// storeID reads user_id, which some answers call store_id. If both are present they must be equal.
func (a answer) storeID() (client.ID, error) {
	var id int64
	for _, key := range []string{"user_id", "store_id"} {
		if a.unset(key) {
			continue
		}
		text := string(a[key])
		if text[0] == '"' {
			text = a.text(key)
		}
		n, ok := wholeNumber(text)
		if !ok || n <= 0 {
			return 0, fmt.Errorf("%s: must be a positive integer", key)
		}
		if id != 0 && id != n {
			return 0, errors.New("user_id and store_id differ")
		}
		id = n
	}
	if id == 0 {
		return 0, errors.New("answer has no user_id")
	}
	return client.ID(id), nil
}

// wholeNumber reads a number whose value is whole, also with a fraction and an exponent: 789, 789.0 and 7.89e2. It
// never rounds.
func wholeNumber(text string) (int64, bool) {
	const longest = 64 // characters
	if len(text) > longest {
		return 0, false
	}
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[at+1:]); err != nil || exponent < -longest || exponent > longest {
			return 0, false
		}
		mantissa = text[:at]
	}
	whole, fraction, dotted := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if whole == "" || dotted && fraction == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	point := len(whole) + exponent // in digits
	if point < 0 || point < len(digits) && strings.Trim(digits[point:], "0") != "" {
		return 0, false
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	n, err := strconv.ParseInt(digits[:point], 10, 64)
	return n, err == nil
}

// refusal returns the Error for an answer; a body that is not a JSON object adds nothing to the status. The platform
// refuses a token request with the member error, and other requests with its status as the member code.
func refusal(status int, body []byte, secrets ...string) *Error {
	a, _ := parseAnswer(body)
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
		foreign:     a.text("error") == "" && (string(a["code"]) != strconv.Itoa(status) || a.text("message") == ""),
	}
}
