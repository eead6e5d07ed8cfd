package contract

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// reference builds the reference server, and returns a function that runs one of its commands.
func reference(t *testing.T) (program string, run func(args ...string) string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "refserver")
	build := exec.Command("go", "build", "-o", program, "../cmd/refserver")
	build.Env = append(os.Environ(), "GOFLAGS="+proctest.BuildFlags()) // with the packages that are compiled already
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program, func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			t.Errorf("refserver %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

// runs are the commands of a program that a page shows, in a block or in a line.
func runs(page, program string) []string {
	page = strings.ReplaceAll(page, "\\\n", " ")
	return firsts("(?m)(?:`|^|[(] *|; |until )"+program+" ([^`\n|&;>)]+)", page)
}

var flags = regexp.MustCompile(`(?:^| )--([a-z-]+)`)

// The pages and the reference server agree about commands, flags, acts and variables.
func TestPagesMatchTheReferenceServer(t *testing.T) {
	program, run := reference(t)
	t.Run("flags", func(t *testing.T) { flagsExist(t, run) })
	t.Run("variables", func(t *testing.T) { variablesAreListed(t, program, run) })
	t.Run("lines", func(t *testing.T) { programsAreShort(t, run) })
}

// programsAreShort: a program that refserver init writes has at most the lines of the page.
func programsAreShort(t *testing.T, run func(args ...string) string) {
	limits := firsts("writes a program of at most ([0-9]+) lines", text(t, "client/docs/testing.md"))
	most, err := strconv.Atoi(strings.Join(limits, " "))
	if err != nil {
		t.Fatalf("testing.md has the limits %q, want one", limits)
	}
	for _, language := range []string{"node", "python", "php", "go"} {
		file := filepath.Join(t.TempDir(), "app")
		run("init", language, "webhooks", file)
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(written), "\n"); lines < 20 || lines > most {
			t.Errorf("refserver init %s webhooks writes %d lines, testing.md says at most %d", language, lines, most)
		}
	}
}

// flagsExist: every flag that a page gives to refserver is one of its command, and every act that it performs exists.
func flagsExist(t *testing.T, run func(args ...string) string) {
	used, helps := 0, map[string]string{}
	for _, page := range append(guides(t), "README.md") {
		for _, command := range runs(text(t, page), "refserver") {
			words := strings.Fields(command)
			about := []string{"help", words[0]}
			if words[0] == "do" && len(words) > 1 {
				about = []string{"do", words[1], "--help"}
			}
			key := strings.Join(about, " ")
			if helps[key] == "" && words[0] != "help" {
				helps[key] = run(about...)
			}
			for _, name := range flags.FindAllStringSubmatch(command, -1) {
				if used++; !strings.Contains(helps[key], "--"+name[1]) {
					t.Errorf("%s: refserver %s: its help has no --%s", page, command, name[1])
				}
			}
		}
	}
	if used < 25 || len(helps) < 15 {
		t.Errorf("the pages use %d flags of %d commands", used, len(helps))
	}
}

// variablesAreListed: the page about tests has a row for each variable that refserver env prints.
func variablesAreListed(t *testing.T, program string, run func(args ...string) string) {
	serve := exec.Command(program, "serve", "--demo", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0")
	printed, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = serve.Process.Kill()
		_ = serve.Wait() // it was killed
	}()
	control, lines := "", bufio.NewScanner(printed)
	for control == "" && lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "control    http://"); found {
			control, _, _ = strings.Cut(address, "/")
		}
	}
	names := firsts(`(?m)^export ([A-Z_]+)=`, run("env", "--control", control))
	rows := firsts("(?m)^\\| `([A-Z_]+)` \\|", text(t, "client/docs/testing.md"))
	slices.Sort(names)
	slices.Sort(rows)
	if len(names) < 5 || !slices.Equal(names, rows) {
		t.Errorf("refserver env prints %q, testing.md has rows for %q", names, rows)
	}
}

// Every flag that a page gives to an example is declared in its program.
func TestPagesUseFlagsOfExamples(t *testing.T) {
	declared := map[string]string{}
	for _, s := range allSources(t) {
		if strings.HasPrefix(s.dir, "examples/") && !s.test() {
			declared[filepath.Base(s.dir)] += text(t, s.dir+"/"+s.name)
		}
	}
	used := 0
	for _, page := range append(guides(t), "README.md", "examples/flagship/deploy/README.md") {
		for name, program := range declared {
			for _, command := range append(runs(text(t, page), `go run \./examples/`+name), runs(text(t, page), name)...) {
				command, _, _ = strings.Cut(command, " inbox ") // a command of package inboxops, which has flags of its own
				for _, flag := range firsts(`(?:^| )-([a-z][a-z-]+)`, command) {
					if used++; !strings.Contains(program, `, "`+flag+`", `) {
						t.Errorf("%s: %s %s: the program has no flag -%s", page, name, command, flag)
					}
				}
			}
		}
	}
	if used < 10 {
		t.Errorf("the pages use %d flags of examples", used)
	}
}

// Every variable of the environment that a page names is read or written by a program.
func TestPagesNameVariablesThatExist(t *testing.T) {
	var all strings.Builder
	all.WriteString(text(t, "Makefile"))
	for _, s := range allSources(t) {
		all.WriteString(text(t, s.dir+"/"+s.name))
	}
	programs, named := all.String(), 0
	for _, page := range append(guides(t), "README.md", "CONTRIBUTING.md", "examples/flagship/deploy/README.md") {
		for _, name := range firsts(`\b((?:COMMERCE|REFSERVER)_[A-Z_]+)\b`, text(t, page)) {
			if named++; !strings.Contains(programs, name) {
				t.Errorf("%s names the variable %s, which no program has", page, name)
			}
		}
	}
	if named < 15 {
		t.Errorf("the pages name %d variables", named)
	}
}

// Every button and heading of the console that the page about tests names, in bold, is in the console.
func TestPagesNameButtonsOfTheConsole(t *testing.T) {
	_, section, found := strings.Cut(text(t, "client/docs/testing.md"), "\n## The console\n")
	section, _, _ = strings.Cut(section, "\n## ")
	console := text(t, "internal/refserver/console/assets/page.html")
	for _, s := range allSources(t) {
		if s.dir == "internal/refserver/console" && !s.test() {
			console += text(t, s.dir+"/"+s.name)
		}
	}
	named := firsts(`(?s)\*\*(.*?)\*\*`, section)
	for _, label := range named {
		label = strings.Join(strings.Fields(label), " ") // over two lines
		if !strings.Contains(console, `"`+label+`"`) && !strings.Contains(console, ">"+label+"<") {
			t.Errorf("testing.md names %q, and the console has no button or heading of that name", label)
		}
	}
	if !found || len(named) < 5 {
		t.Errorf("testing.md names %q", named)
	}
}
