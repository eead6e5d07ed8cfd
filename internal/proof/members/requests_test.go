package members_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/proof/contract"
)

// TestRequestsAreAsDescribed sends requests that the server accepts once more, without a member or with another word in
// it. The server must refuse a request without a required member, and a word that is not in the enumeration of the
// files. It must accept the request without any other member, and any other text.
func TestRequestsAreAsDescribed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		config := s.config(t)
		begin := s.srv.Snapshot()
		before := func() { s.srv.Restore(begin) }
		tried, used := map[string]bool{}, map[string]bool{}
		for _, o := range operations(t, config, s.srv.App()) {
			for _, zero := range o.variants() {
				s.altered(t, o, zero, before, tried, used)
			}
		}
		if len(tried) < 300 {
			t.Errorf("%d members were altered", len(tried))
		}
		for member, why := range conditional {
			if !used[member] {
				t.Errorf("%s is listed as required in some requests only (%s), but it is not", member, why)
			}
		}
	})
}

// conditional are the members that only some requests must have, with the reason.
var conditional = map[string]string{
	"disputes.update request.closed_at":                          "of a dispute that is won or lost",
	"images.create request.src":                                  "without an attachment",
	"images.create request.filename":                             "with an attachment",
	"productCustomFields.create request.values":                  "unless the server takes absent values for none",
	"transactions.create request.first_event.authorization_code": "of a card or pix whose payment has succeeded",
	"transactions.create request.info.installments":              "of a credit card",
	"transactions.create request.info.refund_url":                "with supports_partial_refund",
	"transactions.create request.payment_method.id":              "of a method that has brands",
}

// wrongWord is no word of any enumeration.
const wrongWord = "no-such-word"

var (
	refusedAbsence = regexp.MustCompile(`should not be empty|can't be blank|field is required|must be present`)
	refusedWord    = regexp.MustCompile(`must be one of the following|The selected [a-z ]* is invalid|is not included in the list`)
)

// altered plays an operation as it is, and then with each member of its request altered.
func (s *shop) altered(t *testing.T, o operation, zero []string, before func(), tried, used map[string]bool) {
	t.Helper()
	play := func(change func([]byte) []byte) {
		before()
		s.change, s.status, s.body = change, 0, nil
		_, _ = o.invoke(t.Context(), newFiller(zero))
		s.change = nil
	}
	var sent []byte
	play(func(body []byte) []byte { sent = body; return body })
	if s.sent.method == http.MethodGet || s.status > 299 || len(sent) == 0 {
		return
	}
	id, of := s.files.checker.Request(s.sent.method, s.own(s.sent.path))
	for _, m := range contract.Members(of) {
		at := id + " request." + m.Path
		without := m.Change(sent, func(object map[string]any, name string) { delete(object, name) })
		if tried[at] || without == nil {
			continue
		}
		tried[at] = true
		play(func([]byte) []byte { return without })
		_, listed := conditional[at]
		name := m.Path[strings.LastIndex(m.Path, ".")+1:]
		isID := strings.HasSuffix(name, "_id") // one that does not exist is no word
		parents := strings.FieldsFunc(m.Path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
		within := parents[max(0, len(parents)-2)] // the server may name the object
		named := strings.Contains(string(s.body), name) || strings.Contains(string(s.body), within)
		switch refused := s.status > 299 && named; {
		case m.Required && !refused:
			t.Errorf("%s is required in the files, but the server answers %d without it: %s", at, s.status, s.body)
		case !m.Required && refused && refusedAbsence.Match(s.body):
			if used[at] = true; !listed {
				t.Errorf("%s is optional in the files, but the server refuses its absence: %s", at, s.body)
			}
		}
		say := func(word string) {
			said := m.Change(sent, func(object map[string]any, name string) {
				switch object[name].(type) {
				case string:
					object[name] = word
				case []any:
					object[name] = []any{word}
				}
			})
			play(func([]byte) []byte { return said })
		}
		say(wrongWord)
		switch {
		case len(m.Words) > 0 && !m.Open && s.status < 300:
			t.Errorf("%s has the words %s in the files, but the server takes %q", at, m.Words, wrongWord)
		case !isID && len(m.Words) == 0 && s.status > 299 && refusedWord.Match(s.body) && strings.Contains(string(s.body), name):
			t.Errorf("%s has no words in the files, but the server refuses %q: %s", at, wrongWord, s.body)
		}
		for _, word := range m.Words {
			if say(word); s.status > 299 && refusedWord.Match(s.body) && strings.Contains(string(s.body), name) {
				t.Errorf("%s has the word %q in the files, but the server refuses it: %s", at, word, s.body)
			}
		}
	}
}
