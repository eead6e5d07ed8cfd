package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// child is this program, run as a process of its own.
type child struct {
	cmd   *exec.Cmd
	told  func(line string) // of each line that it prints
	ended chan struct{}     // closed behind the last line
	err   error             // how it ended, once it has

	mu    sync.Mutex
	rest  []byte        // a line that is not complete
	lines []string      // that nobody has awaited yet
	news  chan struct{} // closed with the next line
}

// start runs the program with flags, and with variables beside those of this process.
func start(ctx context.Context, told func(string), env []string, flags ...string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, program, flags...), told: told, ended: make(chan struct{}), news: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.Stdout, c.cmd.Stderr = c, os.Stderr
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.ended)
		c.err = c.cmd.Wait()
	}()
	return c, nil
}

// Write is given what the process prints.
func (c *child) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest = append(c.rest, p...)
	for {
		line, rest, found := bytes.Cut(c.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		c.told(string(line))
		c.lines, c.rest = append(c.lines, string(line)), rest
		close(c.news)
		c.news = make(chan struct{})
	}
}

// next returns the first line that nobody has awaited, or what tells of one.
func (c *child) next() (line string, ok bool, news <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 {
		return "", false, c.news
	}
	line, c.lines = c.lines[0], c.lines[1:]
	return line, true, nil
}

// await waits for a line. It fails if the process ends without it.
func (c *child) await(wanted func(line string) bool) error {
	for ended := false; ; {
		line, ok, news := c.next()
		switch {
		case ok && wanted(line):
			return nil
		case ok:
		case ended:
			return fmt.Errorf("the process ended early: %v", c.cmd.ProcessState)
		default:
			select {
			case <-news:
			case <-c.ended:
				ended = true
			}
		}
	}
}

// until is await for a line that begins with a text; it returns the rest of it.
func (c *child) until(prefix string) (rest string, err error) {
	err = c.await(func(line string) (found bool) {
		rest, found = strings.CutPrefix(line, prefix)
		return found
	})
	return rest, err
}

// kill ends the process as a power failure would: it is told nothing and cleans nothing up.
func (c *child) kill() error {
	err := c.cmd.Process.Kill()
	<-c.ended
	return err
}

// wait waits for the end. It fails unless the exit status is 0.
func (c *child) wait() error {
	<-c.ended
	return c.err
}
