package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// printDelivery shows a webhook with its attempts.
func printDelivery(w io.Writer, d reply) {
	fmt.Fprintf(w, "%s to %s: %s\n", d.text("event"), d.text("url"), d.text("state"))
	fmt.Fprintf(w, "body  %s\n", d.body("body"))
	for i, a := range d.list("attempts") {
		again := ""
		if a.is("resent") {
			again = " (resent)"
		}
		fmt.Fprintf(w, "%d  %s  %s  %.0f ms%s\n", i+1, a.text("at"), came(a), a.number("ms"), again)
	}
	for _, name := range []string{"why", "next"} {
		if text := d.text(name); text != "" {
			fmt.Fprintf(w, "%-4s  %s\n", name, text)
		}
	}
}

// came returns the status that came back from an attempt, or why none did.
func came(attempt reply) string {
	if !attempt.is("status") {
		return "no answer: " + attempt.text("error")
	}
	return attempt.text("status")
}

// oneLine returns JSON as one line that a terminal shows unchanged, truncated if it is long.
func oneLine(raw json.RawMessage) string {
	const most = 2000
	text := plain(string(raw))
	if len(text) > most {
		return text[:most] + fmt.Sprintf("… (%d bytes; --json shows all)", len(raw))
	}
	return text
}
