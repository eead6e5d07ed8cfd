// Command refserver runs the in-memory platform on this machine.
//
//	go run ./internal/cmd/refserver --demo
//
// prints the address, a store and a token to begin with. With --json it prints
// them as one line of JSON before it serves, with --routes it prints the
// operations and ends. It stops cleanly on SIGINT and SIGTERM.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); {
	case err == nil, errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "refserver:", err)
		os.Exit(1)
	}
}
