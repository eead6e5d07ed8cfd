package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// sentRequest is a request as it is made again.
type sentRequest struct {
	of   value
	base string // address of the API
	body string
}

// sent reads a request, with the bytes of its body: parsed and written again, its members would be in another order.
func (a *asked) sent(seq string) (r sentRequest, body []byte) {
	r.of, r.base = a.get("requests/"+escape(seq)), a.get("info").text("base_url")
	if a.err != nil {
		return r, nil
	}
	raw, err := a.call(a.r.Context(), "GET", "requests/"+escape(seq), nil)
	if err != nil {
		a.err = err
		return r, nil
	}
	var of struct{ Body json.RawMessage }
	_ = json.Unmarshal(raw, &of) // it has just been parsed
	var text string
	switch {
	case string(of.Body) == "null":
	case json.Unmarshal(of.Body, &text) == nil && !json.Valid([]byte(text)):
		r.body = text // the body was no JSON, and is shown as a text
	default:
		r.body = string(of.Body)
	}
	return r, of.Body
}

// curl is the command that makes the request. It is for a shell of POSIX: within single quotation marks each byte is
// itself.
func (r sentRequest) curl() string {
	method := r.of.text("method")
	how := "-X " + quoted(method)
	if method == "HEAD" {
		how = "--head"
	}
	lines := []string{
		"curl -g --path-as-is " + how + " " + quoted(r.base+r.of.text("path")),
		`-H "Authorization: bearer $COMMERCE_TOKEN"`, "-H 'User-Agent: Desk (dev@app.example)'",
	}
	if r.body != "" {
		lines = append(lines, "-H 'Content-Type: application/json'", "--data-raw "+quoted(r.body))
	}
	return strings.Join(lines, " \\\n  ")
}

// quoted is text within the single quotation marks of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// goProgram is a program that makes the request with the client, or why there is none.
func (r sentRequest) goProgram() string {
	path, query, _ := strings.Cut(r.of.text("path"), "?")
	version, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	store, below, _ := strings.Cut(rest, "/")
	switch _, err := strconv.ParseInt(store, 10, 64); {
	case err != nil:
		return "The path is below no store, so client.Do does not make the request."
	case r.body != "" && !json.Valid([]byte(r.body)):
		return "The body is no JSON, so client.Do does not make the request."
	}
	template, args := templateOf(r.of.text("operation"), "/"+below)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("package main\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"log\"")
	if query != "" {
		line("\t\"net/url\"")
	}
	line("\t\"os\"\n\n\t\"golang.org/x/oauth2\"\n\n\t\"github.com/commerceplatform/commerce-go/client\"\n)\n")
	line("func main() {")
	line("\tc, err := client.New(client.Config{")
	line("\t\tBaseURL:   %s,\n\t\tStoreID:   %s,", strconv.Quote(r.base), store)
	line("\t\tToken:     oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Getenv(\"COMMERCE_TOKEN\")}),")
	line("\t\tUserAgent: \"Desk (dev@app.example)\",\n\t})")
	line("\tif err != nil {\n\t\tlog.Fatal(err)\n\t}")
	line("\tvar answer json.RawMessage")
	line("\terr = c.Do(context.Background(), client.Request{")
	line("\t\tMethod:  %s,\n\t\tVersion: %s,\n\t\tPath:    %s,", strconv.Quote(r.of.text("method")),
		strconv.Quote(version), strconv.Quote(template))
	if len(args) > 0 {
		line("\t\tArgs:    []any{%s},", strings.Join(args, ", "))
	}
	if query != "" {
		line("\t\tQuery:   url.Values{%s},", goQuery(query))
	}
	if r.body != "" {
		line("\t\tBody:    json.RawMessage(%s),", goString(r.body))
	}
	line("\t}, &answer)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tfmt.Println(string(answer))\n}")
	return b.String()
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
		if parameter.MatchString(name) {
			if plain, err := url.PathUnescape(segment); err == nil {
				segment = plain
			}
			args = append(args, strconv.Quote(segment))
		}
	}
	return template, args
}

// goQuery are the members of a literal url.Values, in the order of the query.
func goQuery(query string) string {
	var names []string
	values := map[string][]string{}
	for pair := range strings.SplitSeq(query, "&") {
		name, v, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		text, err2 := url.QueryUnescape(v)
		if err != nil || err2 != nil || pair == "" {
			continue
		}
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] = append(values[name], strconv.Quote(text))
	}
	for i, name := range names {
		names[i] = strconv.Quote(name) + ": {" + strings.Join(values[name], ", ") + "}"
	}
	return strings.Join(names, ", ")
}

// goString is text as a literal of Go: raw, if it can be.
func goString(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
