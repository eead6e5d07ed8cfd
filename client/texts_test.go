package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// hostiles are characters that change how a line of a log is shown, or hide in it.
var hostiles = map[string]string{
	"a line break": "\n", "a return": "\r", "a tab": "\t", "NUL": "\x00", "escape": "\x1b[31m", "delete": "\x7f", "C1": "\u0085\u009b31m", "bell": "\a",
	"line separator": "\u2028", "paragraph separator": "\u2029", "no-break space": "\u00a0", "ideographic space": "\u3000",
	"right to left override": "\u202e", "an isolate": "\u2066\u2069", "a mark of direction": "\u200e\u200f\u061c",
	"zero width": "\u200b\u200c\u200d\u2060", "a byte order mark": "\ufeff", "a soft hyphen": "\u00ad", "a joiner": "\u034f",
	"Hangul fillers": "\u115f\u1160\u3164\uffa0", "Khmer vowels": "\u17b4\u17b5", "Mongolian selectors": "\u180b\u180e", "variation selectors": "\ufe0f\U000e0100",
	"tags": "\U000e0041\U000e007f", "blank braille": "\u2800", "annotation": "\ufff9\ufffb", "private use": "\ue000", "no character": "\ufffe\U0001ffff",
	"music": "\U0001d173\U0001d159", "replacement": "\ufffd", "invalid": "\xff\xc3",
}

// unfit returns what makes a text unfit for a line of a log; "" if nothing does.
func unfit(s string) string {
	if !utf8.ValidString(s) {
		return "it is no UTF-8"
	}
	if len(s) > 3<<10 {
		return fmt.Sprintf("it has %d bytes", len(s))
	}
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Bidi_Control),
			r != ' ' && unicode.IsSpace(r), r == '\u2800', r == '\U0001d159', r == utf8.RuneError, !unicode.IsPrint(r):
			return fmt.Sprintf("it has %U", r)
		}
	}
	return ""
}

// lines is a log that keeps its texts as they are.
type lines struct{ texts *[]string }

func (l lines) Enabled(context.Context, slog.Level) bool { return true }
func (l lines) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l lines) WithGroup(string) slog.Handler            { return l }
func (l lines) Handle(_ context.Context, r slog.Record) error {
	*l.texts = append(*l.texts, r.Message)
	r.Attrs(func(a slog.Attr) bool { *l.texts = append(*l.texts, a.Value.String()); return true })
	return nil
}

// printed returns what a program may print of an error, with all that it wraps.
func printed(err error) (all []string) {
	if err == nil {
		return nil
	}
	all = append(all, err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%v", err))
	if e, ok := err.(*client.Error); ok {
		all = append(all, e.Code, e.Message, e.Description, e.RequestID)
		for field, messages := range e.Fields {
			all = append(append(all, field), messages...)
		}
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, part := range joined.Unwrap() {
			all = append(all, printed(part)...)
		}
	}
	return append(all, printed(errors.Unwrap(err))...)
}

// inJSON spells a text in JSON, as far as it can be.
func inJSON(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// answersWith are answers with the text x in every header and member, as JSON text j.
func answersWith(x, j string) map[string]func() *http.Response {
	answers := map[string]func() *http.Response{}
	add := func(name string, status int, contentType, body string, headers ...string) {
		h := http.Header{
			"Content-Type": {contentType}, "X-Request-Id": {x}, "Date": {x}, "Link": {"<" + x + ">; rel=" + x}, "X-More": {x}, "Server": {x}, "Www-Authenticate": {x},
		}
		for i := 0; i < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		answers[name] = func() *http.Response {
			return &http.Response{
				Status: fmt.Sprint(status, " ", x), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, Header: h.Clone(), Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1,
			}
		}
	}
	const plain = "application/json"
	for _, status := range []int{400, 401, 404, 409, 422, 500, 999} {
		name := fmt.Sprint(status, " ")
		add(name+"members", status, plain, `{"code":`+j+`,"message":`+j+`,"description":`+j+`,"title":`+j+`,`+j+`:[`+j+`],"name":`+j+`}`)
		add(name+"error", status, plain, `{"error":`+j+`,"error_description":`+j+`,"status":`+j+`}`)
		add(name+"nested", status, plain, `{"error":{"code":`+j+`,"detail":[`+j+`],"message":`+j+`}}`)
		add(name+"messages", status, plain, `{"messages":{`+j+`:{`+j+`:[`+j+`]}},"errors":[{"field":`+j+`,"message":`+j+`}]}`)
		add(name+"text", status, plain, j)
		add(name+"list", status, plain, `[`+j+`]`)
		add(name+"HTML", status, "text/html", "<p>"+x+"</p>")
		add(name+"a type", status, x, "<p>"+x+"</p>", "Content-Encoding", x)
		add(name+"waits", status, plain, `{}`, "Retry-After", x, "X-Rate-Limit-Limit", x, "X-Rate-Limit-Remaining", x, "X-Rate-Limit-Reset", x)
	}
	for name, body := range map[string]string{
		"a name": `{` + j + `:1}`, "a wrong id": `{"id":` + j + `}`, "an object for an id": `{"id":{` + j + `:` + j + `}}`, "a time": `{"id":1,"created_at":` + j + `,"updated_at":` + j + `}`,
		"an amount": `{"id":1,"variants":[{"id":1,"price":` + j + `}]}`, "a name in a path": `{"id":1,"variants":[{"id":1,"price":{` + j + `:1}}]}`, "a text": j, "names": `{"name":{` + j + `:[` + j + `]}}`,
		"items": `[{"id":` + j + `},{"id":1},{"id":{` + j + `:1}},` + j + `]`, "not JSON": x, "half": `{"id":` + j, "an error": `{"error":` + j + `,` + j + `:1}`,
	} {
		add("200 "+name, 200, plain, body)
		add("200 HTML, "+name, 200, "text/html; charset="+x, body)
		add("200 as "+name, 200, x, body, "Content-Encoding", x)
	}
	add("302", 302, plain, "", "Location", "https://"+x+".example/"+x)
	add("303", 303, plain, "", "Location", x)
	add("101", 101, plain, "")
	return answers
}

// TestTextsOfInputsAreFitForALog: the same of what a caller gave, which may be from a stranger.
func TestTextsOfInputsAreFitForALog(t *testing.T) {
	for name, hostile := range hostiles {
		for _, x := range []string{hostile, "a" + hostile + "b", strings.Repeat("é", 19) + hostile + strings.Repeat("z", 1<<10)} {
			_, money := client.ParseMoney(x)
			_, id := client.ParseID(x)
			_, at := client.ParseTime(x)
			_, day := client.ParseDate(x)
			var read struct {
				ID client.ID `json:"id"`
			}
			for what, err := range map[string]error{
				"Invalid": engine.Invalid("field"+x, x, "a rule"+x), "ParseMoney": money, "ParseID": id, "ParseTime": at, "ParseDate": day,
				"UnmarshalJSON": read.ID.UnmarshalJSON([]byte(inJSON(x))),
			} {
				if err == nil {
					t.Errorf("%s of %s: no error", what, name)
				} else if why := unfit(err.Error()); why != "" {
					t.Errorf("%s of %s: %s: %.200q", what, name, why, err.Error())
				}
			}
		}
	}
	const want = `id: "a\u202e\u3164b\n": must be a \u0022rule\u0022: validation`
	if got := engine.Invalid("id", "a\u202e\u3164b\n", `a \u0022rule\u0022`).Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Fifty of them take 100 bytes: the value was cut within one.
	if got, want := engine.Invalid("id", "x"+strings.Repeat("é", 50), "r").Error(), `id: "x`+strings.Repeat("é", 19)+`…": must be r: validation`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRequestIDIsClean: what the platform, or a proxy, sends as the id of the request is cut and cleaned wherever it is
// shown.
func TestRequestIDIsClean(t *testing.T) {
	for given, want := range map[string]string{
		"req-1": "req-1", "a\u202eb\x1b[0m\u200bc\nd": "ab[0mc d", strings.Repeat("x", 5000): strings.Repeat("x", 125) + "…",
		strings.Repeat("é", 100): strings.Repeat("é", 62) + "…",
	} {
		for _, status := range []int{404, 200} {
			_, err := v202503.Products(typed(t, status, `{}`, "X-Request-Id", given)).Get(t.Context(), 7)
			if e, ok := errors.AsType[*client.Error](err); !ok || e.RequestID != want || !strings.HasSuffix(e.Error(), " (request "+want+")") {
				t.Errorf("%d: %.40q: got %v, want %s", status, given, err, want)
			}
		}
	}
}

// TestErrorsAreShort: an error of 4,000 fields, or of 12,000 messages, prints the first of them, keeps all, and still
// says how it ended.
func TestErrorsAreShort(t *testing.T) {
	var fields []string
	for i := range 4000 {
		fields = append(fields, fmt.Sprintf(`"f%04d":["x"]`, i))
	}
	for name, body := range map[string]string{
		"many fields": `{` + strings.Join(fields, ",") + `}`, "a long message": `{"message":"` + strings.Repeat("é", 30_000) + `"}`,
		"a long name":   `{"` + strings.Repeat("n", 60_000) + `":["x"]}`,
		"many messages": `{"name":[` + strings.TrimSuffix(strings.Repeat(`"no",`, 12_000), ",") + `]}`,
		"deep":          strings.Repeat(`{"errors":`, 3000) + `"x"` + strings.Repeat(`}`, 3000),
		"lists":         strings.Repeat(`[`, 5000) + `"x"` + strings.Repeat(`]`, 5000), "objects": `[` + strings.TrimSuffix(strings.Repeat(`{},`, 20_000), ",") + `]`,
		"nested errors": strings.Repeat(`{"error":`, 3000) + `"x"` + strings.Repeat(`}`, 3000),
	} {
		_, err := v202503.Products(typed(t, 500, body, "X-Request-Id", "req-1")).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug")})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || len(err.Error()) > 3<<10 || !strings.HasSuffix(err.Error(), " (the write may have been applied: read before repeating it) (request req-1)") {
			t.Errorf("%s: got %d bytes: %.100v", name, len(err.Error()), err)
		}
		if name == "many fields" && (len(e.Fields) != 4000 || !strings.Contains(err.Error(), "f0000: x; f0001: x")) {
			t.Errorf("%d fields are kept, want 4,000: %.100v", len(e.Fields), err)
		}
		if name == "many messages" && len(e.Fields["name"]) != 12_000 {
			t.Errorf("%d messages are kept, want 12,000", len(e.Fields["name"]))
		}
	}
	_, err := v202503.Products(typed(t, 200, `[`+strings.TrimSuffix(strings.Repeat(`{"id":"x"},`, 300), ",")+`]`)).List(client.ProductFilter{}).Page(t.Context())
	if err == nil || len(err.Error()) > 3<<10 || strings.Contains(err.Error(), "\n") || !strings.HasSuffix(err.Error(), "; and 295 more") || !errors.Is(err, client.ErrUnreadableItem) {
		t.Errorf("300 items that cannot be read: got %d bytes: %.300v", len(err.Error()), err)
	}
}
