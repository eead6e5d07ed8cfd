package members_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// request is what an operation sends.
type request struct {
	method, path, query string
	body                []byte
}

// recorder keeps the requests that pass. It finds nothing, and refuses whatever writes.
type recorder struct{ requests []request }

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	sent := request{method: q.Method, path: q.URL.Path, query: q.URL.RawQuery}
	if q.Body != nil {
		sent.body, _ = io.ReadAll(q.Body)
		_ = q.Body.Close()
	}
	r.requests = append(r.requests, sent)
	status, body := http.StatusBadRequest, `{"code":400,"message":"Bad Request"}`
	if q.Method == http.MethodGet { // of a method that writes after it has looked for what is there
		status, body = http.StatusOK, "[]"
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Request: q,
		Body: io.NopCloser(strings.NewReader(body)),
	}, nil
}

// TestMembersAreSent varies one field of the arguments at a time, which must change what is sent.
func TestMembersAreSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		config := client.Config{
			BaseURL: "https://api.platform.example", UserAgent: "Tests (tests@app.example)",
			HTTPClient: &http.Client{Transport: r}, StoreID: 1, Token: client.StaticToken("token"),
		}
		sent, never := map[string]bool{}, map[string]string{}
		types := map[reflect.Type]bool{}
		for _, o := range operations(t, config, clienttest.App{ID: 5, Secret: "secret"}) {
			for _, zero := range o.variants() {
				f := newFiller(zero)
				before, err := o.request(t.Context(), r, f)
				maps.Copy(types, f.types)
				if before == nil {
					if _, ok := silent[o.plain()]; !ok {
						t.Errorf("%s, without %q, sends nothing: %v", o.name, zero, err)
					}
					continue
				}
				for _, path := range f.paths {
					switch changed, err := o.changed(t.Context(), r, zero, path, before); {
					case !strings.ContainsAny(path, ".["), strings.HasPrefix(path, "Dispute."), strings.HasPrefix(path, "EmailTemplate."):
						// such as an id in the path, or a record that is read
					case changed:
						sent[path] = true
					case never[path] == "":
						never[path] = fmt.Sprintf("%s: %v", o.name, err)
					}
				}
				for _, path := range zero {
					if never[path] == "" && !strings.Contains(path, "=") {
						never[path] = o.name + ": it is zero in the arguments of the test"
					}
				}
			}
		}
		for path, why := range never {
			within := func(other string) bool {
				return other == path || strings.HasPrefix(other, path+".") || strings.HasPrefix(other, path+"[")
			}
			if !exempt(path) && !slices.ContainsFunc(slices.Collect(maps.Keys(sent)), within) {
				t.Errorf("%s is not sent: %s", path, why)
			}
		}
		for _, name := range inputs(t) {
			taken := func(of reflect.Type) bool { return strings.HasSuffix(strings.TrimSuffix(of.String(), "]"), name) }
			if !slices.ContainsFunc(slices.Collect(maps.Keys(types)), taken) {
				t.Errorf("%s: no operation takes it", name)
			}
		}
	})
}

// exempt reports whether notSent has a path, or the list that it is in.
func exempt(path string) bool {
	_, ok := notSent[path]
	list, _, _ := strings.Cut(path, "].")
	_, whole := notSent[list+"]."]
	return ok || whole
}

// changed reports whether another value of a field, or none, changes what is sent.
func (o operation) changed(
	ctx context.Context, r *recorder, zero []string, path string, before *request,
) (changed bool, err error) {
	other := newFiller(zero)
	other.other = path
	for _, f := range []*filler{newFiller(append([]string{path}, zero...)), other} {
		after, failed := o.request(ctx, r, f)
		if after != nil && !reflect.DeepEqual(after, before) {
			return true, nil
		}
		err = failed
	}
	return false, err
}

// inputs returns the exported structs whose names say that they are bodies or queries.
func inputs(t *testing.T) (names []string) {
	t.Helper()
	dirs := []string{"client", "client/v1", "client/unstable", "discounts", "disputes", "payments", "shipping"}
	for _, dir := range dirs {
		files, err := filepath.Glob("../../../" + dir + "/*.go")
		must(t, err)
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			must(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || strings.HasSuffix(file, "_test.go") || !spec.Name.IsExported() {
					return true
				}
				_, isStruct := spec.Type.(*ast.StructType)
				for _, ending := range []string{"Input", "Filter", "Update", "Edit", "Patch", "Cancel", "Fulfill", "Options"} {
					if isStruct && strings.HasSuffix(spec.Name.Name, ending) {
						names = append(names, parsed.Name.Name+"."+spec.Name.Name)
					}
				}
				return true
			})
		}
	}
	if len(names) < 50 {
		t.Errorf("found %d inputs, want more than 50", len(names))
	}
	return names
}
