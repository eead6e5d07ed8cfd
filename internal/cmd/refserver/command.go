package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// command is a row of the table of commands.
type command struct {
	name string
	args string // the rest of its usage after the name; may be empty
	does string // one line
	// lesson is the rest of the help. Lines that are indented and begin with "refserver" are examples that run against
	// "refserver serve --demo --control 127.0.0.1:8082".
	lesson string
	// least and most are its numbers of arguments, without flags.
	least, most int
	// acts are the names of acts that the command performs, by the word after its own name, as in "labels generate".
	// The command of a word follows from the table of acts. facts is set if answers are shown as text, not as JSON.
	acts  map[string]string
	facts bool
	// inputs are the names of arguments that set members of bodies, by the members.
	inputs map[string]string
	// alone is set if the command calls no server, and so has neither --control nor --store.
	alone bool
	// bind adds its flags, and returns what the command does once they are read.
	bind func(f *flag.FlagSet) func(ctx context.Context, e *env) error
}

// env is the environment of a command.
type env struct {
	args           []string
	stdout, stderr io.Writer
	json           bool
	store          string // "" is the store of the demo
	remote         *control.Client
}

// The name of the environment variable that has the address of the control API, and the address if it is empty.
const (
	controlVariable = "REFSERVER_CONTROL"
	usualControl    = "127.0.0.1:8082"
)

// usageError is a wrong command line. It names the command whose help describes the right one.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%v\n%s", e.err, e.hint())
}

func (e *usageError) hint() string {
	return fmt.Sprintf("%q shows how", strings.TrimSpace("refserver help "+e.command))
}

func (e *usageError) Unwrap() error { return e.err }

// errFound is the error of a command that did its work and found something. Its status is 1, and the finding is printed
// already.
var errFound = errors.New("")

// run runs the command line until ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	name := "serve"
	if len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		name, args = "help", nil
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	c, err := find(name)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if one, ok := c.word(args[0]); ok {
			c, name, args = one, one.name, args[1:]
		}
	}
	f := flag.NewFlagSet("refserver "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	e := &env{stdout: stdout, stderr: stderr}
	f.BoolVar(&e.json, "json", false, "print JSON, a line for each record")
	address := usualControl
	if !c.alone {
		if set := os.Getenv(controlVariable); set != "" {
			address = set
		}
		f.StringVar(&address, "control", address, "`address` of the control API")
		f.StringVar(&e.store, "store", "", "`id` of the store; that of the demo if empty")
	}
	do := c.bind(f)
	if e.args, err = parseAround(f, args); errors.Is(err, flag.ErrHelp) {
		return help(stdout, c)
	}
	switch {
	case err != nil:
		if err = misspeltFlag(f, err); len(c.acts) > 0 && len(args) > 0 && strings.HasPrefix(args[0], "-") {
			err = fmt.Errorf("%w; flags come after the act", err)
		}
	case len(e.args) < c.least:
		err = fmt.Errorf("%s: %s is missing", name, firstMissing(c.args, len(e.args)))
	case len(e.args) > c.most:
		err = fmt.Errorf("%s: unexpected argument %q", name, e.args[c.most])
	}
	if err != nil {
		return &usageError{name, err}
	}
	if !c.alone {
		if e.remote, err = control.Dial(address); err != nil {
			return &usageError{name, err}
		}
		defer e.remote.Close()
		e.remote.Shell = shell()
	}
	err = do(ctx, e)
	if errors.Is(err, errUsage) {
		return &usageError{name, err}
	}
	if refusal, ok := errors.AsType[*control.Refusal](err); ok {
		c.inCommandWords(f, name, refusal)
	}
	return err
}

// otherDoor is the part of a hint that names a call of the control API as another way.
var otherDoor = regexp.MustCompile(` or (GET|POST|PUT|DELETE) \S+`)

// unset begins the message about members of which one must be set.
var unset = regexp.MustCompile(`^set ([a-z_]+, )*[a-z_]+ or [a-z_]+:`)

// inCommandWords rewrites a refusal of the control API: members are flags or arguments, and calls are commands.
func (c command) inCommandWords(f *flag.FlagSet, name string, refusal *control.Refusal) {
	end := max(0, strings.IndexAny(refusal.Message, " :"))
	member, rest := refusal.Message[:end], refusal.Message[end:]
	flagName := (act.Member{Name: member}).Flag()
	switch ruled := strings.Contains(rest, ": must "); {
	case ruled && f.Lookup(flagName) != nil:
		refusal.Message = "--" + flagName + rest
	case ruled && c.inputs[member] != "":
		refusal.Message = c.inputs[member] + rest
	}
	refusal.Message = unset.ReplaceAllStringFunc(refusal.Message, func(s string) string {
		for _, member := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,:", r) }) {
			if flagName := (act.Member{Name: member}).Flag(); f.Lookup(flagName) != nil {
				s = strings.Replace(s, " "+member, " --"+flagName, 1)
			}
		}
		return s
	})
	if refusal.Hint = otherDoor.ReplaceAllString(refusal.Hint, ""); strings.HasPrefix(refusal.Hint, "GET "+control.Prefix) {
		refusal.Hint = fmt.Sprintf("%q shows how", "refserver help "+name)
	}
}

// errUsage is wrapped by errors in the arguments of a command.
var errUsage = errors.New("usage")

// misused is the error of an argument or a flag, with the rule that it breaks.
func misused(what, value, rule string) error {
	return fmt.Errorf("%s %q: %s%w", what, value, rule, silent{errUsage})
}

// silent is an error that is not printed.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// parseAround reads flags before, between and after the arguments, and returns the arguments. Everything after "--" is
// an argument, and so is a negative number.
func parseAround(f *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		err := f.Parse(args)
		if err != nil && strings.HasPrefix(err.Error(), undefined) {
			if last := args[len(args)-f.NArg()-1]; negativeNumber.MatchString(last) {
				rest, args = append(rest, last), f.Args()
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		read := len(args) - f.NArg()
		if read > 0 && args[read-1] == "--" || f.NArg() == 0 {
			return append(rest, f.Args()...), nil
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
}

// undefined begins the error of a flag that does not exist, and negativeNumber is an argument that looks like one.
const undefined = "flag provided but not defined: -"

var negativeNumber = regexp.MustCompile(`^-\.?[0-9]`)

// invalidFlag is the error of a flag with a wrong value: the value, the name of the flag, and the rule.
var invalidFlag = regexp.MustCompile(`^invalid value (".*") for flag -([^:]+): (.*)$`)

// misspeltFlag rewrites the error of a flag: that of a wrong value names the rule, and that of an unknown flag the
// nearest one.
func misspeltFlag(f *flag.FlagSet, err error) error {
	if m := invalidFlag.FindStringSubmatch(err.Error()); m != nil {
		rule := m[3]
		if rule == "parse error" {
			value, _ := flag.UnquoteUsage(f.Lookup(m[2]))
			rule = "must be a " + value
		}
		return fmt.Errorf("--%s %s: %s", m[2], m[1], rule)
	}
	if name, alone := strings.CutPrefix(err.Error(), "flag needs an argument: -"); alone {
		return fmt.Errorf("--%s: must have a value", name)
	}
	name, unknown := strings.CutPrefix(err.Error(), undefined)
	if !unknown {
		return err
	}
	var known []string
	f.VisitAll(func(one *flag.Flag) { known = append(known, one.Name) })
	if near := world.Nearest(name, known); near != "" {
		return fmt.Errorf("--%.100s: there is no such flag; the nearest is --%s", plain(name), near)
	}
	return fmt.Errorf("--%.100s: there is no such flag", plain(name))
}

// firstMissing returns the word of a usage that has no argument.
func firstMissing(usage string, have int) string {
	for word := range strings.FieldsSeq(usage) {
		if !strings.ContainsAny(word, "[]") {
			if have == 0 {
				return word
			}
			have--
		}
	}
	return "an argument"
}
