package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, words []string) error {
	defects, err := parse(list)
	if err != nil {
		return err
	}
	defects = slices.DeleteFunc(defects, func(d *defect) bool {
		return !slices.ContainsFunc(append(words, ""), func(w string) bool { return (w != "" || len(words) == 0) && strings.Contains(d.name, w) })
	})
	if len(defects) == 0 {
		return fmt.Errorf("%q: want a word in the name of a defect", words)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	p := &planter{root: root, out: os.Stdout, healthy: map[string]error{}}
	caught, err := p.all(ctx, defects)
	if err != nil {
		return fmt.Errorf("%d of %d defects were caught before this one: %w", caught, len(defects), err)
	}
	fmt.Printf("%d defects planted, %d caught\n", len(defects), caught)
	if missed := len(defects) - caught; missed > 0 {
		return fmt.Errorf("%d were not caught", missed)
	}
	return nil
}
