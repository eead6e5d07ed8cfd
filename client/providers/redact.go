package providers

import (
	"errors"
	"strings"
	"unicode"

	"github.com/commerceplatform/commerce-go/client"
)

const redacted = "[redacted]"

// withoutCredentials removes secrets that the response repeats from err. A text that contains one is removed as a
// whole. The body is never kept, because of Request.Secrets.
func withoutCredentials(err error, a *Authentication) error {
	answer, ok := errors.AsType[*client.Error](err)
	if !ok || a == nil {
		return err
	}
	hide := func(text string) string {
		if a.mentionedIn(text) {
			return redacted
		}
		return text
	}
	clean := *answer
	clean.Code, clean.Message, clean.Description = hide(clean.Code), hide(clean.Message), hide(clean.Description)
	clean.Fields = nil
	for field, messages := range answer.Fields {
		if clean.Fields == nil {
			clean.Fields = map[string][]string{}
		}
		for _, m := range messages {
			clean.Fields[hide(field)] = append(clean.Fields[hide(field)], hide(m))
		}
	}
	return &clean
}

// mentionedIn reports whether the text contains one of the secrets. Only letters and digits are compared, so that
// quoting does not matter.
func (a *Authentication) mentionedIn(text string) bool {
	text = lettersAndDigits(text)
	for _, s := range []client.Secret{a.APIKey, a.AccessToken, a.ClientSecret, a.RefreshToken, a.Password} {
		if s != "" && strings.Contains(text, lettersAndDigits(string(s))) {
			return true
		}
	}
	return false
}

func lettersAndDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
