package value

import "testing"

// Texts that need no decoder are read as the decoder reads them.
func TestCodeOfTexts(t *testing.T) {
	for _, tt := range []struct {
		json string
		want Code
		ok   bool
	}{
		{`""`, "", true}, {`"a b"`, "a b", true}, {`"~!/"`, "~!/", true}, {`12`, "12", true}, {`null`, "", true},
		{`"a\u0062\"\\"`, `ab"\`, true}, {`"é"`, "é", true}, {"\"\xff\"", "\ufffd", true},
		{`"`, "", false}, {`"a`, "", false}, {`"a"b"`, "", false}, {"\"a\nb\"", "", false}, {`{}`, "", false},
	} {
		var c Code
		if err := c.UnmarshalJSON([]byte(tt.json)); (err == nil) != tt.ok || tt.ok && c != tt.want {
			t.Errorf("%s: got %q, %v; want %q, success %v", tt.json, c, err, tt.want, tt.ok)
		}
	}
}
