package console_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Script and style are read in one sitting, and nothing moves unless motion is no trouble.
func TestAssets(t *testing.T) {
	d := open(t)
	for _, name := range []string{"/console.mjs", "/style.css"} {
		if status, text := d.get(name); status != 200 || len(text) > 15<<10 {
			t.Errorf("%s: %d, %d bytes", name, status, len(text))
		}
	}
	_, style := d.get("/style.css")
	calm := regexp.MustCompile(`(?s)@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}`).ReplaceAllString(style,
		"")
	if calm == style || regexp.MustCompile(`animation|transition|@keyframes|scroll-behavior`).MatchString(calm) {
		t.Error("something moves although reduced motion is preferred")
	}
}

var idShape = regexp.MustCompile(`<(?:input|select|textarea) id="([^"]+)"|<label for="([^"]+)"`)

// Each label is of one field of the page. A page that changes says so, with the count that it has; others do not: the
// question before an act, and an error.
func TestPagesThatChange(t *testing.T) {
	d := open(t)
	d.furnish()
	for _, path := range paths {
		_, page := d.get(path)
		if !strings.Contains(page, `data-live="/_/api/changes/follow" data-n="`) ||
			!strings.Contains(page, `<label id="live" class="check" hidden>`) {
			t.Errorf("%s does not change", path)
		}
		fields, labels := map[string]int{}, map[string]int{}
		for _, m := range idShape.FindAllStringSubmatch(page, -1) {
			fields[m[1]]++
			labels[m[2]]++
		}
		for id, n := range fields {
			if id != "" && (n != 1 || labels[id] != 1) {
				t.Errorf("%s: %d fields and %d labels are %s", path, n, labels[id], id)
			}
		}
	}
	_, again := d.send(url.Values{
		"call": {"POST stores/1001/carts/1000147/coupon"}, "label": {"Apply coupon"}, "back": {"/cart?cart=1000147"},
	})
	_, question := d.send(url.Values{"call": {"POST reset"}, "back": {"/"}, "loses": {"All of it."}})
	_, missing := d.get("/log?id=7777")
	for name, page := range map[string]string{"a refusal": again, "a question": question, "an error": missing} {
		if !strings.Contains(page, "</html>") || strings.Contains(page, "data-live") || strings.Contains(page, `id="live"`) {
			t.Errorf("%s changes:\n%s", name, page)
		}
	}
}
