package engine

import (
	"os"
	"strings"
	"testing"
)

// The retry class of every endpoint stands in the endpoint table too.
func TestClassesAgreeWithTheEndpointTable(t *testing.T) {
	data, err := os.ReadFile("../../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		c := strings.Split(line, "\t")
		method, path, class := c[1], strings.TrimPrefix(c[2], "{base_url}/{version}"), c[10]
		if class == "-" || class == "retry" || strings.HasPrefix(path, "{auth_url}") {
			continue // no call of the client, or one of package oauth, which never repeats
		}
		if got := classOf(method, path); string(got) != class {
			t.Errorf("%s %s has class %s, the table says %s", method, path, got, class)
		}
		if _, ok := reactions[Class(class)]; !ok {
			t.Errorf("%s %s: class %s has no policy", method, path, class)
		}
		checked[method+" "+path] = true
	}
	for key := range classes {
		if !checked[key] {
			t.Errorf("%s has a class and is not in the table", key)
		}
	}
	for request, want := range map[[2]string]Class{{"GET", "/new"}: Read, {"HEAD", "/new"}: Read, {"DELETE", "/new"}: Remove, {"PUT", "/new"}: StatePut, {"PATCH", "/new"}: StatePut, {"POST", "/new"}: EffectCreate} {
		if got := classOf(request[0], request[1]); got != want {
			t.Errorf("unknown endpoint %v has class %s, want %s", request, got, want)
		}
	}
}
