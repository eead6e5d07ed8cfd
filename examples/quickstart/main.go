// Command quickstart is an app from its installation to signed webhooks. It installs itself with the OAuth redirect
// flow, registers webhooks and imports the catalog of a CSV file. Then it changes prices, hides a category, takes an
// order from creation to shipping, and receives the webhooks of these changes.
//
//	go run ./examples/quickstart
//
// It requires only Go. Without flags the platform is the reference server, in this process but reached over real HTTP
// on loopback addresses. With -console 127.0.0.1:8082 a browser shows it until Ctrl-C. Flags select a real platform; -h
// lists them and describes the file. The program lists all imported records, and compares every field.
//
// The exit status is 0 if everything compared equal, and 1 if something did not. It is 2 if everything did but rows of
// the file had to be left out, and 3 if the program could not run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// The exit statuses.
const (
	exitEqual = iota
	exitDiffers
	exitRowsLeftOut
	exitFailed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(status)
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) int {
	o, err := readOptions(args, env, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitEqual
	}
	t := newTranscript(stdout)
	if err != nil {
		return t.failed(err)
	}
	s, err := open(o, t)
	if err != nil {
		return t.failed(err)
	}
	defer s.close()
	if s.demo == nil {
		return s.play(ctx)
	}
	status := exitFailed
	_ = s.demo.PlayWithConsole(ctx, stdout, func(ctx context.Context) error { status = s.play(ctx); return nil })
	return status
}

// play takes all steps and returns the exit status.
func (s *session) play(ctx context.Context) int {
	for _, step := range s.steps() {
		if err := s.t.step(ctx, step.title, s.requests, step.do); err != nil {
			return s.t.failed(err)
		}
	}
	return s.verdict()
}

type step struct {
	title string
	do    func(context.Context) error
}

// steps are the steps in their order.
func (s *session) steps() []step {
	return []step{
		{"Read the catalog", s.readCatalog},
		{"Install the app", s.install},
		{"Register webhooks", s.register},
		{"Import the catalog", s.importCatalog},
		{"List it back and compare every field", s.compare},
		{"Change prices: a value, null, and nothing", s.changePrices},
		{"Hide a category", s.hideCategory},
		{"Take an order: create it, pay it, pack it, ship it", s.sell},
		{"Receive the webhooks", s.receive},
		{"Deliver a webhook twice, and forge one", s.attackWebhooks},
		{"Compare once more, after all changes were taken back", s.compare},
	}
}

// verdict ends the transcript and returns the exit status.
func (s *session) verdict() int {
	left := s.catalog.left
	s.t.total(s.requests(), fmt.Sprintf("%d products, %d variants, %d categories, %d webhooks handled",
		len(s.catalog.products), s.catalog.variants(), len(s.tree), s.inbox.total()))
	switch {
	case s.t.wrong > 0:
		s.t.result(exitDiffers, "%s not as they should be", count(s.t.wrong, "thing is", "things are"))
		return exitDiffers
	case left > 0:
		s.t.result(exitRowsLeftOut, "everything that was imported compared equal, but %s of %s", count(left, "row was left out", "rows were left out"), s.o.csv)
		return exitRowsLeftOut
	}
	s.t.result(exitEqual, "everything compared equal")
	return exitEqual
}
