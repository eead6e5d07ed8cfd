package clienttest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Pages are the pages of the console. Package clienttest/pages makes them, so that only programs that show them link
// them.
type Pages struct {
	// Address is an address of this machine, where they are served. Empty serves none.
	Address string
	// Mount adds the pages to the handler of Server.Control.
	Mount func(control http.Handler)
}

// serveConsole serves the pages until Close.
func (s *Server) serveConsole(pages Pages) error {
	pages.Mount(s.Control())
	url, err := s.control.Listen(pages.Address)
	if err != nil {
		return fmt.Errorf("console at %q: %w", pages.Address, err)
	}
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	s.place.console = strings.TrimSuffix(url, strings.TrimPrefix(control.Prefix, "/"))
	return nil
}

// ConsoleURL returns the address of the pages that Options.Console serves, such as "http://127.0.0.1:8082/". It is
// empty without that option. Servers of AddStore return the same address.
func (s *Server) ConsoleURL() string {
	s.place.mu.Lock()
	defer s.place.mu.Unlock()
	return s.place.console
}

// PlayWithConsole is for programs that demonstrate something with the server and then end. It prints the address of the
// console, calls play, and waits until ctx ends, so that users can look at the result:
//
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
//	defer stop()
//	err := server.PlayWithConsole(ctx, os.Stdout, play)
//
// It returns the error of play, and also prints it before it waits. Without Options.Console it only calls play.
func (s *Server) PlayWithConsole(ctx context.Context, w io.Writer, play func(context.Context) error) error {
	url := s.ConsoleURL()
	if url == "" {
		return play(ctx)
	}
	fmt.Fprintf(w, "The console is at %s\n", url)
	err := play(ctx)
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		fmt.Fprintf(w, "It failed: %v\n", err)
	}
	fmt.Fprintf(w, "The console stays at %s until the program is interrupted.\n", url)
	<-ctx.Done()
	return err
}
