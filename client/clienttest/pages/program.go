package pages

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// Main is the main function of a program that shows an app on a platform in its own process. It parses the flags, to
// which it adds -console, the address of the pages, and calls run with that address. The context ends with Ctrl-C. If
// run fails, Main prints the error and exits with status 1:
//
//	func main() { pages.Main(run) }
//
//	func run(ctx context.Context, console string, out io.Writer) error {
//		return pages.Play(ctx, console, out, clienttest.Options{}, play)
//	}
func Main(run func(ctx context.Context, console string, out io.Writer) error) {
	console := flag.String("console", "", "serve the console on this `address`, and stay until Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *console, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(1)
	}
}

// Play starts a platform, calls play with it, and closes it. If console is an address, the pages are served there until
// ctx ends: see clienttest.Server.PlayWithConsole.
func Play(
	ctx context.Context, console string, out io.Writer, o clienttest.Options,
	play func(ctx context.Context, platform *clienttest.Server) error,
) error {
	o.Console = At(console)
	platform, err := clienttest.Start(o)
	if err != nil {
		return err
	}
	defer platform.Close()
	return platform.PlayWithConsole(ctx, out, func(ctx context.Context) error { return play(ctx, platform) })
}
