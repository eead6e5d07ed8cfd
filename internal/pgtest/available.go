package pgtest

import (
	"context"
	"fmt"
	"os"
)

// CanStart returns nil if [Start] has its requirements. Otherwise the error names what is missing, and how to get it. It
// is [ErrMissing] if programs of the server are missing.
func CanStart(ctx context.Context) error {
	if os.Getenv(Variable) != "" {
		return nil
	}
	return canNew(ctx)
}

// CanPool is CanStart for [New] and [Cluster.Pool], which use no database but their own. It is [ErrMissing] if only the
// pooler is missing, too.
func CanPool(ctx context.Context) error {
	if err := canNew(ctx); err != nil {
		return err
	}
	_, err := pgbouncer()
	return err
}

func canNew(ctx context.Context) error {
	if _, err := serverOwner(); err != nil {
		return fmt.Errorf("pgtest: %w", err)
	}
	_, err := programs(ctx)
	return err
}
