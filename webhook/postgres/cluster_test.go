package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// execute runs statements by a connection of their own, and returns the first error.
func execute(ctx context.Context, c *pgtest.Cluster, statements ...string) error {
	conn, err := pgconn.Connect(ctx, c.URL())
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// abandon is a process that starts a cluster and never stops it.
func abandon() error {
	c, err := pgtest.New(context.Background())
	if err != nil {
		return err
	}
	fmt.Println(c.Server(), c.Dir())
	select {}
}

// A cluster answers while it is up, to who has the password, does not while it is down, and leaves nothing behind.
func TestCluster(t *testing.T) {
	t.Parallel()
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answers := func() bool {
		conn, err := net.Dial("tcp", c.Address())
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}
	if err := enter(t, c.URL()); err != nil {
		t.Errorf("with the password: %v", err)
	}
	other, err := url.Parse(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	other.User = url.UserPassword(other.User.Username(), rand.Text())
	var refused *pgconn.PgError
	if err := enter(t, other.String()); !errors.As(err, &refused) || refused.Code != "28P01" {
		t.Errorf("with another password: %v, want that it is refused", err)
	}
	for _, mode := range []pgtest.Mode{pgtest.Fast, pgtest.Immediate} {
		if !answers() {
			t.Error("it does not answer")
		}
		if err := c.Down(t.Context(), mode); err != nil {
			t.Fatal(err)
		}
		if answers() {
			t.Error("it answers while it is down")
		}
		if err := c.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	c.Stop()
	if answers() {
		t.Error("it answers after Stop")
	}
	if _, err := os.Stat(c.Dir()); !os.IsNotExist(err) {
		t.Errorf("its files: %v, want that there are none", err)
	}
}

func enter(t *testing.T, url string) error {
	conn, err := pgconn.Connect(t.Context(), url)
	if err != nil {
		return err
	}
	return conn.Close(t.Context())
}

// A process that is killed takes its server with it, and the next one removes its files.
func TestClusterOfKilledProcess(t *testing.T) {
	t.Parallel()
	child := proctest.Start(t, "cluster")
	line := child.Line(t)
	id, dir, _ := strings.Cut(line, " ")
	server, err := strconv.Atoi(id)
	if err != nil || !pgtest.Alive(server) {
		t.Fatalf("the child says %q, and no such server runs", line)
	}
	child.Kill(t)
	for began := time.Now(); pgtest.Alive(server); <-time.After(10 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("the server %d lives two minutes after its process was killed", server)
		}
	}
	pgtest.Sweep()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("files of the killed process: %v, want that there are none", err)
	}
}
