// Command callsites runs the Go code that README and the pages of client/docs and webhook/docs show, on a reference
// server in this process.
//
//	go run ./examples/callsites
//
// It requires only Go, and exits with 0 only if each part did what the pages say. To run only some parts, name them.
// With -console 127.0.0.1:8082 a browser shows the platform of the last part until Ctrl-C:
//
//	go run ./examples/callsites -console 127.0.0.1:8082 carts
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

// part is a part of the pages.
type part struct {
	name string
	play func(context.Context, *clienttest.Server, io.Writer) error
}

// parts are in the order of README.
var parts = []part{
	{"install", installs}, {"products", sells}, {"once", shelves}, {"webhooks", hears}, {"uninstall", leaves},
	{"carts", discounted}, {"rules", finishes}, {"rates", quotes}, {"disputes", charges}, {"payments", pays},
	{"versions", moves},
}

func main() {
	pages.Main(func(ctx context.Context, console string, out io.Writer) error {
		return run(ctx, flag.Args(), console, out)
	})
}

// run runs the parts of these names, or all, each on its own platform. The last one has a console.
func run(ctx context.Context, names []string, console string, out io.Writer) error {
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	for i, p := range chosen {
		address := ""
		if i == len(chosen)-1 {
			address = console
		}
		o := clienttest.Options{AutoApprove: true}
		err := pages.Play(ctx, address, out, o, func(ctx context.Context, s *clienttest.Server) error { return p.play(ctx, s, out) })
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// choose returns the parts of these names in the order of README, or all if there are none.
func choose(names []string) ([]part, error) {
	var known []string
	var chosen []part
	for _, p := range parts {
		known = append(known, p.name)
		if len(names) == 0 || slices.Contains(names, p.name) {
			chosen = append(chosen, p)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("part %q: must be one of %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}
