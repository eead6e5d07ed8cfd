package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Variable is the environment variable with the URL of a database that [Start] uses instead of a
// cluster of its own.
const Variable = "COMMERCE_TEST_POSTGRES"

// startTime is how long a server may take until it answers.
const startTime = 2 * time.Minute

// Cluster is a running PostgreSQL.
type Cluster struct {
	url  string
	dir  string // "" if the cluster is somebody else's
	bin  string
	port string

	server *process
}

// Start returns the cluster that COMMERCE_TEST_POSTGRES leads to, or a new one.
func Start(ctx context.Context) (*Cluster, error) {
	if given := os.Getenv(Variable); given != "" {
		return &Cluster{url: given}, nil
	}
	return New(ctx)
}

// New makes a cluster and starts it. [Cluster.Stop] must be called at the end.
func New(ctx context.Context) (*Cluster, error) {
	bin, err := programs(ctx)
	if err != nil {
		return nil, err
	}
	Sweep()
	owner, err := serverOwner()
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	dir, err := os.MkdirTemp("", prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	c := &Cluster{dir: dir, bin: bin, server: newProcess(owner)}
	if err := c.create(ctx); err != nil {
		c.Stop()
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	return c, nil
}

func (c *Cluster) create(ctx context.Context) error {
	password := rand.Text()
	kept, err := verifier(password)
	if err != nil {
		return err
	}
	secret := filepath.Join(c.dir, "password")
	if err := os.WriteFile(secret, []byte(kept+"\n"), 0o600); err != nil {
		return err
	}
	if err := c.server.own(c.dir, secret); err != nil {
		return err
	}
	initdb := exec.CommandContext(ctx, filepath.Join(c.bin, "initdb"), "--pgdata", c.data(), "--username", "test", "--pwfile", secret,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	initdb.Dir = c.dir
	if out, err := c.server.run(initdb); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, last(out))
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	c.port = port
	u := url.URL{Scheme: "postgres", User: url.UserPassword("test", password), Host: c.Address(), Path: "/postgres", RawQuery: "sslmode=disable"}
	c.url = u.String()
	return c.start(ctx)
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// URL is what to connect to, with the password.
func (c *Cluster) URL() string { return c.url }

// Programs is the directory of the programs of PostgreSQL, such as pg_dump; "" if the cluster is somebody else's.
func (c *Cluster) Programs() string { return c.bin }

// Address is where a cluster of this package listens.
func (c *Cluster) Address() string { return net.JoinHostPort("127.0.0.1", c.port) }

// Dir is the directory with all files of the cluster; "" if the cluster is somebody else's.
func (c *Cluster) Dir() string { return c.dir }

// Server is the process id of the server of a cluster of this package, while it is up.
func (c *Cluster) Server() int { return c.server.id() }

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }
func (c *Cluster) log() string  { return filepath.Join(c.dir, "log") }

// start runs the server and waits until it takes connections.
func (c *Cluster) start(ctx context.Context) error {
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	command := exec.Command(filepath.Join(c.bin, "postgres"), "-D", c.data(),
		"-c", "listen_addresses=127.0.0.1", "-c", "port="+c.port, "-c", "unix_socket_directories=",
		"-c", "max_connections=400") // fsync is on unless it is said otherwise
	command.Dir = c.dir
	command.Stdout, command.Stderr = log, log
	if err := c.server.start(command); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for !c.ready() {
		select {
		case <-c.server.exited():
			return c.failure(errors.New("postgres ended"))
		case <-ctx.Done():
			return c.failure(fmt.Errorf("postgres is not ready: %w", ctx.Err()))
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

func (c *Cluster) failure(err error) error {
	log, _ := os.ReadFile(c.log()) // nothing is all there is to say then
	return fmt.Errorf("%w: %s", err, last(log))
}

// ready reports whether the server says so in the file of its process.
func (c *Cluster) ready() bool {
	pid, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(pid), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(c.server.id()) && strings.TrimSpace(lines[7]) == "ready"
}

// Mode is how a server is stopped.
type Mode syscall.Signal

// The modes of pg_ctl.
const (
	Fast      = Mode(syscall.SIGINT)  // transactions are rolled back, and everything is written
	Immediate = Mode(syscall.SIGQUIT) // as in a crash: the log is replayed at the next start
)

// Down stops the server of a cluster of this package, whose files stay.
func (c *Cluster) Down(ctx context.Context, mode Mode) error {
	if c.dir == "" {
		return errForeign
	}
	if err := c.server.stop(ctx, syscall.Signal(mode)); err != nil {
		return fmt.Errorf("pgtest: stop: %w", err)
	}
	return nil
}

// Up starts a server that is down, and returns when it takes connections.
func (c *Cluster) Up(ctx context.Context) error {
	if c.dir == "" {
		return errForeign
	}
	if err := c.start(ctx); err != nil {
		return fmt.Errorf("pgtest: start: %w", err)
	}
	return nil
}

// Stop ends the server and removes its files. It does nothing to a cluster of somebody else.
func (c *Cluster) Stop() {
	if c.dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	_ = c.server.stop(ctx, syscall.SIGQUIT) // the files go too
	c.server.close()
	_ = os.RemoveAll(c.dir) // else the next process does it
}
