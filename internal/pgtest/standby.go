package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Standby copies a running cluster of this package and starts the copy as a standby that streams from it. Both have the
// same password. [Cluster.Stop] must be called at the end.
func (c *Cluster) Standby(ctx context.Context) (*Cluster, error) {
	if c.dir == "" {
		return nil, errForeign
	}
	s, err := c.copied(ctx)
	if err != nil {
		return nil, fmt.Errorf("pgtest: standby: %w", err)
	}
	return s, nil
}

var errForeign = errors.New("pgtest: the cluster is not one of this package")

func (c *Cluster) copied(ctx context.Context) (*Cluster, error) {
	dir, err := os.MkdirTemp("", prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, err
	}
	s := &Cluster{dir: dir, bin: c.bin, server: newProcess(c.server.owner)}
	if err := s.copy(ctx, c); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (c *Cluster) copy(ctx context.Context, from *Cluster) (err error) {
	if err := c.server.own(c.dir); err != nil {
		return err
	}
	backup := exec.CommandContext(ctx, filepath.Join(c.bin, "pg_basebackup"), "--dbname", from.url, "--pgdata", c.data(),
		"--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast", "--no-sync")
	backup.Dir = c.dir
	if out, err := c.server.run(backup); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, last(out))
	}
	if c.port, err = freePort(); err != nil {
		return err
	}
	u, err := url.Parse(from.url)
	if err != nil {
		return err
	}
	u.Host = c.Address()
	c.url = u.String()
	return c.start(ctx)
}

// Promote makes a standby take writes, and returns when it does.
func (c *Cluster) Promote(ctx context.Context) error {
	if c.dir == "" {
		return errForeign
	}
	promote := exec.CommandContext(ctx, filepath.Join(c.bin, "pg_ctl"), "promote", "--pgdata", c.data(), "--wait",
		"--timeout", strconv.Itoa(int(startTime.Seconds())))
	promote.Dir = c.dir
	if out, err := c.server.run(promote); err != nil {
		return fmt.Errorf("pgtest: promote: %w: %s", err, last(out))
	}
	return nil
}

// Rejoin makes a cluster that is down a standby of another one, as after an orderly failover, when the other has all
// its data.
func (c *Cluster) Rejoin(ctx context.Context, primary *Cluster) error {
	if c.dir == "" || primary.dir == "" {
		return errForeign
	}
	settings, err := os.OpenFile(filepath.Join(c.data(), "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("pgtest: rejoin: %w", err)
	}
	defer func() { _ = settings.Close() }()
	signal := filepath.Join(c.data(), "standby.signal")
	_, err = fmt.Fprintf(settings, "\nprimary_conninfo = '%s'\nrecovery_target_timeline = 'latest'\n", primary.url)
	err = errors.Join(err, os.WriteFile(signal, nil, 0o600), c.server.own(signal))
	if err != nil {
		return fmt.Errorf("pgtest: rejoin: %w", err)
	}
	return c.Up(ctx)
}
