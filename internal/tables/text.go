package tables

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text is a value of Exec and Query with a name for errors, such as "currency of payment 17".
type Text struct{ Name, Value string }

// texts returns the arguments of a statement. A text that PostgreSQL cannot store is an error, also on SQLite, so that
// rows can be moved from one to the other.
func texts(args []any) ([]any, error) {
	all := make([]any, len(args))
	for i, arg := range args {
		t, ok := arg.(Text)
		if !ok {
			t.Name = "value"
			t.Value, ok = arg.(string)
		}
		if all[i] = arg; !ok {
			continue
		}
		if all[i] = t.Value; !utf8.ValidString(t.Value) || strings.ContainsRune(t.Value, 0) {
			return nil, fmt.Errorf("%s: %.40q: must be UTF-8 without U+0000", t.Name, t.Value)
		}
	}
	return all, nil
}
