package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// versions are those of a tag: npm accepts no other form after the v.
var versions = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// run builds what args name from the repository in the current directory.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	flags.SetOutput(out)
	d := dist{
		repository: ".", flags: []string{"-trimpath", "-ldflags=-s -w"}, env: []string{"CGO_ENABLED=0"}, targets: targets, log: out,
	}
	flags.BoolVar(&d.lists, "list", false, "print what is published, and build nothing")
	flags.StringVar(&d.dir, "out", "dist", "the `directory` that is written; it must not exist, or be empty")
	flags.Func("only", "the `platform` to build, such as linux/amd64 (all)", func(name string) error {
		d.targets = nil
		for _, t := range targets {
			if t.String() == name {
				d.targets = []target{t}
				return nil
			}
		}
		return fmt.Errorf("must be one of %v", targets)
	})
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || !versions.MatchString(flags.Arg(0)) {
		return fmt.Errorf("%q: must be one version, such as v0.1.0", strings.Join(flags.Args(), " "))
	}
	d.version = strings.TrimPrefix(flags.Arg(0), "v")
	return d.build(ctx)
}
