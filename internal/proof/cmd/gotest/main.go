package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
)

// again is how often packages are tested again at most.
const again = 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:], goTest); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}
}

// goTest runs go test and writes what it prints to out.
func goTest(ctx context.Context, out io.Writer, args []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test"}, args...)...)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd.Run()
}

// run tests with args, and again what the detector ended. Its error is that of the last test.
func run(ctx context.Context, out io.Writer, args []string, test func(context.Context, io.Writer, []string) error) error {
	packages := len(args)
	for packages > 0 && !strings.HasPrefix(args[packages-1], "-") {
		packages--
	}
	for n := 0; ; n++ {
		r, w := io.Pipe()
		var ended error
		go func() {
			ended = test(ctx, w, args)
			_ = w.Close() // a pipe's end has no error
		}()
		crashed, err := crashes(io.TeeReader(r, out))
		if err != nil {
			return err
		}
		if ended == nil || len(crashed) == 0 || n == again || ctx.Err() != nil {
			return ended
		}
		fmt.Fprintf(out, "gotest: the race detector itself ended these, no test failed; testing again: %s\n", strings.Join(crashed, " "))
		args = append(slices.Clone(args[:packages]), crashed...)
	}
}

// result is the line that ends the output of a package.
var result = regexp.MustCompile(`^(ok  |FAIL|\?   )\t(\S+)(\t| \[)`)

// marks of failures that the code under test has caused.
var marks = []string{"--- FAIL", "WARNING: DATA RACE", "panic:", "fatal error:", "[build failed]", "[setup failed]"}

// crashes reads the output of go test and returns the packages whose binaries the detector ended, or none if anything
// else failed too.
func crashes(r io.Reader) ([]string, error) {
	var found []string
	var crash, failed, other bool
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		crash = crash || strings.Contains(line, "ThreadSanitizer: CHECK failed")
		failed = failed || slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(line, m) })
		if m := result.FindStringSubmatch(line); m != nil {
			switch {
			case m[1] != "FAIL":
			case crash && !failed:
				found = append(found, m[2])
			default:
				other = true
			}
			crash, failed = false, false
		}
		switch {
		case err == io.EOF && other:
			return nil, nil
		case err == io.EOF:
			return found, nil
		case err != nil:
			return nil, err
		}
	}
}
