package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rounds := flag.Int("rounds", 3, "how often every benchmark runs")
	benchtime := flag.String("benchtime", "300ms", "how long a benchmark runs in a round, as go test takes it")
	peers := flag.Bool("peers", false, "compare with all peers, and measure only what has any")
	verbose := flag.Bool("v", false, "print the figures of every run")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: bench [flags] [goal ...]; growth is a goal too")
		flag.PrintDefaults()
	}
	flag.Parse()
	progress := io.Discard
	if *verbose {
		progress = os.Stderr
	}
	goals, grown, err := plan(*peers, flag.Args())
	if err == nil {
		err = run(ctx, *rounds, *benchtime, goals, grown, progress)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int, benchtime string, goals []goal, grown []growth, progress io.Writer) error {
	all := benchmarks(goals, grown)
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := newRunner(root, dir, benchtime, progress)
	for _, b := range all {
		if err := r.compile(ctx, b); err != nil {
			return err
		}
	}
	for range rounds {
		r.round(ctx, all)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := printMachine(ctx, os.Stdout, root, modules(all)); err != nil {
		return err
	}
	var failed []error
	if len(goals) > 0 {
		failed = append(failed, r.printGoals(os.Stdout, goals))
	}
	if len(grown) > 0 {
		fmt.Println()
		failed = append(failed, r.printGrowth(os.Stdout, grown))
	}
	return errors.Join(failed...)
}

// benchmarks lists what is to be run, each once: a figure directly before its floor.
func benchmarks(goals []goal, grown []growth) []benchmark {
	var all []benchmark
	add := func(b benchmark) {
		if b.name != "" && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	for _, g := range goals {
		add(g.figure)
		add(g.floor)
	}
	for _, g := range grown {
		for _, b := range g.sizes {
			add(b)
		}
	}
	return all
}

// modules lists the nested modules of the benchmarks.
func modules(all []benchmark) []string {
	var dirs []string
	for _, b := range all {
		if b.module != "." && !slices.Contains(dirs, b.module) {
			dirs = append(dirs, b.module)
		}
	}
	return dirs
}
