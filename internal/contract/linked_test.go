package contract

import (
	"strings"
	"testing"
)

var (
	handlers = []string{"discounts", "discounts/rules", "internal/callback", "payments", "shipping", "webhook"}
	partners = []string{
		"client/carriers", "client/promotions", "client/providers", "client/v1", "client/v202503", "client/unstable",
		"discounts", "disputes", "payments", "shipping",
	}
	tools = []string{
		"internal/refserver/console", "internal/refserver/doctor", "internal/refserver/tap", "internal/recording",
	}
)

// Each program compiles all that its imports lead to. One that calls the API compiles no handler, plan or cashier. One
// that receives webhooks compiles no client, which would link the engine and its modules. Tests of users link the
// platform, but neither its pages nor its tools.
func TestProgramsCompileWhatTheyUse(t *testing.T) {
	imports := map[string][]string{}
	for _, s := range sources(t) {
		for _, spec := range s.file.Imports {
			if path, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/"); ok && !s.test() {
				imports[s.dir] = append(imports[s.dir], path)
			}
		}
	}
	for _, tt := range []struct {
		dir, linked string
		barred      []string
	}{
		{"client/v1", "client/providers", handlers},
		{"client/v202503", "client/providers", handlers},
		{"client/unstable", "client/providers", handlers},
		{"webhook", "internal/wire", append([]string{"client", "internal/engine"}, partners...)},
		{"webhook/inboxmem", "webhook", append([]string{"client", "internal/engine"}, partners...)},
		{"client/clienttest", "internal/refserver/control", tools},
	} {
		linked := map[string]string{} // the package that imports it
		linkAll(imports, linked, tt.dir, "itself")
		if linked[tt.linked] == "" || len(linked) < 5 {
			t.Errorf("%s links %d packages, and not %s", tt.dir, len(linked), tt.linked)
		}
		for _, barred := range tt.barred {
			if by := linked[barred]; by != "" {
				t.Errorf("%s links %s, by %s", tt.dir, barred, by)
			}
		}
	}
}

// linkAll adds a package and its imports to those that are linked.
func linkAll(imports map[string][]string, linked map[string]string, dir, by string) {
	if linked[dir] != "" {
		return
	}
	linked[dir] = by
	for _, next := range imports[dir] {
		linkAll(imports, linked, next, dir)
	}
}
