package callback_test

import (
	"fmt"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// The fast forms read what the methods of the types read, and nothing else.
func TestForms(t *testing.T) {
	type record struct {
		ID   client.ID   `json:"id"`
		Int  client.Int  `json:"int"`
		Code client.Code `json:"code"`
	}
	forms := callback.Forms()
	for _, value := range []string{
		`7`, `"7"`, `007`, `"007"`, `-7`, `"-7"`, `+7`, `"+7"`, `7.0`, `"7.0"`, `7.5`, `7e2`, `"7e2"`, `null`, `""`,
		`" 7"`, `"x"`, `"\u0037"`, `"ñ"`, `true`, `[]`, `{}`, `0`, `"0"`, `-0`,
		`999999999999999999`, `9223372036854775807`,
		`"9223372036854775807"`, `9223372036854775808`, `"000000000000000000000007"`,
	} {
		for _, member := range []string{"id", "int", "code"} {
			body := []byte(fmt.Sprintf(`{%q:%s}`, member, value))
			var fast, slow record
			fastErr, err := forms.UnmarshalStrict(body, &fast), wire.UnmarshalStrict(body, &slow)
			if (fastErr == nil) != (err == nil) || fast != slow {
				t.Errorf("%s: got %+v, %v, want %+v, %v", body, fast, fastErr, slow, err)
			}
		}
	}
}
