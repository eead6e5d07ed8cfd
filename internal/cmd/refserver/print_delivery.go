package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// printDelivery shows a webhook with its attempts.
func printDelivery(w io.Writer, d deliveryJSON) {
	fmt.Fprintf(w, "%s to %s: %s\n", plain(d.Event), plain(d.URL), d.State)
	fmt.Fprintf(w, "body  %s\n", bodyLine(d.Body))
	for i, a := range d.Attempts {
		came := fmt.Sprint(a.Status)
		if a.Status == 0 {
			came = "no answer: " + plain(a.Error)
		}
		again := ""
		if a.Resent {
			again = " (resent)"
		}
		fmt.Fprintf(w, "%d  %s  %s  %.0f ms%s\n", i+1, a.At, came, a.MS, again)
	}
	if d.Why != "" {
		fmt.Fprintf(w, "why   %s\n", plain(d.Why))
	}
	if d.Next != "" {
		fmt.Fprintf(w, "next  %s\n", d.Next)
	}
}

// bodyLine returns a body as oneLine does.
func bodyLine(raw json.RawMessage) string {
	if string(raw) == "null" {
		return "no body"
	}
	return oneLine(raw)
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
