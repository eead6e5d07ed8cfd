package console

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/copied"
)

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
	c := copied.Call{Method: last.text("method"), URL: last.text("url")}
	if e.text("kind") != "request" {
		c.Body = textOf(of.Attempts[len(of.Attempts)-1].Request.Body)
		c.Headers = slices.DeleteFunc(strings.Split(headerLines(last.at("headers")), "\n"), func(line string) bool {
			name, _, _ := strings.Cut(line, ":")
			return slices.Contains([]string{"", "Content-Length", "Host", "Accept-Encoding"}, name)
		})
		return []section{{Title: "As curl", Folded: true, Text: c.Curl(), Copy: true,
			Note: "The host of the app is that of its registration: replace it with the address at which the app listens."}}
	}
	detail, base := e.at("detail"), a.get("info").text("base_url")
	c.Signed, c.Body, c.URL = true, textOf(of.Detail.Body), base+detail.text("path")
	c.Headers = []string{"User-Agent: Desk (dev@app.example)"}
	if c.Body != "" {
		c.Headers = append(c.Headers, "Content-Type: application/json")
	}
	note := "COMMERCE_TOKEN is the token of the installation, as on the overview."
	if strings.Contains(c.Body, "***") {
		note += " Secrets are masked: put them where *** is."
	}
	program, why := copied.Request{Base: base, Method: c.Method, Operation: detail.text("operation"),
		Path: detail.text("path"), Body: c.Body}.Program()
	return []section{
		{Title: "As curl", Note: note, Text: c.Curl(), Copy: true, Folded: true},
		{Title: "As Go", Note: why, Text: program, Copy: program != "", Folded: true},
	}
}

// textOf are the bytes of a body. A body that is not JSON is shown as a text.
func textOf(body json.RawMessage) (text string) {
	switch {
	case len(body) == 0 || string(body) == "null":
		return ""
	case json.Unmarshal(body, &text) == nil && !json.Valid([]byte(text)):
		return text
	}
	return string(body)
}
