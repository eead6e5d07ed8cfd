package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench/load"
)

// inTurn answers with one body after another.
type inTurn []string

func (bodies *inTurn) RoundTrip(req *http.Request) (*http.Response, error) {
	next := (*bodies)[0]
	*bodies = (*bodies)[1:]
	return load.Canned(next).RoundTrip(req)
}

// TestAnswersOutliveTheirBodies: large answers are read into the same memory, one after another, and nothing that was
// made of an answer changes with the next.
func TestAnswersOutliveTheirBodies(t *testing.T) {
	answer := func(letter string) string {
		return `[{"id":1,"handle":"` + letter + `","tags":"` + strings.Repeat(letter, 40<<10) + `","more":{"x":"` + letter + `"}},{"id":"` + letter + `"}]`
	}
	product := func(letter string) string { return strings.TrimSuffix(answer(letter)[1:], `,{"id":"`+letter+`"}]`) }
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)",
		HTTPClient: &http.Client{Transport: &inTurn{answer("a"), answer("b"), product("c"), product("d"), answer("e")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	api := v202503.New(c)
	list := func() (*client.Page[client.Product], error) {
		return api.Products.List(client.ProductFilter{Paging: client.Paging{PerPage: 2}}).Page(t.Context())
	}
	first, firstErr := list()
	second, _ := list()
	third, err := api.Products.Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var fourth json.RawMessage
	if err := c.Do(t.Context(), client.Request{Path: "/products/1"}, &fourth); err != nil {
		t.Fatal(err)
	}
	_, _ = list()
	for letter, p := range map[string]*client.Product{"a": &first.Items[0], "b": &second.Items[0], "c": third} {
		if p.Handle.String() != letter || p.Tags != strings.Repeat(letter, 40<<10) || string(p.Extra["more"]) != `{"x":"`+letter+`"}` {
			t.Errorf("%s became %s, %.10s, %s", letter, p.Handle, p.Tags, p.Extra["more"])
		}
	}
	if string(fourth) != product("d") {
		t.Errorf("the raw answer became %.60s", fourth)
	}
	if bad, ok := errors.AsType[*client.DecodeError](firstErr); !ok || string(bad.Raw) != `{"id":"a"}` {
		t.Errorf("the error became %v", firstErr)
	}
}
