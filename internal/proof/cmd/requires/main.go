package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proof/aptget"
	"github.com/commerceplatform/commerce-go/internal/proof/chromium"
)

// requirement returns nil if the machine has something.
type requirement func(context.Context) error

func requirements() map[string]requirement {
	return map[string]requirement{
		"chromium": chromium.Available, // with axe-core
		// A database, which may be somebody else's.
		"postgres": installed(pgtest.CanStart, "postgresql"),
		// Servers of one's own, with a pooler before them.
		"pgbouncer": installed(pgtest.CanPool, "postgresql", "pgbouncer"),
		"shell":     programs("sh", "curl", "openssl"),
		"languages": programs("node", "npm", "python3"),
	}
}

// installed installs packages if a requirement misses programs.
func installed(has requirement, packages ...string) requirement {
	return func(ctx context.Context) error {
		err := has(ctx)
		if !errors.Is(err, pgtest.ErrMissing) {
			return err
		}
		for _, name := range packages {
			if failed := aptget.Install(ctx, name); failed != nil {
				return fmt.Errorf("%w: %w", err, failed)
			}
		}
		return has(ctx)
	}
}

// programs requires programs that are not installed if they are missing.
func programs(names ...string) requirement {
	return func(context.Context) error {
		var missing []error
		for _, name := range names {
			_, err := exec.LookPath(name)
			missing = append(missing, err)
		}
		return errors.Join(missing...)
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := check(ctx, requirements(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns the error of the first requirement that is missing.
func check(ctx context.Context, known map[string]requirement, names []string) error {
	for _, name := range names {
		has := known[name]
		if has == nil {
			return fmt.Errorf("requires: no requirement is named %q", name)
		}
		if err := has(ctx); err != nil {
			return fmt.Errorf("requires %s: %w", name, err)
		}
	}
	return nil
}
