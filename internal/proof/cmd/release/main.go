package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// errFindings is the error of a version that cannot be released. The findings have been printed.
var errFindings = errors.New("the version cannot be released")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, ".", os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run does what args say to the repository in dir.
func run(ctx context.Context, dir string, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(out)
	prepare := flags.Bool("prepare", false, "write the version into CHANGELOG.md, go.mod files and the compatibility table")
	tag := flags.Bool("tag", false, "create the annotated tags if there is no finding")
	tagged := flags.Bool("tagged", false, "require that the tags exist and point to this commit")
	flags.Usage = func() {
		fmt.Fprintln(out, "usage: release [-prepare | -tag | -tagged] vX.Y.Z")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *prepare && *tag || *prepare && *tagged || *tag && *tagged {
		flags.Usage()
		return errors.New("one version and at most one flag are required")
	}
	r, err := open(ctx, dir, flags.Arg(0))
	if err != nil {
		return err
	}
	r.tagged, r.today = *tagged, time.Now().UTC()
	r.list = append(r.list, tidying())
	if *prepare {
		return r.prepare(ctx, out)
	}
	if err := r.check(ctx, out); err != nil {
		return err
	}
	if *tag {
		return r.tag(ctx, out)
	}
	if !*tagged {
		r.explain(out)
	}
	return nil
}
