package clienttest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Console returns pages that show the server in a browser, with buttons for the actions of customers, merchants and the
// clock:
//
//	pages := httptest.NewServer(server.Console())
//	fmt.Println(pages.URL)
//	<-ctx.Done()
//
// It is the handler of Control, which then serves the pages as well as its calls at /_/api/. The requirements of
// Control also apply to it. Options.Console serves it without further code.
func (s *Server) Console() http.Handler {
	s.Control()
	s.mu.Lock()
	defer s.mu.Unlock()
	if api, ok := s.control.(*control.API); ok && !s.pages {
		api.Mount(console.New(api))
		s.pages = true
	}
	return s.control
}

// serveConsole serves the console until Close.
func (s *Server) serveConsole(address string) error {
	s.Console()
	url, err := s.control.Listen(address)
	if err != nil {
		return fmt.Errorf("console at %q: %w", address, err)
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
