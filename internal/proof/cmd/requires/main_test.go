package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCheck(t *testing.T) {
	known := map[string]requirement{
		"go":      func(context.Context) error { return nil },
		"browser": func(context.Context) error { return errors.New("no browser in PATH") },
	}
	for _, tt := range []struct {
		names []string
		want  string // empty if nothing is missing
	}{
		{nil, ""},
		{[]string{"go"}, ""},
		{[]string{"go", "browser"}, "requires browser: no browser in PATH"},
		{[]string{"go", "gopher"}, `requires: no requirement is named "gopher"`},
	} {
		got := ""
		if err := check(t.Context(), known, tt.names); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.names, got, tt.want)
		}
	}
}

// Missing programs are installed once, and another failure installs nothing.
func TestInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // has no apt-get
	broken := errors.New("the server has no owner")
	for _, tt := range []struct {
		fails error
		want  string
	}{
		{nil, ""},
		{broken, "the server has no owner"},
		{fmt.Errorf("pgtest: %w", pgtest.ErrMissing), "pgtest: a program is missing: there is no apt-get to install it with"},
	} {
		got := ""
		if err := installed(func(context.Context) error { return tt.fails }, "postgresql")(t.Context()); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.fails, got, tt.want)
		}
	}
}
