package pgtest

import (
	"context"
	"fmt"
	"os"
)

// CanStart returns nil if [Start] has what it requires, which is installed if need be. Otherwise the error says what is
// missing, and how to get it.
func CanStart(ctx context.Context) error {
	if os.Getenv(Variable) != "" {
		return nil
	}
	return canNew(ctx)
}

// CanPool is CanStart for [New] and [Cluster.Pool]: they use nobody's database but their own.
func CanPool(ctx context.Context) error {
	if err := canNew(ctx); err != nil {
		return err
	}
	_, err := pgbouncer(ctx)
	return err
}

func canNew(ctx context.Context) error {
	if _, err := serverOwner(); err != nil {
		return fmt.Errorf("pgtest: %w", err)
	}
	_, err := programs(ctx)
	return err
}
