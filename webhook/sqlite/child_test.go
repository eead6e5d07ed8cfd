package sqlite_test

import (
	"bufio"
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
	"syscall"
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
			fmt.Println(err)
			return 1
		}
		return 0
	}
	roles := map[string]func(w *world) error{"receiver": receive, "sleeper": oversleep}
	in, err := sqlite.Open(context.Background(), os.Getenv(childFile), sqlite.Options{})
	if err == nil {
		err = roles[os.Getenv(childVariable)](&world{in: in, shop: os.Getenv(childShop)})
	}
	fmt.Println(err)
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
	in    io.WriteCloser
	lines *bufio.Scanner
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
		t.Error(err)
	}
	_ = p.Wait() // it was killed
}
