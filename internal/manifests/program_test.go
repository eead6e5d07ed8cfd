package manifests

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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
	if len(p.flags) < 10 || len(p.reads) < 2 {
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

// environment returns the names that the source of the program gives to a function that reads the environment.
func environment() (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(source, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			called := ""
			switch f := call.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			if text, ok := call.Args[0].(*ast.BasicLit); ok && slices.Contains([]string{"env", "Getenv", "LookupEnv"}, called) {
				names = append(names, strings.Trim(text.Value, `"`))
			}
			return true
		})
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

// try starts the program until it listens, and returns why it does not.
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
	line, err := bufio.NewReader(out).ReadString('\n')
	end()
	_ = c.Wait() // it was killed
	if err != nil {
		return errors.New(strings.TrimSpace(failure.String()))
	}
	_, err = listens(line)
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
