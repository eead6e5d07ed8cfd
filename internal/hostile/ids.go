package hostile

import (
	"regexp"
	"strings"
	"testing"
)

// ids are an id, or a list of them, as a number or in quotes.
var (
	digits = regexp.MustCompile(`[0-9]+`)
	ids    = regexp.MustCompile(`^(\s*[\[\],]?\s*(?:[0-9]+|"[0-9]+")\s*\]?)+$`)
)

// GreatIDs plays a document whose ids are beyond what a float holds exactly against trip, which reads and writes it:
// all of them must come back. It returns how many there were.
func GreatIDs(t testing.TB, good []byte, trip func(body []byte) ([]byte, error)) int {
	t.Helper()
	count := 0
	for _, id := range []string{"9007199254740993", "9223372036854775807"} {
		body, changed := withIDs(string(good), id)
		back, err := trip([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if got := strings.Count(string(back), id); got != changed {
			t.Errorf("%s: %d of %d came back: %s", id, got, changed, back)
		}
		count += changed
	}
	return count
}

// withIDs writes id in place of each id of a document.
func withIDs(good, id string) (body string, changed int) {
	at := 0
	var b strings.Builder
	for _, m := range membersOf([]byte(good)) {
		name, value := good[m.name+1:m.nameEnd-1], good[m.at:m.end]
		named := name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "ids") || name == "categories"
		if !named || m.at < at || !ids.MatchString(value) {
			continue
		}
		changed += len(digits.FindAllString(value, -1))
		b.WriteString(good[at:m.at])
		b.WriteString(digits.ReplaceAllString(value, id))
		at = m.end
	}
	b.WriteString(good[at:])
	return b.String(), changed
}
