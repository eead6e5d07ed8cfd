package inboxops

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// number returns n with a comma after every three digits.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// entries returns n with its noun.
func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return number(n) + " entries"
}

// several returns n with a noun, in the plural unless n is 1.
func several(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return number(n) + " " + noun
}

// age returns a duration in its two largest units.
func age(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	units := []struct {
		name string
		of   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}}
	for i, u := range units {
		if d < u.of && i < len(units)-1 {
			continue
		}
		text := fmt.Sprintf("%d %s", d/u.of, u.name)
		if rest := d % u.of; i < len(units)-1 && rest >= units[i+1].of {
			text += fmt.Sprintf(" %d %s", rest/units[i+1].of, units[i+1].name)
		}
		return text
	}
	return ""
}

// stamp returns a time for people, "–" if it is zero.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// mostBody is the number of bytes of a body that a page shows.
const mostBody = 64 << 10

// legible returns a body as printable text, and whether that is all of it.
func legible(body []byte) (text string, whole bool) {
	whole = len(body) <= mostBody
	var b strings.Builder
	for line := range strings.Lines(string(body[:min(len(body), mostBody)])) {
		text, ended := strings.CutSuffix(line, "\n")
		b.WriteString(callback.Printable(text, mostBody))
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String(), whole
}

// printable escapes a text for a terminal or a page: a name from outside may contain characters that reverse the
// direction of writing.
func printable(s string) string { return callback.Message(s) }
