package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Variables that make the test binary another process of a test.
const (
	childIs    = "POSTGRES_TEST_CHILD"
	childURL   = "POSTGRES_TEST_URL"
	childQueue = "POSTGRES_TEST_QUEUE"
)

// quick is how often an idle worker of a test looks.
const quick = 50 * time.Millisecond

// hung is after what time a call or a database is taken to hang. How fast they are is
// in the logs of the proofs: a test cannot know what else its machine does.
const hung = 30 * time.Second

// child runs the test binary as another process of a test.
func child() (status int, is bool) {
	roles := map[string]func(*world, *Inbox) error{"receiver": receive, "sleeper": oversleep}
	role := roles[os.Getenv(childIs)]
	if role == nil {
		return 0, false
	}
	if err := beChild(role); err != nil {
		fmt.Println(err)
		return 1, true
	}
	return 0, true
}

func beChild(role func(*world, *Inbox) error) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv(childURL))
	if err != nil {
		return err
	}
	in, err := Open(ctx, pool, Options{Queue: os.Getenv(childQueue)})
	if err != nil {
		return err
	}
	return role(&world{pool: pool, queue: os.Getenv(childQueue)}, in)
}

// receive is a receiver as an app has it. It says where it listens, and ends by being killed.
func receive(w *world, in *Inbox) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events, quiet := w.handlers(), slog.New(slog.DiscardHandler)
	worker := &webhook.Worker{Inbox: in, Registry: events, Concurrency: 4, Lease: 2 * time.Second, Poll: quick, Logger: quiet}
	ended := make(chan error, 2)
	go func() { ended <- worker.Run(context.Background()) }()
	h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: events, Inbox: in, Logger: quiet}
	go func() { ended <- http.Serve(l, h) }()
	fmt.Println("http://" + l.Addr().String())
	return <-ended
}

// process is a child.
type process struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// start runs a child. It dies with this process.
func start(t *testing.T, role, url, queue string) *process {
	t.Helper()
	runtime.LockOSThread() // the kernel tells the child of the death of the thread
	defer runtime.UnlockOSThread()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childIs+"="+role, childURL+"="+url, childQueue+"="+queue, "GOMAXPROCS=2")
	c.SysProcAttr = dieWithParent()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return &process{c, in, bufio.NewScanner(out)}
}

// line returns the next line that the child prints.
func (p *process) line(t *testing.T) string {
	t.Helper()
	if !p.lines.Scan() {
		t.Fatalf("the child ended: %v", errors.Join(p.lines.Err(), p.Wait()))
	}
	return strings.TrimSpace(p.lines.Text())
}

// kill is kill -9.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // it was killed
}
