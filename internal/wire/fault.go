package wire

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Fault describes why UnmarshalStrict refused a document: the rule of strict JSON, and the place. Of the document it
// quotes only the names of members up to one that stands twice, cut and printable. It is empty if the document is
// strict JSON that a type refused.
func Fault(err error) string {
	s, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok:
		return ""
	case errors.Is(err, jsontext.ErrDuplicateName):
		const most = 64
		path := strings.ReplaceAll(strings.TrimPrefix(string(s.JSONPointer), "/"), "/", ".")
		if runes := []rune(path); len(runes) > most {
			path = string(runes[:most]) + "…"
		}
		quoted := strconv.QuoteToASCII(path)
		return quoted[1:len(quoted)-1] + ": a member that stands twice: must stand once"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Sprintf("it ends too early, after %d bytes", s.ByteOffset)
	}
	return fmt.Sprintf("byte %d is not as JSON in UTF-8 must be", s.ByteOffset)
}
