package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Pooler is a running PgBouncer.
type Pooler struct {
	url    string
	dir    string
	server *process
	front  *uncanceled
}

// howToPool is what a user without PgBouncer can do.
const howToPool = `PgBouncer is needed and its program was not found in PATH or /usr/sbin.
Install it (Debian and Ubuntu: apt-get install pgbouncer; Fedora: dnf install pgbouncer; macOS: brew install pgbouncer)`

// Pool starts a PgBouncer before the cluster, with the pool_mode and so many connections to the server at most.
// [Pooler.Stop] must be called at the end.
//
// Requests to cancel a query do not reach it. PgBouncer 1.18 ends with "server in bad state" if a session is used again
// while such a request for it is under way.
func (c *Cluster) Pool(ctx context.Context, mode string, connections int) (*Pooler, error) {
	program, err := pgbouncer()
	if err != nil {
		return nil, err
	}
	owner, err := serverOwner()
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	dir, err := os.MkdirTemp("", prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fmt.Errorf("pgtest: %w", err)
	}
	p := &Pooler{dir: dir, server: newProcess(owner)}
	if err := p.start(ctx, program, c.url, mode, connections); err != nil {
		p.Stop()
		return nil, fmt.Errorf("pgtest: pgbouncer: %w", err)
	}
	return p, nil
}

// URL is what to connect to, with the password.
func (p *Pooler) URL() string { return p.url }

func (p *Pooler) start(ctx context.Context, program, database, mode string, connections int) error {
	u, err := url.Parse(database)
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	password, _ := u.User.Password()
	// Sessions of the server take turns, so that transactions of one client rarely meet the same one twice.
	users, settings, log := filepath.Join(p.dir, "users"), filepath.Join(p.dir, "settings"), filepath.Join(p.dir, "log")
	err = errors.Join(
		os.WriteFile(users, fmt.Appendf(nil, "%q %q\n", u.User.Username(), password), 0o600),
		os.WriteFile(settings, fmt.Appendf(nil, "[databases]\n* = host=%s port=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %s\n"+
			"unix_socket_dir =\nauth_type = md5\nauth_file = %s\npool_mode = %s\ndefault_pool_size = %d\nmax_client_conn = 1000\n"+
			"server_idle_timeout = 0\nserver_round_robin = 1\n", u.Hostname(), u.Port(), port, users, mode, connections), 0o600),
		p.server.own(p.dir, users, settings))
	if err != nil {
		return err
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	command := exec.Command(program, settings)
	command.Dir, command.Stdout, command.Stderr = p.dir, out, out
	if err := p.server.start(command); err != nil {
		return err
	}
	bouncer := net.JoinHostPort("127.0.0.1", port)
	if p.front, err = newUncanceled(bouncer); err != nil {
		return err
	}
	u.Host = p.front.address()
	p.url = u.String()
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		conn, err := net.Dial("tcp", bouncer)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-p.server.exited():
			said, _ := os.ReadFile(log) // nothing is all there is to say then
			return fmt.Errorf("it ended: %s", last(said))
		case <-ctx.Done():
			return fmt.Errorf("it is not ready: %w: %w", ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Stop ends the pooler and removes its files.
func (p *Pooler) Stop() {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	if p.front != nil {
		p.front.close()
	}
	_ = p.server.stop(ctx, syscall.SIGTERM) // the files go too
	p.server.close()
	_ = os.RemoveAll(p.dir) // else the next process does it
}

// pgbouncer returns the path of the program.
func pgbouncer() (string, error) {
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path, nil
	}
	if path := "/usr/sbin/pgbouncer"; executable(path) {
		return path, nil
	}
	return "", fmt.Errorf("pgtest: %w: %s", ErrMissing, howToPool)
}
