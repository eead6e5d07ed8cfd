package copied

import (
	"encoding/json"
	"fmt"
	"go/format"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Request is a request to the API as the log has it.
type Request struct {
	Base      string // address of the API
	Method    string
	Operation string // "PUT /products/{id}", empty if there is none
	Path      string // with the version, the store and the query
	Body      string
}

// Program returns a Go program that makes the request again. It calls the method of the endpoint. If there is none, or
// if the method cannot send the request, the program calls client.Do, and why is the reason. There is no program for a
// request that the client cannot make.
func (r Request) Program() (program, why string) {
	path, query, _ := strings.Cut(r.Path, "?")
	version, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	store, below, _ := strings.Cut(rest, "/")
	values, err := url.ParseQuery(query)
	switch _, bad := strconv.ParseInt(store, 10, 64); {
	case bad != nil:
		return "", "The path is below no store, so the client does not make the request."
	case err != nil:
		return "", "The query cannot be read, so the client does not make the request."
	case r.Body != "" && !json.Valid([]byte(r.Body)):
		return "", "The body is not JSON, so the client does not make the request."
	}
	w := &goWriter{}
	w.imports = w.base()
	statements, why := w.typed(r, version, "/"+below, values)
	if why != "" {
		why += " So the program calls client.Do."
		w.imports = w.base()
		statements = w.plain(r, version, "/"+below, values)
	}
	text, err := format.Source([]byte(w.around(r.Base, store, statements)))
	if err != nil {
		return "", "The program cannot be written: " + err.Error()
	}
	return string(text), why
}

const module = "github.com/commerceplatform/commerce-go/"

// packageOf is the package of a version.
func packageOf(version string) string {
	if version == "2025-03" {
		return "v202503"
	}
	return version
}

// goWriter writes a program.
type goWriter struct{ imports map[string]bool }

// base are the imports of every program.
func (*goWriter) base() map[string]bool {
	return map[string]bool{"context": true, "fmt": true, "log": true, "os": true, module + "client": true}
}

// around is the program around some statements that use ctx and c.
func (w *goWriter) around(base, store, statements string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	ours := func(path string) bool { return strings.Contains(path, ".") }
	for _, third := range []bool{false, true} {
		for _, path := range slices.Sorted(maps.Keys(w.imports)) {
			if ours(path) == third {
				b.WriteString(strconv.Quote(path) + "\n")
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, ")\n\nfunc main() {\nctx := context.Background()\nc, err := client.New(client.Config{\n"+
		"BaseURL: %q,\nStoreID: %s,\nToken: client.StaticToken(client.Secret(os.Getenv(\"COMMERCE_TOKEN\"))),\n"+
		"UserAgent: \"Desk (dev@app.example)\",\n})\n%s%s}\n", base, store, orFatal, statements)
	return b.String()
}

const orFatal = "if err != nil {\nlog.Fatal(err)\n}\n"

// typed are the statements that call the method of the endpoint, or why there are none.
func (w *goWriter) typed(r Request, version, below string, query url.Values) (statements, why string) {
	m, ok := typedCalls().method(r.Operation, version)
	if !ok {
		return "", "No method of the client calls this endpoint alone."
	}
	args, err := w.arguments(m, strings.Split(strings.TrimPrefix(below, "/"), "/"), query, r.Body)
	if err != nil {
		return "", fmt.Sprintf("%s cannot send this request: %v.", m.name, err)
	}
	pkg := packageOf(version)
	w.imports[module+"client/"+pkg] = true
	service, name, _ := strings.Cut(m.name, ".")
	call := fmt.Sprintf("%s.%s(c).%s(%s)", pkg, service, name, strings.Join(args, ", "))
	if m.answer == "none" {
		return "err = " + call + "\n" + orFatal + "fmt.Println(\"done\")\n", ""
	}
	if m.answer == "list" {
		call += ".Page(ctx)"
	}
	return "got, err := " + call + "\n" + orFatal + "fmt.Printf(\"%+v\\n\", got)\n", ""
}

// plain are the statements that call client.Do.
func (w *goWriter) plain(r Request, version, below string, query url.Values) string {
	w.imports["encoding/json"] = true
	template, args := templateOf(r.Operation, below)
	var b strings.Builder
	fmt.Fprintf(&b, "var answer json.RawMessage\nerr = c.Do(ctx, client.Request{\nMethod: %q,\nVersion: %q,\nPath: %q,\n",
		r.Method, version, template)
	if len(args) > 0 {
		fmt.Fprintf(&b, "Args: []any{%s},\n", strings.Join(args, ", "))
	}
	if len(query) > 0 {
		w.imports["net/url"] = true
		b.WriteString("Query: url.Values{")
		for _, name := range slices.Sorted(maps.Keys(query)) {
			fmt.Fprintf(&b, "%q: {%s},", name, quotedAll(query[name]))
		}
		b.WriteString("},\n")
	}
	if r.Body != "" {
		fmt.Fprintf(&b, "Body: json.RawMessage(%s),\n", goString(r.Body))
	}
	b.WriteString("}, &answer)\n" + orFatal + "fmt.Println(string(answer))\n")
	return b.String()
}

func quotedAll(texts []string) string {
	var out []string
	for _, s := range texts {
		out = append(out, strconv.Quote(s))
	}
	return strings.Join(out, ", ")
}

// plainSegment is a segment that is the same in a template.
var plainSegment = regexp.MustCompile(`^[A-Za-z0-9_.~-]+$`)

// templateOf is the path of a request as a template with its arguments. It is the path of the operation if there is
// one. Otherwise it has a placeholder for each segment that has other characters than letters and digits.
func templateOf(operation, path string) (template string, args []string) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	_, of, _ := strings.Cut(operation, " ")
	names := strings.Split(strings.TrimPrefix(of, "/"), "/")
	for i, segment := range segments {
		name := segment
		switch {
		case len(names) == len(segments):
			name = names[i]
		case !plainSegment.MatchString(segment):
			name = fmt.Sprintf("{part%d}", i+1)
		}
		template += "/" + name
		if strings.HasPrefix(name, "{") {
			args = append(args, strconv.Quote(unescaped(segment)))
		}
	}
	return template, args
}

// unescaped is the text of a segment of a path.
func unescaped(segment string) string {
	if plain, err := url.PathUnescape(segment); err == nil {
		return plain
	}
	return segment
}

// goString is text as a literal of Go: raw, if it can be.
func goString(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
