package main

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"
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
