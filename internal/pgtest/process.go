//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// process runs a server, one after the other. All are started by one thread, which lives as long as the process: the
// kernel notifies a child of the death of the thread that made it.
type process struct {
	owner *syscall.Credential // nil: the user of this process
	do    chan func()
	ended chan struct{}

	command *exec.Cmd // nil if none runs
	exit    chan struct{}
}

func newProcess(owner *syscall.Credential) *process {
	p := &process{owner: owner, do: make(chan func()), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		runtime.LockOSThread()
		// A goroutine that ends with its thread locked ends the thread, and with that the children of others that were
		// started on it before.
		defer runtime.UnlockOSThread()
		for f := range p.do {
			f()
		}
	}()
	return p
}

// serverOwner returns as whom a server runs: PostgreSQL refuses to be root.
func serverOwner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

// own gives files to the owner of the server.
func (p *process) own(paths ...string) error {
	if p.owner == nil {
		return nil
	}
	for _, path := range paths {
		if err := os.Chown(path, int(p.owner.Uid), int(p.owner.Gid)); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program to its end.
func (p *process) run(command *exec.Cmd) (out []byte, err error) {
	command.SysProcAttr = p.attributes()
	ended := make(chan struct{})
	p.do <- func() {
		defer close(ended)
		out, err = command.CombinedOutput()
	}
	<-ended
	return out, err
}

func (p *process) start(command *exec.Cmd) error {
	if p.command != nil {
		return errors.New("it runs")
	}
	command.SysProcAttr = p.attributes()
	started := make(chan error)
	p.do <- func() { started <- command.Start() }
	if err := <-started; err != nil {
		return err
	}
	p.command, p.exit = command, make(chan struct{})
	go func() {
		defer close(p.exit)
		_ = command.Wait() // its log says why
	}()
	return nil
}

func (p *process) id() int                 { return p.command.Process.Pid }
func (p *process) exited() <-chan struct{} { return p.exit }

// stop signals the server and waits for its end.
func (p *process) stop(ctx context.Context, signal syscall.Signal) error {
	if p.command == nil {
		return nil
	}
	if err := p.command.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.exit:
		p.command = nil
		return nil
	case <-ctx.Done():
		return fmt.Errorf("process %d: %w", p.id(), ctx.Err())
	}
}

func (p *process) close() {
	close(p.do)
	<-p.ended
}
