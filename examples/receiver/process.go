package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// process is this program as a receiver in another process.
type process struct {
	cmd     *exec.Cmd
	address string
	printed chan struct{} // closed when all its output was read
}

// start runs a receiver and waits until it listens. Later output of the receiver is copied to stdout.
func start(ctx context.Context, o options, stdout io.Writer) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "-base-url", o.baseURL, "-store-id", fmt.Sprint(o.storeID),
		"-database", o.database, "-wait", "-1s")
	cmd.Env = append(os.Environ(), "COMMERCE_TOKEN="+string(o.token), "COMMERCE_APP_SECRET="+string(o.secret))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, printed: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for p.address == "" && lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), listening); ok {
			p.address = address
			break
		}
		fmt.Fprintf(stdout, "  | %s\n", lines.Text())
	}
	go func() {
		defer close(p.printed)
		for lines.Scan() {
			fmt.Fprintf(stdout, "  | %s\n", lines.Text())
		}
	}()
	if p.address == "" {
		return nil, errors.Join(errors.New("the process ended before it listened"), p.kill())
	}
	return p, nil
}

// kill ends the process as a power failure would, without notice or clean-up.
func (p *process) kill() error {
	err := p.cmd.Process.Kill()
	<-p.printed
	_ = p.cmd.Wait() // reports that it was killed
	return err
}

// stop asks the process to end, and returns an error unless its exit status is 0.
func (p *process) stop() error {
	err := p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.printed
	return errors.Join(err, p.cmd.Wait())
}
