package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// killer stands before the platform and kills the program at one of its writes.
type killer struct {
	platform http.Handler
	left     atomic.Int64 // writes until then
	after    bool         // the platform has done it, and no answer arrives
	opening  atomic.Bool  // whether it was one that opens a dispute
	kill     func()
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet || k.left.Add(-1) != 0 {
		k.platform.ServeHTTP(w, r)
		return
	}
	k.opening.Store(r.Method == http.MethodPost)
	if k.after {
		k.platform.ServeHTTP(httptest.NewRecorder(), r)
	}
	_, _ = io.Copy(io.Discard, r.Body) // the server notices the end of a connection only after the body
	k.kill()
	<-r.Context().Done() // by the death of the program
}

// runUntil imports the file in a process of its own, which is killed (kill -9) at its nth write. It reports whether
// that was one that opens a dispute, and whether there were so many.
func (s *shop) runUntil(n int, after bool) (opening, killed bool) {
	s.t.Helper()
	target, err := url.Parse(s.URL())
	if err != nil {
		s.t.Fatal(err)
	}
	token, err := s.Install()
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, kill := context.WithCancel(s.t.Context())
	defer kill()
	k := &killer{kill: kill, after: after, platform: &httputil.ReverseProxy{
		Transport: s.Transport(), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
	}}
	k.left.Store(int64(n))
	front := httptest.NewServer(k)
	defer front.Close()
	csv := filepath.Join(s.t.TempDir(), "file.csv")
	if err := os.WriteFile(csv, []byte(s.csv), 0o600); err != nil {
		s.t.Fatal(err)
	}
	program := exec.CommandContext(ctx, os.Args[0], "-base-url", front.URL, "-store-id", s.StoreID().String(), "-csv", csv,
		"-journal", s.file)
	program.Env = append(os.Environ(), proctest.Program+"=1", "COMMERCE_TOKEN="+string(token))
	out, err := program.CombinedOutput()
	if program.ProcessState == nil || program.ProcessState.ExitCode() == exitFailed {
		s.t.Fatalf("%v\n%s", err, out)
	}
	return k.opening.Load(), program.ProcessState.ExitCode() == -1
}

// applied returns the writes that the platform has done.
func (s *shop) applied() (all []string) {
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet && strings.Contains(r.Operation, "/disputes") && r.Status/100 == 2 {
			all = append(all, r.Path+" "+string(r.Body))
		}
	}
	return all
}

// The program is killed before and after each request that writes. Whatever the moment, no dispute is opened twice and
// no move is made twice, and the next run does the rest.
func TestKilledAnywhere(t *testing.T) {
	calm := newShop(t)
	whole, _ := calm.run(calm.csv)
	whole = strings.ReplaceAll(whole, "done", "before")
	most, kills, unknowns := len(calm.applied()), 0, 0
	for n := 1; ; n++ {
		for _, after := range []bool{false, true} {
			s := newShop(t)
			opening, killed := s.runUntil(n, after)
			if !killed {
				t.Logf("%d kills, %d openings not known", kills, unknowns)
				if kills < 2*most {
					t.Errorf("%d kills, want two for each of %d writes", kills, most)
				}
				return
			}
			kills++
			got, _ := s.run(s.csv)
			if opening {
				unknowns++
			}
			if unknown := strings.Contains(got, "UNKNOWN"); unknown != opening {
				t.Errorf("write %d, after %v, an opening %v: unknown %v\n%s", n, after, opening, unknown, got)
			}
			if got := strings.ReplaceAll(got, "done", "before"); !opening && got != whole {
				t.Errorf("write %d, after %v:\n got %s\nwant %s", n, after, got, whole)
			}
			if _, sent := s.run(s.csv); sent != 0 {
				t.Errorf("write %d, after %v: a run more wrote %d times", n, after, sent)
			}
			all := s.applied()
			slices.Sort(all)
			unique := slices.Compact(slices.Clone(all))
			if len(unique) != len(all) || len(all) > most || !opening && len(all) != most {
				t.Errorf("write %d, after %v: the platform did\n%s", n, after, strings.Join(all, "\n"))
			}
		}
	}
}
