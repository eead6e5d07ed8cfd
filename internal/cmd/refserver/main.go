package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Exit statuses. "refserver help" lists them.
const (
	statusFound       = 1
	statusUsage       = 2
	statusUnreachable = 3
	statusRefused     = 4
	statusFailed      = 5
)

func main() { os.Exit(program()) }

// program runs the command line until a signal arrives, and returns the status.
func program() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr), os.Args[1:], os.Stderr)
}

// exit reports an error, as JSON if the command line has --json, and returns the status for it.
func exit(err error, args []string, stderr io.Writer) int {
	status, hint := statusFailed, ""
	refusal, refused := errors.AsType[*control.Refusal](err)
	misused, misuse := errors.AsType[*usageError](err)
	switch {
	case err == nil, errors.Is(err, context.Canceled): // a signal ended the command
		return 0
	case errors.Is(err, errFound):
		return statusFound
	case misuse:
		status = statusUsage
	case errors.Is(err, control.ErrUnreachable):
		status = statusUnreachable
		hint = fmt.Sprintf("start one with: refserver serve --demo --control %s; or name another with --control or %s", usualControl, controlVariable)
	case refused:
		status = statusRefused
	}
	if slices.Contains(args, "--json") || slices.Contains(args, "-json") {
		shown := map[string]any{"error": err.Error(), "status": status}
		switch {
		case refused:
			shown["error"], hint = refusal.Message, refusal.Hint
		case misuse:
			shown["error"], hint = misused.err.Error(), misused.hint()
		}
		if hint != "" {
			shown["hint"] = hint
		}
		_ = json.NewEncoder(stderr).Encode(shown) // nothing is left to report it to
		return status
	}
	fmt.Fprintln(stderr, "refserver:", err)
	if hint != "" {
		fmt.Fprintln(stderr, "refserver:", hint)
	}
	return status
}
