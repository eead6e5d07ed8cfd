package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sentRequest is a request as it is made again.
type sentRequest struct {
	of      value  // a request to the API; empty for a call to an app
	base    string // address of the API
	method  string
	url     string
	headers []string
	body    string
}

// copies are the commands that make a call again, with the bytes of its body: parsed and written again, its members
// would be in another order.
func (a *asked) copies(e value, raw []byte) []section {
	var of struct {
		Detail   struct{ Body json.RawMessage }
		Attempts []struct {
			Request struct{ Body json.RawMessage }
		}
	}
	if json.Unmarshal(raw, &of) != nil || len(of.Attempts) == 0 || e.text("kind") == "act" || e.text("kind") == "clock" {
		return nil
	}
	last := lastOf(e).at("request")
	r := sentRequest{base: a.get("info").text("base_url"), method: last.text("method"), url: last.text("url")}
	if e.text("kind") != "request" {
		r.body = textOf(of.Attempts[len(of.Attempts)-1].Request.Body)
		r.headers = slices.DeleteFunc(strings.Split(headerLines(last.at("headers")), "\n"), func(line string) bool {
			name, _, _ := strings.Cut(line, ":")
			return slices.Contains([]string{"", "Content-Length", "Host", "Accept-Encoding"}, name)
		})
		return []section{{Title: "As curl", Folded: true, Text: r.curl(), Copy: true,
			Note: "The host of the app is that of its registration: replace it with the address at which the app listens."}}
	}
	r.of, r.body = e.at("detail"), textOf(of.Detail.Body)
	r.url = r.base + r.of.text("path")
	r.headers = []string{"User-Agent: Desk (dev@app.example)"}
	if r.body != "" {
		r.headers = append(r.headers, "Content-Type: application/json")
	}
	note := "COMMERCE_TOKEN is the token of the installation, as on the overview."
	if strings.Contains(r.body, "***") {
		note += " Secrets are masked: put them where *** is."
	}
	return []section{
		{Title: "As curl", Note: note, Text: r.curl(), Copy: true, Folded: true},
		{Title: "As Go", Note: "client/api.md names the typed method of an endpoint.", Text: r.goProgram(), Copy: true,
			Folded: true},
	}
}

// textOf are the bytes of a body. A body that is no JSON is shown as a text.
func textOf(body json.RawMessage) (text string) {
	switch {
	case len(body) == 0 || string(body) == "null":
		return ""
	case json.Unmarshal(body, &text) == nil && !json.Valid([]byte(text)):
		return text
	}
	return string(body)
}

// curl is the command that makes the request. It is for a shell of POSIX: within single quotation marks each byte is
// itself.
func (r sentRequest) curl() string {
	how := "-X " + quoted(r.method)
	if r.method == "HEAD" {
		how = "--head"
	}
	lines := []string{"curl -g --path-as-is " + how + " " + quoted(r.url)}
	if r.of.of != nil {
		lines = append(lines, `-H "Authorization: bearer $COMMERCE_TOKEN"`)
	}
	for _, h := range r.headers {
		lines = append(lines, "-H "+quoted(h))
	}
	if r.body != "" {
		lines = append(lines, "--data-raw "+quoted(r.body))
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
		return "The body is not JSON, so client.Do does not make the request."
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
