package pgtest

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/goleak"
)

// asChild makes the test binary a process that starts a cluster and never stops it.
const asChild = "PGTEST_AS_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asChild) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	c, err := New(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(c.server.id(), c.dir)
	select {}
}

// A cluster answers while it is up, to who has the password, does not while it is down, and leaves nothing behind.
func TestCluster(t *testing.T) {
	c, err := New(t.Context())
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
	for _, mode := range []Mode{Fast, Immediate} {
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
	if _, err := os.Stat(c.dir); !os.IsNotExist(err) {
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
func TestKilled(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asChild+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	id, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
	server, err := strconv.Atoi(id)
	if err != nil || !alive(server) {
		t.Fatalf("the child says %q, and no such server runs", line)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	for began := time.Now(); alive(server); <-time.After(10 * time.Millisecond) {
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("the server %d lives two minutes after its process was killed", server)
		}
	}
	sweep()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("files of the killed process: %v, want that there are none", err)
	}
}

// Without PostgreSQL the error says how to get it.
func TestHowTo(t *testing.T) {
	for _, word := range []string{"apt-get install postgresql", Variable} {
		if !strings.Contains(howTo, word) {
			t.Errorf("%q is not in %q", word, howTo)
		}
	}
}
