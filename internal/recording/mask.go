package recording

import (
	"crypto/rand"
	"regexp"
	"strings"
	"time"
)

// Masker takes secrets and personal data out of calls. One with another key replaces the same value otherwise. It is
// safe for concurrent use.
type Masker struct {
	scramble scrambler
	// requests and answers have the members that stay.
	requests, answers map[Kind]*node
	query             *node
}

// NewMasker returns a masker with a new key. keep are paths of members that stay as they are, with all that is in them:
// "products.properties.size". Elements of arrays have the path of the array, and parameters of a query are like "?v".
func NewMasker(keep ...string) *Masker {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	m := &Masker{scrambler{key}, map[Kind]*node{}, map[Kind]*node{}, parseMembers(queryMembers)}
	for _, kind := range Kinds() {
		m.requests[kind], m.answers[kind] = parseMembers(requestMembers[kind]), parseMembers(answerMembers[kind])
	}
	m.requests[Labels].members["fulfillment_order_info"] = parseMembers(orderMembers)
	for _, path := range keep {
		if parameter, ok := strings.CutPrefix(path, "?"); ok {
			m.query.add(parameter).all = true
			continue
		}
		for _, kind := range Kinds() {
			m.requests[kind].add(path).all, m.answers[kind].add(path).all = true, true
		}
	}
	return m
}

// request returns the body of a call to be recorded.
func (m *Masker) request(kind Kind, body []byte) (string, error) {
	if len(body) == 0 {
		return "", nil
	}
	out, err := rewrite(body, m.requests[kind], m.visitor())
	return string(out), err
}

// answer returns an answer to be recorded. Of one that is not JSON nothing is.
func (m *Masker) answer(kind Kind, body []byte) string {
	out, err := rewrite(body, m.answers[kind], m.visitor())
	if err != nil {
		return ""
	}
	return string(out)
}

func (m *Masker) visitor() visitor { return visitor{name: m.name, text: m.value, number: m.number} }

// looksLikeName is the form of names of members. Values can be names too: see Masker.name.
var looksLikeName = regexp.MustCompile(`^[a-z][a-z_-]{0,30}[0-9]{0,2}$`)

// name returns the name of a member. In an object of which no member is known it may be data.
func (m *Masker) name(in *node, name string) string {
	if in.member(name) != nil || in != nil && in.members != nil && looksLikeName.MatchString(name) {
		return name
	}
	return m.text("", name)
}

func (m *Masker) value(n *node, name, text string) string {
	if n.allows(text) {
		return text
	}
	return m.text(name, text)
}

func (m *Masker) number(n *node, _, literal string) string {
	if n.allows(literal) {
		return literal
	}
	return m.scramble.number(literal)
}

var (
	email = regexp.MustCompile(`^[^\s@]+@[^\s@]+\.[^\s@.]+$`)
	// scheme stays, because receivers check it.
	scheme = regexp.MustCompile(`^https?://`)
	layout = []string{time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05-0700"}
)

// text replaces a text by another of its form.
func (m *Masker) text(name, text string) string {
	if email.MatchString(text) {
		local, domain, _ := strings.Cut(text, "@")
		return m.scramble.text(local) + "@" + m.letters(domain) + ".example"
	}
	for _, l := range layout {
		if at, err := time.Parse(l, text); err == nil && at.Format(l) == text && at.Year() > 100 && at.Year() < 9900 {
			return m.shift(name, at).Format(l)
		}
	}
	at := len(scheme.FindString(text))
	return text[:at] + m.scramble.text(text[at:])
}

// letters is a short name that follows from a text.
func (m *Masker) letters(of string) string {
	by, out := m.scramble.stream(rounds+1, []rune(of), nil), make([]byte, 8)
	for i := range out {
		out[i] = byte('a' + by.IntN(26))
	}
	return string(out)
}

// shift moves a time by what all times of a name are moved by, so that it stays a time, and equal ones stay equal.
func (m *Masker) shift(name string, at time.Time) time.Time {
	by := m.scramble.stream(rounds+2, []rune(name), nil)
	days, seconds := 400+by.IntN(20000), by.IntN(86400)
	return at.AddDate(0, 0, -days).Add(time.Duration(seconds) * time.Second)
}
