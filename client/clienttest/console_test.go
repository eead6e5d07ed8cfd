package clienttest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

// The console shows the store of the test, and is the same handler as Control.
func TestConsole(t *testing.T) {
	s := clienttest.New(t)
	browser := httptest.NewServer(pages.Of(s))
	defer browser.Close()
	if pages.Of(s) != s.Control() {
		t.Error("two handlers")
	}
	for path, want := range map[string]string{
		"/stores": "Store " + s.StoreID().String(), "/_/api/clock": `"now"`, "/nowhere": "404 page not found",
	} {
		answer, err := browser.Client().Get(browser.URL + path)
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

// fetch returns the body of a page.
func fetch(t *testing.T, url string) string {
	t.Helper()
	tr := &http.Transport{DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: tr}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s %v\n%s", url, answer.Status, err, body)
	}
	return string(body)
}

// Options.Console serves the pages from Start to Close, of any of the stores, and leads to where the platform listens.
func TestConsoleIsServed(t *testing.T) {
	s, err := clienttest.Start(clienttest.Options{Console: pages.At("127.0.0.1:0")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := s.AddStore(77)
	if err != nil {
		t.Fatal(err)
	}
	url := s.ConsoleURL()
	if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, "/") || other.ConsoleURL() != url {
		t.Errorf("got %q and %q", url, other.ConsoleURL())
	}
	if page := fetch(t, url+"stores"); !strings.Contains(page, "Store 77") {
		t.Errorf("the second store is missing: %s", page)
	}
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if info := fetch(t, url+"_/api/info"); !strings.Contains(info, `"base_url":"`+s.URL()+`"`) {
		t.Errorf("want %s: %s", s.URL(), info)
	}
	other.Close()
	if _, err := net.Dial("tcp", strings.Trim(url, "htp:/")); err == nil {
		t.Error("Close leaves the address open")
	}
}

// An address that cannot be had is named, and leaves nothing that runs.
func TestConsoleAddresses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, address := range []string{taken.Addr().String(), "8082", "0.0.0.0:8082", "192.0.2.1:8082"} {
		s, err := clienttest.Start(clienttest.Options{Console: pages.At(address)})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), `console at "`+address+`"`) {
			t.Errorf("%s: got %v", address, err)
		}
	}
	if s := clienttest.New(t); s.ConsoleURL() != "" {
		t.Errorf("without the option: %s", s.ConsoleURL())
	}
}

// A program stays after its play, whose error it returns, unless it was interrupted before, or has no console.
func TestPlayWithConsole(t *testing.T) {
	failure := errors.New("sold out")
	play := func(context.Context) error { return failure }
	var out strings.Builder
	if err := clienttest.New(t).PlayWithConsole(t.Context(), &out, play); !errors.Is(err, failure) || out.Len() > 0 {
		t.Errorf("without a console: %v, and printed %q", err, &out)
	}

	s := clienttest.New(t, clienttest.Options{Console: pages.At("127.0.0.1:0")})
	ctx, interrupt := context.WithCancel(t.Context())
	stays := writer(func(line string) {
		out.WriteString(line)
		if strings.Contains(line, "stays") {
			fetch(t, s.ConsoleURL())
			interrupt()
		}
	})
	if err := s.PlayWithConsole(ctx, stays, play); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	url := s.ConsoleURL()
	want := "The console is at " + url + "\nIt failed: sold out\nThe console stays at " + url + " until the program is interrupted.\n"
	if out.String() != want {
		t.Errorf("printed %q", &out)
	}
	out.Reset()
	if err := s.PlayWithConsole(ctx, &out, play); !errors.Is(err, failure) || strings.Contains(out.String(), "stays") {
		t.Errorf("interrupted before: %v, and printed %q", err, &out)
	}
}

// writer is called for each line.
type writer func(line string)

func (w writer) Write(p []byte) (int, error) {
	w(string(p))
	return len(p), nil
}
