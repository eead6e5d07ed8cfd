package postgres

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
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
		fmt.Fprintln(os.Stderr, err)
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
	in     io.WriteCloser
	lines  *bufio.Scanner
	errors bytes.Buffer  // what it printed there, once it has ended
	ended  chan struct{} // closed when it has
	lived  bool          // until it was killed
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
	out, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: c, in: in, lines: bufio.NewScanner(out), ended: make(chan struct{})}
	c.Stdout, c.Stderr = theirs, &p.errors
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close() // it is the child's
	go func() {
		defer close(p.ended)
		_ = c.Wait() // its state says how it ended
	}()
	t.Cleanup(func() { _ = out.Close() })
	return p
}

// line returns the next line that the child prints.
func (p *process) line(t *testing.T) string {
	t.Helper()
	if !p.lines.Scan() {
		<-p.ended
		t.Fatalf("the child ended: %v, %v\n%s", p.lines.Err(), p.ProcessState, &p.errors)
	}
	return strings.TrimSpace(p.lines.Text())
}

// kill is kill -9. A child that is dead already fails the test, unless a defect of the race detector has ended it, which
// is as good as being killed.
func (p *process) kill(t *testing.T) {
	t.Helper()
	select {
	case <-p.ended:
		report := t.Errorf
		if strings.Contains(p.errors.String(), "ThreadSanitizer: CHECK failed") {
			report = t.Logf
		}
		report("the child ended by itself: %v\n%s", p.ProcessState, &p.errors)
		return
	default:
	}
	p.lived = true
	_ = p.Process.Kill() // it may end in the same moment
	<-p.ended
}
