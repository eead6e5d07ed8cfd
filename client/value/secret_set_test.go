package value

import (
	"fmt"
	"strings"
	"testing"
)

// A set changes as a whole or not at all, and no text contains a secret.
func TestSecretSet(t *testing.T) {
	var s SecretSet
	if got := s.Current(); got != nil {
		t.Errorf("before Set: got %d secrets", len(got))
	}
	for _, tt := range []struct {
		secrets []Secret
		err     string
		want    string
	}{
		{nil, "no secret: must be one, or two during a change", ""},
		{[]Secret{"cnry1"}, "", "cnry1"},
		{[]Secret{"cnry2", "cnry1"}, "", "cnry2 cnry1"},
		{[]Secret{"cnry3", ""}, "secret 2: must not be empty", "cnry2 cnry1"},
		{[]Secret{"cnry3\n"}, "secret 1: must not begin or end with white space", "cnry2 cnry1"},
		{[]Secret{"cnry3", "cnry2", "cnry1"}, "3 secrets: must be the one in force and at most the one before it", "cnry2 cnry1"},
		{nil, "no secret", "cnry2 cnry1"},
		{[]Secret{"cnry3"}, "", "cnry3"},
	} {
		given := append([]Secret(nil), tt.secrets...)
		err := s.Set(given...)
		if (err == nil) != (tt.err == "") || err != nil && (!strings.HasPrefix(err.Error(), tt.err) || strings.Contains(err.Error(), "cnry")) {
			t.Errorf("%d secrets: got %v, want %s", len(tt.secrets), err, tt.err)
		}
		for i := range given {
			given[i] = "changed by the caller"
		}
		got := ""
		for _, secret := range s.Current() {
			got += " " + string(secret)
		}
		if strings.TrimSpace(got) != tt.want {
			t.Errorf("after %q: got%s, want %s", tt.err, got, tt.want)
		}
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, &s); got != "client.SecretSet" {
			t.Errorf("%s prints %q", verb, got)
		}
	}
}
