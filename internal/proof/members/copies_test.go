package members_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/refserver/copied"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

var update = flag.Bool("update", false, "rewrite the table of calls of the console")

// copiedRequest is a request of an operation.
type copiedRequest struct {
	name string // of the operation
	of   copied.Request
}

// untyped are the methods some of whose requests are copied with client.Do, with the reason.
var untyped = map[string]string{
	"BusinessRules.Set":            "the method knows the event of a domain",
	"Disputes.Update":              "the method takes the record",
	"EmailTemplates.Update":        "the method takes the record",
	"FulfillmentOrders.List":       "two fields are in the parameter aggregates",
	"Images.Create":                "a file in a request is long",
	"Images.Update":                "a file in a request is long",
	"Labels.Request":               "the method takes ids, and sends objects with them",
	"Metafields.ListFor":           "the owner is in the path and in the query",
	"Orders.Create":                "the method writes fulfillment_status otherwise",
	"Pages.Create":                 "the method writes publish otherwise",
	"PriceTables.AddCustomers":     "the method takes ids, and sends objects with them",
	"PriceTables.ApproveCustomers": "the method takes ids, and sends objects with them",
	"Scripts.Associate":            "the method takes an object, and sends it as a text",
	"Scripts.Update":               "the method takes an object, and sends it as a text",
	"Variants.AdjustStock":         "one of two methods of the endpoint",
	"Variants.SetStock":            "one of two methods of the endpoint",
}

// The table of calls of the console is that of the client. For every endpoint that a method calls, the console copies
// the request of that method as a Go program with that method. All programs compile, and each makes the same request.
// make test compiles one of twenty, because the compiler takes a minute for all.
func TestProofCopiesMakeTheSameRequest(t *testing.T) {
	table := newCallTable(t)
	var all []copiedRequest
	synctest.Test(t, func(t *testing.T) { all = table.probe(t) })
	const file = "../../refserver/copied/calls.tsv"
	if *update {
		must(t, os.WriteFile(file, []byte(table.String()), 0o644))
		return // because the copies below are made with the table that is built in
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != table.String() {
		t.Fatalf("%s is stale: run this test with -update (%v)", file, err)
	}
	var mu sync.Mutex
	got := map[string]*request{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		number, path, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
		mu.Lock()
		if before := got[number]; before == nil || before.method == http.MethodGet || r.Method != http.MethodGet {
			got[number] = &request{r.Method, "/" + path, r.URL.RawQuery, body} // some read after a refusal
		}
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, "[]")
	}))
	t.Cleanup(server.Close)
	dir, calls := t.TempDir(), ""
	reasons, typed, oneOf := map[string]string{}, 0, tier.Size(20, 1, 1)
	for i, c := range all {
		c.of.Base = fmt.Sprintf("%s/%d", server.URL, i)
		all[i] = c
		program, why := c.of.Program()
		if _, name, _ := strings.Cut(c.name, " "); why != "" {
			reasons[name] = why
		} else {
			typed++
		}
		if i%oneOf > 0 {
			continue
		}
		name := fmt.Sprintf("copy%d", i)
		program = strings.Replace(strings.ReplaceAll(program, "log.Fatal", "log.Print"), "func main()", "func "+name+"()", 1)
		must(t, os.WriteFile(filepath.Join(dir, name+".go"), []byte(program), 0o600))
		calls += name + "()\n"
	}
	must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {\n"+calls+"}\n"), 0o600))
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	must(t, err)
	run := exec.CommandContext(t.Context(), "go", append([]string{"run"}, files...)...)
	run.Dir = "../../.."
	run.Env = append(os.Environ(), "COMMERCE_TOKEN=token", "GOWORK=off", "GOFLAGS="+proctest.BuildFlags())
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, c := range all {
		if want := c.of; i%oneOf == 0 && !sameRequest(got[fmt.Sprint(i)], want) {
			program, _ := c.of.Program()
			t.Errorf("%s: the copy of %s %s %s sends %+v\n%s", c.name, want.Method, want.Path, want.Body, got[fmt.Sprint(i)], program)
		}
	}
	for name, why := range reasons {
		if untyped[name] == "" {
			t.Errorf("%s has no typed copy: %s", name, why)
		}
	}
	for name := range untyped {
		if reasons[name] == "" {
			t.Errorf("%s is listed as untyped, but has a typed copy", name)
		}
	}
	t.Logf("%d of %d copies are typed, one of %d was compiled", typed, len(all), oneOf)
}

// sameRequest reports whether a request means the same as another one.
func sameRequest(got *request, want copied.Request) bool {
	path, query, _ := strings.Cut(want.Path, "?")
	if got == nil || got.method != want.Method || got.path != path {
		return false
	}
	a, err := url.ParseQuery(got.query)
	b, err2 := url.ParseQuery(query)
	return err == nil && err2 == nil && reflect.DeepEqual(a, b) && sameJSON(got.body, []byte(want.Body))
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(x, y)
}

// route is a row of the table of endpoints.
type route struct {
	method, path string
	versions     []string
	methods      []string // of the client, without their services
}

// callTable is calls.tsv while it is made.
type callTable struct {
	routes   []route
	methods  map[string][]string // versions by the rest of the line
	types    map[string][]string
	kinds    map[string]string
	packages map[string]string
}

func newCallTable(t *testing.T) *callTable {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/endpoints.tsv")
	must(t, err)
	c := &callTable{methods: map[string][]string{}, types: map[string][]string{}, kinds: map[string]string{},
		packages: map[string]string{}}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(line, "\t")
		r := route{method: f[1], path: f[2], versions: strings.Split(f[3], ",")}
		for name := range strings.SplitSeq(f[8], ",") {
			r.methods = append(r.methods, name[strings.Index(name, ".")+1:])
		}
		c.routes = append(c.routes, r)
	}
	return c
}

// String is the file.
func (c *callTable) String() string {
	var lines []string
	for rest, versions := range c.methods {
		operation, call, _ := strings.Cut(rest, "\t")
		lines = append(lines, "method\t"+operation+"\t"+strings.Join(versions, ",")+"\t"+call)
	}
	for name, members := range c.types {
		row := []string{"type", name}
		for _, m := range members {
			wire, _, _ := strings.Cut(m, "=")
			same := func(other string) bool { return wire != "" && strings.HasPrefix(other, wire+"=") && other != m }
			if !slices.ContainsFunc(members, same) { // of a parameter of two fields the value decides
				row = append(row, m)
			}
		}
		lines = append(lines, strings.Join(row, "\t"))
	}
	for name, kind := range c.kinds {
		lines = append(lines, "kind\t"+name+"\t"+kind)
	}
	for name, path := range c.packages {
		lines = append(lines, "package\t"+name+"\t"+path)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// route returns the row that a request is of, whose path has no parameter where others have a name.
func (c *callTable) route(version string, q *request) (found route, ok bool) {
	segments := below(q)
	static := -1
	for _, r := range c.routes {
		names := strings.Split(strings.Trim(r.path, "/"), "/")
		if r.method != q.method || len(names) != len(segments) || !slices.Contains(r.versions, version) {
			continue
		}
		same, fits := 0, true
		for i, name := range names {
			if parameter := strings.HasPrefix(name, "{"); !parameter && name == segments[i] {
				same++
			} else if !parameter {
				fits = false
			}
		}
		if fits && same > static {
			found, ok, static = r, true, same
		}
	}
	return found, ok
}

// below are the segments of the path of a request below its version and store.
func below(q *request) []string { return strings.Split(strings.Trim(q.path, "/"), "/")[2:] }

// probe calls the operations, writes the rows of the methods that a request tells all about, and returns the requests.
func (c *callTable) probe(t *testing.T) (all []copiedRequest) {
	r := &recorder{}
	config := client.Config{
		BaseURL: "https://api.platform.example", UserAgent: "Tests (tests@app.example)",
		HTTPClient: &http.Client{Transport: r}, StoreID: 1, Token: client.StaticToken("token"),
	}
	for _, o := range operations(t, config, clienttest.App{ID: 5, Secret: "secret"}) {
		version, name, _ := strings.Cut(o.name, " ")
		_, method, _ := strings.Cut(name, ".")
		for _, zero := range o.variants() {
			f := newFiller(zero)
			args := distinct(o.arguments(t.Context(), f))
			q, _ := o.requestOf(t.Context(), r, args)
			if q == nil { // a text must have a form
				args = o.arguments(t.Context(), newFiller(zero))
				q, _ = o.requestOf(t.Context(), r, args)
			}
			if q == nil || !strings.HasPrefix(q.path, "/"+version+"/1/") || len(q.body) > 0 && !json.Valid(q.body) {
				continue // an app calls it, or it sends a file
			}
			of, ok := c.route(version, q)
			if !ok || !slices.Contains(of.methods, method) {
				continue // a method of several requests
			}
			path := q.path
			if q.query != "" {
				path += "?" + q.query
			}
			all = append(all, copiedRequest{o.name, copied.Request{
				Method: q.method, Operation: of.method + " " + of.path, Path: path, Body: string(q.body)}})
			sources, ok := c.sources(o.call.Type(), args, q)
			if !ok || len(of.methods) > 1 {
				continue
			}
			row := strings.Join(append([]string{of.method + " " + of.path, name, answerOf(o.call.Type())}, sources...), "\t")
			if !slices.Contains(c.methods[row], version) {
				c.methods[row] = append(c.methods[row], version)
			}
			for _, path := range f.paths {
				c.parameter(t, o, r, zero, path)
			}
		}
	}
	return all
}

// answerOf is what a method returns: one value, a list or none.
func answerOf(t reflect.Type) string {
	switch {
	case strings.HasPrefix(t.Out(0).Name(), "List["):
		return "list"
	case t.NumOut() == 1:
		return "none"
	}
	return "one"
}

// distinct makes ids and texts different from each other.
func distinct(args []reflect.Value) []reflect.Value {
	for i, arg := range args {
		v := reflect.New(arg.Type()).Elem()
		v.Set(arg)
		switch kind := v.Kind(); {
		case kind == reflect.Int64 || kind == reflect.Int:
			v.SetInt(int64(1000 + i))
		case v.Type() == reflect.TypeFor[string]():
			v.SetString(fmt.Sprintf("text-%d", i))
		case kind == reflect.Array: // of bytes
			v.Index(v.Len() - 1).SetUint(uint64(i))
		}
		args[i] = v
	}
	return args
}

// sources are where a request has each argument, and false unless it has nothing else.
func (c *callTable) sources(of reflect.Type, args []reflect.Value, q *request) (out []string, ok bool) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(q.body, &members) // of an object
	whole := len(q.body) == 0
	query, _ := url.ParseQuery(q.query)
	for i, arg := range args {
		if of.In(i) == reflect.TypeFor[context.Context]() {
			continue
		}
		raw, err := json.Marshal(arg.Interface())
		text := strings.Trim(fmt.Sprint(arg.Interface()), "[]")
		from := ""
		if i := slices.Index(below(q), text); i >= 0 {
			from = fmt.Sprint(i)
		}
		for name, v := range query {
			if from == "" && v[0] == text {
				from = "query." + name
			}
		}
		for name, v := range members {
			if from == "" && err == nil && sameJSON(v, raw) {
				from = "body." + name
				delete(members, name)
			}
		}
		switch {
		case from != "":
		case len(q.body) > 0 && err == nil && (sameJSON(q.body, raw) || alike(members, raw)):
			from, whole = "body", true
		case len(q.body) == 0 && arg.Kind() == reflect.Struct:
			from = "query"
		default:
			return nil, false
		}
		typ := c.typeOf(arg.Type())
		if of.IsVariadic() && i == len(args)-1 {
			typ = "..." + strings.TrimPrefix(typ, "[]")
		}
		out = append(out, from+"="+typ)
		c.describe(arg.Type(), from == "query")
	}
	return out, whole || len(members) == 0
}

// alike reports whether a body has most members of an argument. The copy then proves whether it is the body.
func alike(body map[string]json.RawMessage, arg []byte) bool {
	var of map[string]json.RawMessage
	n := 0
	if json.Unmarshal(arg, &of) != nil {
		return false
	}
	for name, v := range of {
		if sameJSON(body[name], v) {
			n++
		}
	}
	return 2*n > len(of)
}

// longName is the path of a package in the name of a type.
var longName = regexp.MustCompile(`[\w.-]+(/[\w.-]+)*/`)

// typeOf is a type as Go code has it, whose packages the table has.
func (c *callTable) typeOf(t reflect.Type) string {
	name := strings.ReplaceAll(longName.ReplaceAllString(t.String(), ""), "v2.ULID", "ulid.ULID")
	return strings.ReplaceAll(name, "value.", "client.") // which has the same types
}

// whole are the structs and maps that are written as one value.
var whole = []reflect.Type{
	reflect.TypeFor[client.Money](), reflect.TypeFor[client.MoneyNumber](), reflect.TypeFor[client.Time](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[client.Date](), reflect.TypeFor[client.Text](),
	reflect.TypeFor[uuid.UUID](), reflect.TypeFor[ulid.ULID](), reflect.TypeFor[json.RawMessage](),
}

// describe writes the rows of a type and of those in it. The members of a filter are those of parameter.
func (c *callTable) describe(t reflect.Type, filter bool) {
	name := c.typeOf(t)
	if pkg, _, ok := strings.Cut(name, "."); ok && t.PkgPath() != "" && !strings.Contains(name, "[") {
		c.packages[pkg] = strings.TrimSuffix(t.PkgPath(), "/value")
	}
	switch {
	case slices.Contains(whole, t):
	case t.Kind() == reflect.Slice && t.Name() != "": // a text with commas
		c.kinds[name] = "[]" + c.typeOf(t.Elem())
		c.describe(t.Elem(), filter)
	case t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Opt["):
		get, _ := t.MethodByName("Get")
		c.describe(get.Type.Out(0), filter)
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		c.describe(t.Elem(), filter)
	case t.Kind() == reflect.Struct:
		if _, known := c.types[name]; known {
			return
		}
		c.types[name] = []string{}
		for f := range t.Fields() {
			wire, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if wire == "" && !filter && f.IsExported() && !f.Anonymous && f.Type.Kind() != reflect.Interface {
				wire, options = memberOf(t, f.Name)
			}
			embedded := f.Anonymous && wire == "" && f.Type.Kind() == reflect.Struct
			if !embedded && (wire == "" || wire == "-") {
				if filter {
					c.describe(f.Type, true)
				}
				continue
			}
			if !embedded && options == "" {
				wire += "!"
			}
			c.types[name] = append(c.types[name], wire+"="+f.Name+":"+c.typeOf(f.Type))
			c.describe(f.Type, filter)
		}
	case t.Kind() != reflect.Interface:
		c.kinds[name] = t.Kind().String()
	}
}

// memberOf is the member that a field without a tag is written as, empty if it is none.
func memberOf(t reflect.Type, field string) (name, options string) {
	var members [2]map[string]json.RawMessage
	for i, without := range [][]string{nil, {t.Name() + "." + field}} {
		raw, err := json.Marshal(newFiller(without).value(t, t.Name()).Interface())
		if err != nil || json.Unmarshal(raw, &members[i]) != nil {
			return "", ""
		}
	}
	for name, v := range members[0] {
		switch other, still := members[1][name]; {
		case !still:
			return name, "omitempty"
		case !sameJSON(v, other):
			return name, ""
		}
	}
	return "", ""
}

// parameter writes the parameter that a field of a filter sends, if it is one.
func (c *callTable) parameter(t *testing.T, o operation, r *recorder, zero []string, path string) {
	other := newFiller(zero)
	other.other = path
	after, _ := o.request(t.Context(), r, other)
	if after == nil {
		after, _ = o.request(t.Context(), r, newFiller(append([]string{path}, zero...)))
	}
	before, _ := o.request(t.Context(), r, newFiller(zero))
	if after == nil || before == nil {
		return
	}
	was, _ := url.ParseQuery(before.query)
	is, _ := url.ParseQuery(after.query)
	of, field, _ := strings.Cut(strings.TrimSuffix(path, "[]"), ".")
	field, _, _ = strings.Cut(field, ".")
	for i := range o.call.Type().NumIn() {
		filter := o.call.Type().In(i)
		f, ok := reflect.StructField{}, false
		if filter.Kind() == reflect.Struct && filter.Name() == of {
			f, ok = filter.FieldByName(field)
		}
		if !ok {
			continue
		}
		for _, at := range f.Index[:len(f.Index)-1] {
			filter = filter.Field(at).Type
		}
		for name := range was {
			row := name + "=" + f.Name + ":" + c.typeOf(f.Type)
			known := c.types[c.typeOf(filter)]
			if !reflect.DeepEqual(was[name], is[name]) && !slices.Contains(known, row) {
				c.types[c.typeOf(filter)] = append(known, row)
			}
		}
	}
}
