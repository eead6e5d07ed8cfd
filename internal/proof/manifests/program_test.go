package manifests

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// flagship is the program, and what it says of itself.
type flagship struct {
	path  string
	flags map[string]bool
	reads []string // names of the environment, in its source
	needs []string // those without which it does not start
}

// build builds the program in a folder, and asks it.
func build(dir string) (*flagship, error) {
	p := &flagship{path: filepath.Join(dir, "flagship.exe"), flags: map[string]bool{}}
	path, err := filepath.Abs(p.path)
	if err != nil {
		return nil, err
	}
	c := exec.Command("go", "build", "-buildvcs=false", "-o", path, ".")
	c.Dir, c.Env = source, append(os.Environ(), "GOWORK=off", "GOFLAGS="+proctest.BuildFlags())
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	usage, _ := exec.Command(p.path, "-h").CombinedOutput() // its status says nothing
	for _, name := range submatches(`(?m)^  -(\S+)`, string(usage)) {
		p.flags[name] = true
	}
	if p.reads, err = environment(); err != nil {
		return nil, err
	}
	if len(p.flags) < 5 || len(p.reads) < 2 {
		return nil, fmt.Errorf("the program has %d flags and reads %q: want more", len(p.flags), p.reads)
	}
	for _, without := range p.reads {
		env := maps.Clone(secrets)
		delete(env, without)
		err := p.try(context.Background(), []string{
			"-base-url=http://127.0.0.1:9", "-auth-url=https://www.example.com", "-app-id=1", "-public-url=https://app.example",
			"-listen=127.0.0.1:0", "-carts-from=127.0.0.1", "-database=" + filepath.Join(dir, without+".db"),
		}, env)
		if err != nil {
			p.needs = append(p.needs, without)
		}
	}
	return p, nil
}

// environment returns the names in the source of the program that look like those of its environment.
func environment() ([]string, error) {
	const format = `{{$d := .Dir}}{{with .Module}}{{if or .Main .Replace}}{{range $.GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	c := exec.Command("go", "list", "-deps", "-f", format, ".")
	c.Dir, c.Env = source, append(os.Environ(), "GOWORK=off")
	files, err := c.Output()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range strings.Fields(string(files)) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		names = append(names, submatches(`"((?:COMMERCE|OTEL)_[A-Z_]+)"`, string(text))...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// secrets are what a manifest leaves to the operator.
var secrets = map[string]string{
	"COMMERCE_APP_SECRET": "cnry_7f3a",
	"COMMERCE_TOKEN_KEYS": "QmFzZTY0IG9mIDMyIGJ5dGVzIGZvciB0ZXN0cyEAAQI=",
	"PGPASSWORD":          "cnry_pass",
	"DATABASE_URL":        "postgres://app@db.example/app",
}

// command is the program as a container runs it: nothing of this process is in its environment.
func (p *flagship) command(ctx context.Context, args []string, env map[string]string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.path, args...)
	c.Env = []string{"TMPDIR=/nonexistent"}
	for name, value := range env {
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// try starts the program until it answers, and returns why it does not.
func (p *flagship) try(ctx context.Context, args []string, env map[string]string) error {
	ctx, end := context.WithTimeout(ctx, time.Minute)
	defer end()
	c := p.command(ctx, args, env)
	var failure strings.Builder
	c.Stderr = &failure
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	line, ended := bufio.NewReader(out).ReadString('\n')
	address, err := listens(line)
	if err == nil && statusOf(ctx, http.MethodGet, address) == 0 {
		ended = c.Wait() // what it found wrong when it began to serve
	}
	end()
	_ = c.Wait() // it was killed
	if ended != nil {
		return errors.New(strings.TrimSpace(failure.String()))
	}
	return err
}

// listens returns the address in the line that the program prints once it listens.
func listens(line string) (address string, err error) {
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening at ")
	if !ok {
		err = fmt.Errorf("it prints %q", line)
	}
	return address, err
}

// statusOf returns the status of an answer, 0 if there is none.
func statusOf(ctx context.Context, method, address string) int {
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return 0
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
