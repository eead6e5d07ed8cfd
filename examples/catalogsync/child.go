package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// child is this program in another process, which copies.
type child struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner // the lines that it prints
	last  string         // line
}

// start runs the program against the platform that the options name.
func start(ctx context.Context, o options) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, "-base-url", o.baseURL, "-store-id", fmt.Sprint(o.storeID), "-db", o.db,
		"-per-page", fmt.Sprint(o.perPage))
	c.Env, c.Stderr = append(os.Environ(), "COMMERCE_TOKEN="+string(o.token)), os.Stderr
	printed, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &child{cmd: c, lines: bufio.NewScanner(printed)}, c.Start()
}

// await reads until the nth line that begins with a prefix, and reports whether it came before the end of the process.
func (c *child) await(prefix string, n int) bool {
	for n > 0 && c.lines.Scan() {
		if c.last = c.lines.Text(); strings.HasPrefix(c.last, prefix) {
			n--
		}
	}
	return n == 0
}

// kill ends the process as a power failure would, without any clean-up.
func (c *child) kill() error {
	err := c.cmd.Process.Kill()
	_ = c.cmd.Wait() // reports that it was killed
	return err
}
