// Command callsites runs the code that the project's README shows, each part against a
// reference server in this process, and exits 0 only if each did what it shows.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/commerceplatform/commerce-go/client/clienttest"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "callsites:", err)
		os.Exit(1)
	}
}

// run plays the parts in the order of README, each on a platform of its own.
func run(ctx context.Context, out io.Writer) error {
	for _, play := range []func(context.Context, *clienttest.Server, io.Writer) error{
		installs, sells, shelves, hears, leaves, discounted, finishes, quotes, charges, pays, moves,
	} {
		if err := on(ctx, out, play); err != nil {
			return err
		}
	}
	return nil
}

func on(ctx context.Context, out io.Writer, play func(context.Context, *clienttest.Server, io.Writer) error) error {
	platform, err := clienttest.Start(clienttest.Options{RedirectURL: redirectURL, AutoApprove: true})
	if err != nil {
		return err
	}
	defer platform.Close()
	return play(ctx, platform, out)
}
