package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
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
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// Variables that make the test binary another process of a test.
const (
	childVariable = "SQLITE_TEST_CHILD"
	childFile     = "SQLITE_TEST_FILE"
	childShop     = "SQLITE_TEST_SHOP"
)

const secret = "0123456789abcdef"

// child runs the test binary as another process of a test, and returns its exit status.
func child() int {
	if os.Getenv(childVariable) == "visitor" {
		if err := visit(os.Getenv(childFile)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	roles := map[string]func(w *world) error{"receiver": receive, "sleeper": oversleep}
	in, err := sqlite.Open(context.Background(), os.Getenv(childFile), sqlite.Options{})
	if err == nil {
		err = roles[os.Getenv(childVariable)](&world{in: in, shop: os.Getenv(childShop)})
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// visit reads the file as the tool of SQLite does, by which a person looks at it.
func visit(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	return errors.Join(db.QueryRow("SELECT count(*) FROM inbox_entry").Scan(new(int)), db.Close())
}

// receive is a receiver as an app has it. It says where it listens, and ends by being killed.
func receive(w *world) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	events, quiet := w.handlers(), slog.New(slog.DiscardHandler)
	worker := &webhook.Worker{Inbox: w.in, Registry: events, Concurrency: 8, Lease: 2 * time.Second, Logger: quiet}
	ended := make(chan error, 2)
	go func() { ended <- worker.Run(context.Background()) }()
	h := &webhook.Handler{Secrets: []client.Secret{secret}, Registry: events, Inbox: w.in, Logger: quiet}
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

// start runs a child on the file of a world. It dies with this process.
func (w *world) start(t *testing.T, role string) *process {
	t.Helper()
	runtime.LockOSThread() // the kernel tells the child of the death of the thread
	defer runtime.UnlockOSThread()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childVariable+"="+role, childFile+"="+w.path, childShop+"="+w.shop)
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
