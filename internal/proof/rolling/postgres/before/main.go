package main

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/postgres"
	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/postgres"
)

func main() {
	open := func(ctx context.Context, pool *pgxpool.Pool, schema string) (webhook.Inbox, error) {
		return postgres.Open(ctx, pool, postgres.Options{Schema: schema})
	}
	fmt.Fprintln(os.Stderr, replica.Run(rollingapp.Opener(open), nil))
	os.Exit(1)
}
