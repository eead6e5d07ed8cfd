package clienttest_test

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// The console shows the store of the test, and is the same handler as Control.
func TestConsole(t *testing.T) {
	s := clienttest.New(t)
	pages := httptest.NewServer(s.Console())
	defer pages.Close()
	if s.Console() != s.Control() {
		t.Error("two handlers")
	}
	for path, want := range map[string]string{
		"/stores": "Store " + s.StoreID().String(), "/_/api/clock": `"now"`, "/nowhere": "404 page not found",
	} {
		answer, err := pages.Client().Get(pages.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s %v\n%s", path, answer.Status, err, body)
		}
	}
}
