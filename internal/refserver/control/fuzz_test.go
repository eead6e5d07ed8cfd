package control

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// FuzzCall makes the call of a row, with any values in its path, any parameters and any body. It must not panic, must
// end in time and must answer JSON in one of the two shapes. Followers are ended by their own test.
func FuzzCall(f *testing.F) {
	rows := routes()
	for i, r := range rows {
		f.Add(uint8(i), "1001", "7", "", r.body)
		f.Add(uint8(i), "2001", "products", "limit=1&after=0", strings.ReplaceAll(r.body, "1", "-1"))
	}
	f.Add(uint8(0), "", "..", "limit=%zz", "null")
	d := open(f)
	keys := []string{"store", "app", "snapshot", "delivery", "seq", "fault", "host"}
	f.Fuzz(func(t *testing.T, row uint8, first, second, query, body string) {
		r := rows[int(row)%len(rows)]
		if r.streams() {
			return
		}
		path := r.path
		for _, name := range keys {
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(first))
		}
		for before, rest, ok := strings.Cut(path, "{"); ok; before, rest, ok = strings.Cut(path, "{") {
			_, after, _ := strings.Cut(rest, "}")
			path = before + url.PathEscape(second) + after
		}
		u, err := url.Parse("http://127.0.0.1" + Prefix + path)
		if err != nil {
			return
		}
		u.RawQuery = query
		req := httptest.NewRequest(r.method, "http://127.0.0.1/", strings.NewReader(body)).WithContext(t.Context())
		req.URL, req.RemoteAddr, req.RequestURI = u, "127.0.0.1:5", u.RequestURI()
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		began := time.Now()
		d.ServeHTTP(w, req)
		if took := time.Since(began); took > mostTime+5*time.Second {
			t.Errorf("%s %s took %s", r.method, u, took)
		}
		var out map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%s %s: %d %q: %v", r.method, u, w.Code, w.Body, err)
		}
		if _, refused := out["error"].(string); refused != (w.Code != 200) || refused && out["hint"] == "" {
			t.Fatalf("%s %s: %d %s", r.method, u, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "CANARY") {
			t.Fatalf("%s %s shows a secret: %s", r.method, u, w.Body)
		}
	})
}
