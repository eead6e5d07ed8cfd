// Package printable makes texts of strangers fit for errors and log lines.
//
// Answers of servers, headers and values of callers may contain line breaks, control characters and invisible ones, and
// may be as long as they like. [Line] returns such a text as one line of bounded length, [Quote] returns a short value
// in quotes with everything invisible escaped.
package printable
