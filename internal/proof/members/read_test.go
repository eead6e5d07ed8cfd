package members_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// TestProofMembersAreRead sends every member of every request to the server, which must read each. It also adds a
// member to each object in turn, which the server must report: otherwise it would report no member of that object. In
// make test, only the newest version is asked.
func TestProofMembersAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t)
		config := s.config(t)
		before := s.srv.Snapshot()
		known := map[string]bool{}
		report := func(format string, args ...any) { // once for all versions
			if text := fmt.Sprintf(format, args...); !known[text] {
				known[text] = true
				t.Error(text)
			}
		}
		invoke := func(o operation, zero []string) (written *clienttest.Request) {
			s.srv.Restore(before)
			log := len(s.srv.Requests())
			_, _ = o.invoke(t.Context(), newFiller(zero)) // refusals are of values, which is for others to test
			for _, q := range s.srv.Requests()[log:] {
				if q.Method != http.MethodGet || written == nil {
					written = &q
				}
			}
			return written
		}
		for _, o := range operations(t, config, s.srv.App()) {
			if !strings.HasPrefix(o.name, tier.Unwatched("unstable", "", "")) {
				continue
			}
			for _, zero := range o.variants() {
				q := invoke(o, zero)
				if q == nil {
					continue
				}
				for _, member := range q.Unread {
					report("%s: the server does not read the member %s", o.plain(), member)
				}
				for i, path := range objects(q.Body) {
					if path == "" && string(q.Body) == "{}" || free(o, path) {
						continue
					}
					s.change = func(body []byte) []byte { return withProbe(body, i) }
					q := invoke(o, zero)
					s.change = nil
					if !slices.ContainsFunc(q.Unread, func(name string) bool { return strings.HasSuffix(name, probe) }) {
						report("%s: the server would not report an unread member of %q: %d", o.plain(), path, q.Status)
					}
				}
			}
		}
	})
}

// free reports whether an object has the members that a caller chooses.
func free(o operation, path string) bool {
	return slices.ContainsFunc(freeObjects, func(ending string) bool { return strings.HasSuffix(path, ending) }) ||
		o.plain() == "Labels.UpdateStatuses" || strings.HasPrefix(o.plain(), "Transactions.CreateEvent") && path == ".info"
}

// freeObjects are texts by language, and what apps and providers keep as they like, by the end of their paths.
var freeObjects = []string{
	".name", ".description", ".handle", ".seo_title", ".seo_description", ".alt", ".attributes[]", ".values[]", ".extra",
	".customs", ".properties", ".properties.text", ".page.i18n", ".subject", ".template_text", ".template_html", ".logo_urls", ".info.text", ".first_event.info",
}

// probe is the name of a member that nothing has.
const probe = "members_probe"

// objects returns the paths of the objects in a body, in the order in which withProbe counts them.
func objects(body []byte) (paths []string) {
	visit(body, func(path string, _ map[string]any) { paths = append(paths, path) })
	return paths
}

// withProbe returns the body with a further member in one object.
func withProbe(body []byte, at int) []byte {
	n := 0
	v := visit(body, func(_ string, object map[string]any) {
		if n == at {
			object[probe] = 1
		}
		n++
	})
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return body
}

func visit(body []byte, f func(path string, object map[string]any)) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	walk("", v, f)
	return v
}

func walk(path string, v any, f func(path string, object map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		f(path, v)
		for _, name := range names {
			walk(path+"."+name, v[name], f)
		}
	case []any:
		for _, e := range v {
			walk(path+"[]", e, f)
		}
	}
}
