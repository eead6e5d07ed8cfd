package postgres

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/webhook"
)

// BenchmarkSnapshot compares runs beside a transaction that holds a snapshot, as pg_dump does, with runs without one.
// It measures the last 3,000 of 30,000 runs for 50 stores.
func BenchmarkSnapshot(b *testing.B) {
	var without, with float64
	for b.Loop() {
		without += lastRuns(b)
		tx := holdSnapshot(b)
		with += lastRuns(b)
		if err := tx.Rollback(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(without/float64(b.N), "runs/s")
	b.ReportMetric(with/float64(b.N), "beside-runs/s")
	b.ReportMetric(with/without, "ratio")
	b.ReportMetric(0, "ns/op")
}

// holdSnapshot begins a transaction that retains deleted rows until it ends.
func holdSnapshot(t testing.TB) pgx.Tx {
	t.Helper()
	tx, err := newPool(t, database.URL(), 1).BeginTx(t.Context(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }) // unless it has ended
	if _, err := tx.Exec(t.Context(), "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	return tx
}

// lastRuns returns the last runs a second.
func lastRuns(b *testing.B) float64 {
	b.Helper()
	const rounds, measured, each = 30, 3, 1000
	in := open(b, database.URL(), Options{Schema: newSchema(b)})
	var began time.Time
	for round := range rounds {
		if round == rounds-measured {
			began = time.Now()
		}
		bench.Fill(b, in, each, func(n int64) webhook.Entry {
			e := delivery(int64(round*each) + n)
			e.StoreID = client.ID(1 + n%50)
			return e
		})
		drain(b, in, webhook.DefaultConcurrency, each)
	}
	return measured * each / time.Since(began).Seconds()
}
