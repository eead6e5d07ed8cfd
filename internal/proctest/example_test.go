package proctest

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

// example is one without errors but for those of its flags.
func example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 4 || os.Args[1] != "-console" || os.Args[3] != "two words" || os.Getenv(arguments) != "" {
		fmt.Printf("started with %q\n", os.Args)
		os.Exit(2)
	}
	platform, err := clienttest.Start(clienttest.Options{Console: pages.At(os.Args[2])})
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	defer platform.Close()
	_ = platform.PlayWithConsole(ctx, os.Stdout, func(context.Context) error { return nil })
}

func TestConsole(t *testing.T) { Console(t, "two words") }
