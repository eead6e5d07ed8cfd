package main

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// plain returns text that a terminal shows unchanged: without newlines, control characters, and marks that change the
// direction of reading.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// escape returns an argument as a segment of a path.
func escape(s string) string { return act.Escape(s) }

// number returns a whole number of the command line.
func number(what, s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, misused(what, s, "must be a whole number")
	}
	return n, nil
}
