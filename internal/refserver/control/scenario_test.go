package control

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// step is a call of testdata/scenario.json, which programs in three languages make.
type step struct {
	Call   string            `json:"call"`
	Body   json.RawMessage   `json:"body"`
	Save   map[string]string `json:"save"` // names for members of the answer
	Status int               `json:"status"`
	Stream bool              `json:"stream"`
}

// watched serves a desk over a socket and counts the rows whose calls were answered as they should be.
type watched struct {
	*desk
	url string

	mu   sync.Mutex
	seen map[string]bool
}

func (d *desk) watch() *watched {
	d.Helper()
	w := &watched{desk: d, seen: map[string]bool{}}
	s := httptest.NewServer(w)
	d.Cleanup(s.Close)
	w.url = s.URL
	return w
}

func (w *watched) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	_, pattern := w.mux.Handler(r)
	s := &statusWriter{ResponseWriter: rw, status: http.StatusOK}
	w.API.ServeHTTP(s, r)
	if s.status == http.StatusOK {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen[pattern] = true
	}
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// missing are the rows that were not exercised.
func (w *watched) missing(but ...string) (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range routes() {
		if !w.seen[r.pattern()] && !slices.Contains(but, r.path) {
			out = append(out, r.pattern())
		}
	}
	return out
}

var variable = regexp.MustCompile(`"?\$\{(\w+)\}"?`)

// resolved is a text with the values of the variables: a quoted variable in a body becomes its JSON.
func resolved(in string, vars map[string]any, isJSON bool) string {
	return variable.ReplaceAllStringFunc(in, func(found string) string {
		raw, _ := json.Marshal(vars[variable.FindStringSubmatch(found)[1]])
		if isJSON {
			return string(raw)
		}
		return strings.Trim(string(raw), `"`)
	})
}

// byGo plays the scenario with net/http. It returns the digest of the last state and the calls with their values.
func (w *watched) byGo() (digest string, calls []string) {
	w.Helper()
	raw, err := os.ReadFile("testdata/scenario.json")
	if err != nil {
		w.Fatal(err)
	}
	var steps []step
	if err := json.Unmarshal(raw, &steps); err != nil {
		w.Fatal(err)
	}
	vars := map[string]any{}
	for _, s := range steps {
		method, path, _ := strings.Cut(resolved(s.Call, vars, false), " ")
		body := resolved(string(s.Body), vars, true)
		calls = append(calls, strings.Join([]string{method, w.url + Prefix + path, compact(body)}, "\t"))
		r, err := http.NewRequestWithContext(w.Context(), method, w.url+Prefix+path, strings.NewReader(body))
		if err != nil {
			w.Fatal(err)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			w.Fatal(err)
		}
		if s.Stream {
			expectEvent(w, resp)
			continue
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if want := max(s.Status, 200); resp.StatusCode != want && (s.Status != 0 || resp.StatusCode != 200) {
			w.Fatalf("%s %s: %d %s, want %d", method, path, resp.StatusCode, answer, want)
		}
		if strings.Contains(string(answer), "CANARY") {
			w.Errorf("%s %s shows a secret: %s", method, path, answer)
		}
		var out any
		d := json.NewDecoder(strings.NewReader(string(answer)))
		d.UseNumber()
		if err := d.Decode(&out); err != nil {
			w.Fatal(err)
		}
		if s.Status == 0 {
			w.compare(r, out)
		}
		for name, at := range s.Save {
			if vars[name] = get(out, at); vars[name] == nil {
				w.Fatalf("%s %s: no %s in %s", method, path, at, answer)
			}
		}
	}
	return fmt.Sprint(vars["digest"]), calls
}

func compact(body string) string { return strings.Join(strings.Fields(body), " ") }

func expectEvent(t testing.TB, resp *http.Response) {
	t.Helper()
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), `data: {`) {
			return
		}
	}
	t.Errorf("the stream ended without an event: %v", lines.Err())
}

// The same scenario, by Go, by node and by curl, leaves the same state. node and Go exercise every row.
func TestScenario(t *testing.T) {
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	w := open(t).watch()
	want, calls := w.byGo()
	if missing := w.missing(requestRows...); len(missing) > 0 {
		t.Errorf("Go left out %q", missing)
	}
	t.Run("node", func(t *testing.T) {
		w := open(t).watch()
		got := output(t, exec.CommandContext(t.Context(), "node", "testdata/control.mjs", w.url+Prefix))
		if got != want {
			t.Errorf("node: the state has the digest %q, want %q as by Go", got, want)
		}
		if missing := w.missing(); len(missing) > 0 {
			t.Errorf("node left out %q", missing)
		}
	})
	t.Run("curl", func(t *testing.T) {
		curl := open(t).watch()
		script := exec.CommandContext(t.Context(), "bash", "testdata/scenario.sh")
		script.Stdin = strings.NewReader(strings.ReplaceAll(strings.Join(calls, "\n"), w.url, curl.url) + "\n")
		if got := output(t, script); got != want {
			t.Errorf("curl: the state has the digest %q, want %q as by Go", got, want)
		}
		if missing := curl.missing(requestRows...); len(missing) > 0 {
			t.Errorf("curl left out %q", missing)
		}
	})
}

// requestRows need a request to the API itself, with the token that info gives: node makes one.
var requestRows = []string{"requests/follow", "requests/{seq}"}

// output runs a program that prints the digest. A machine without it leaves the test out, unless it is one of the
// gates.
func output(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	if c.Err != nil {
		t.Skipf("there is no %s: %v", c.Args[0], c.Err)
	}
	var problems strings.Builder
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &problems)
	}
	return strings.TrimSpace(string(out))
}
