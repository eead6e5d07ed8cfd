package refserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

func TestPages(t *testing.T) {
	f := setup(t, Options{Bucket: 1000})
	for _, tc := range []struct {
		query  string
		status int
		items  int
		total  string
		links  string
	}{
		// first and last were missing where they are the page itself.
		{"n=5", 200, 5, "5", "last=1 first=1"},
		{"n=30", 200, 30, "30", "last=1 first=1"},
		{"n=31", 200, 30, "31", "next=2 last=2 first=1"},
		{"n=31&page=2", 200, 1, "31", "last=2 first=1 prev=1"},
		{"n=95&page=2", 200, 30, "95", "next=3 last=4 first=1 prev=1"},
		{"n=500&per_page=1000", 200, 200, "500", "next=2 last=3 first=1"},
		{"n=500&per_page=200&page=3", 200, 100, "500", "last=3 first=1 prev=2"},
		{"n=5&per_page=0&page=0", 200, 5, "5", "last=1 first=1"},
		{"n=5&per_page=x&page=-1", 200, 5, "5", "last=1 first=1"},
		{"n=5&page=2", 404, 1, "5", ""},
		{"n=140&page=99999999999", 404, 5, "140", ""},
		{"n=140&page=99999999999999999999", 404, 5, "140", ""}, // was page 1
		{"/test-notes?n=0", 404, 0, "0", ""},
		{"/test-notes?n=0&page=1", 404, 0, "0", ""},
	} {
		w := f.do("GET /test-notes?"+tc.query, "")
		if w.Code != tc.status || w.Header().Get("X-Total-Count") != tc.total {
			t.Errorf("%s: got %d, total %s", tc.query, w.Code, w.Header().Get("X-Total-Count"))
		}
		if tc.status == 404 {
			wantJSON(t, w.Body.Bytes(), fmt.Sprintf(`{"code":404,"message":"Not Found","description":"Last page is %d"}`, tc.items))
			continue
		}
		var items []any
		if err := json.Unmarshal(w.Body.Bytes(), &items); err != nil || len(items) != tc.items {
			t.Errorf("%s: %d items, %v; want %d", tc.query, len(items), err, tc.items)
		}
		if got := rels(w.Header().Get("Link")); got != tc.links {
			t.Errorf("%s: links %q, want %q", tc.query, got, tc.links)
		}
	}
}

// rels shortens a Link header to rel=page.
func rels(link string) string {
	var out []string
	for part := range strings.SplitSeq(link, ", ") {
		address, rel, ok := strings.Cut(part, "; rel=")
		if !ok {
			continue
		}
		_, page, _ := strings.Cut(address, "page=")
		page, _, _ = strings.Cut(strings.Trim(page, ">"), "&")
		out = append(out, strings.Trim(rel, `"`)+"="+page)
	}
	return strings.Join(out, " ")
}

func TestLinkKeepsTheQuery(t *testing.T) {
	f := setup(t, Options{})
	for query, want := range map[string]string{
		"n=3&per_page=2&fields=id": "fields=id&n=3&page=%d&per_page=2",
		// A semicolon made the rest of its parameter disappear.
		"n=3&per_page=2&fields=id;name": "fields=id%%3Bname&n=3&page=%d&per_page=2",
	} {
		got := f.do("GET /test-notes?"+query, "").Header().Get("Link")
		base := fmt.Sprintf("<http://api.example/v1/%d/test-notes?%s>", f.store.ID, want)
		want := fmt.Sprintf(base+`; rel="next", `+base+`; rel="last", `+base+`; rel="first"`, 2, 2, 1)
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", query, got, want)
		}
	}
}

func TestListVariants(t *testing.T) {
	f := setup(t, Options{})
	for call, want := range map[string]string{
		"/test-notes?n=2&fields=id":               `[{"id":1},{"id":1}]`,
		"/test-notes/envelope?n=3&page=2":         `{"total":3,"page":2,"per_page":1,"results":[{"id":1,"name":"x"}]}`,
		"/test-notes/envelope?n=1&fields=name":    `{"total":1,"page":1,"per_page":1,"results":[{"name":"x"}]}`,
		"/test-notes/envelope?n=0":                `{"total":0,"page":1,"per_page":1,"results":[]}`,
		"/test-notes/envelope?n=1&page=2":         `{"total":1,"page":2,"per_page":1,"results":[]}`,
		"/test-notes/found?n=0":                   `[]`,
		"/test-notes/found?n=0&page=2":            `[]`,
		"/test-notes/whole?n=40&page=9&fields=id": "[" + strings.TrimSuffix(strings.Repeat(`{"id":1},`, 40), ",") + "]",
		"/test-notes/whole?n=0":                   `[]`,
	} {
		w := f.do("GET "+call, "")
		if w.Code != 200 {
			t.Errorf("%s: got %d", call, w.Code)
		}
		wantJSON(t, w.Body.Bytes(), want)
	}
	// That nothing was found and that there is no such page were one.
	w := f.do("GET /test-notes/found?n=31&page=3", "")
	if wantJSON(t, w.Body.Bytes(), `{"code":404,"message":"Not Found","description":"Last page is 2"}`); w.Code != 404 {
		t.Errorf("beyond the last page of a list that may be empty: %d", w.Code)
	}
}

func TestEmptyList200(t *testing.T) {
	for _, tc := range []struct {
		call         string
		usual, other int
		shown        string
	}{
		{"/test-notes?n=0", 404, 200, "assumed"},
		{"/test-notes?n=0&page=1", 404, 200, "assumed"},
		{"/test-notes?n=0&page=0", 404, 200, "assumed"},
		{"/test-notes?n=0&page=2", 404, 404, "assumed"},
		{"/test-notes?n=1&page=2", 404, 404, ""},
		{"/test-notes?n=1&page=1", 200, 200, ""},
		{"/webhooks", 200, 200, "assumed"},
		{"/webhooks?event=app/suspended&page=1", 200, 200, "assumed"},
		{"/webhooks?page=2", 404, 404, "assumed"},
		{"/test-notes/7/parts?n=0", 200, 200, "assumed"},
		{"/test-notes/7/parts?n=0&page=2", 404, 404, "assumed"},
		{"/test-notes/7/parts?n=1&page=2", 404, 404, ""},
	} {
		for other, want := range map[bool]int{false: tc.usual, true: tc.other} {
			f := setup(t, Options{Readings: api.Readings{EmptyList200: other}})
			w := f.do("GET "+tc.call, "")
			if w.Code != want || w.Header().Get("X-Ref-Provenance") != tc.shown ||
				want == 200 && !strings.Contains(tc.call, "n=1") && w.Body.String() != "[]" {
				t.Errorf("%s, other %v: got %d %s %v, want %d", tc.call, other, w.Code, w.Body, w.Header(), want)
			}
		}
	}
}

func TestKeepFields(t *testing.T) {
	for _, tc := range []struct{ doc, names, want string }{
		{`{"b":1,"a":{"b":2},"c":[3]}`, "a,b", `{"b":1,"a":{"b":2}}`},
		{`[{"a":1,"b":2},{"b":3}]`, "a", `[{"a":1},{}]`},
		{`[]`, "a", `[]`},
		{`"text"`, "a", `"text"`},
		{`null`, "a", `null`},
		{`{"a\"b":1}`, `a"b`, `{"a\"b":1}`},
	} {
		if got := string(keepFields([]byte(tc.doc), strings.Split(tc.names, ","))); got != tc.want {
			t.Errorf("%s of %s: got %s, want %s", tc.names, tc.doc, got, tc.want)
		}
	}
}
