package copied

import "strings"

// Call is a call as it is made again.
type Call struct {
	Signed  bool // with the token of the installation
	Method  string
	URL     string
	Headers []string
	Body    string
}

// Curl is the command that makes the call. It is for a shell of POSIX: within single quotation marks each byte is
// itself.
func (c Call) Curl() string {
	how := "-X " + Quoted(c.Method)
	if c.Method == "HEAD" {
		how = "--head"
	}
	lines := []string{"curl -g --path-as-is " + how + " " + Quoted(c.URL)}
	if c.Signed {
		lines = append(lines, `-H "Authorization: bearer $COMMERCE_TOKEN"`)
	}
	for _, h := range c.Headers {
		lines = append(lines, "-H "+Quoted(h))
	}
	if c.Body != "" {
		lines = append(lines, "--data-raw "+Quoted(c.Body))
	}
	return strings.Join(lines, " \\\n  ")
}

// Quoted is text within the single quotation marks of a shell.
func Quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
