package inboxops

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// The exit statuses of Main.
const (
	ExitDone      = 0 // success
	ExitFailed    = 1 // the inbox failed, or an entry was not found
	ExitUsage     = 2 // the arguments are wrong
	ExitUnchanged = 3 // nothing was changed: --yes is missing, or is not the number of entries that match now
)

const usage = `usage: inbox COMMAND [flags] [key ...]

  stats             figures
  groups            entries by state, event and cause, problems first
  list              entries
  dead              dead entries: list --state dead
  show KEY          one entry; --body shows its body, unless it is a privacy request
  replay KEY ...    makes dead entries pending
  replay --yes N    makes all dead entries pending that the flags select; N is their number
  purge KEY ...     deletes dead entries
  purge --yes N     deletes all dead entries that the flags select, except privacy requests; N is their number

Exit status: 0 done, 1 failed, 2 wrong arguments, 3 nothing was changed because --yes is not the number of entries.
Flags come before keys.

`

// command is one run of Main.
type command struct {
	name   string
	inbox  inbox
	keys   []string
	query  query
	all    bool // all entries are selected
	yes    int
	limit  int
	body   bool
	json   bool
	stdout io.Writer
	filter webhook.EntryFilter
}

var errUnchanged = errors.New("nothing was changed")

// Main is the command with which an app operates its inbox, such as "myapp inbox dead". Args are the arguments after
// "inbox". It prints results to stdout, as JSON with --json, prints problems to stderr, and returns the exit status.
// Run it without arguments or with --help for its commands. Unprintable characters in texts from outside are escaped.
func Main(ctx context.Context, in webhook.Inbox, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ExitDone
	case err != nil:
		_, _ = fmt.Fprintln(stderr, "inbox:", printable(err.Error()))
		return ExitUsage
	}
	if c.inbox, err = usable(in); err == nil {
		err = c.run(ctx)
	}
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, errUnchanged):
		_, _ = fmt.Fprintln(stderr, printable(strings.TrimPrefix(err.Error(), errUnchanged.Error()+": ")))
		return ExitUnchanged
	}
	_, _ = fmt.Fprintln(stderr, "inbox:", printable(err.Error()))
	return ExitFailed
}

func parse(args []string, stdout, stderr io.Writer) (*command, error) {
	c := &command{stdout: stdout}
	if len(args) == 0 || args[0] == "help" || strings.TrimLeft(args[0], "-") == "help" || args[0] == "-h" {
		_, _ = io.WriteString(stdout, usage)
		flags := c.flags()
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return nil, flag.ErrHelp
	}
	c.name = args[0]
	flags := c.flags()
	flags.SetOutput(stdout) // of --help
	flags.Usage = func() { _, _ = io.WriteString(stdout, usage); flags.PrintDefaults() }
	var quiet strings.Builder
	if !wantsHelp(args[1:]) {
		flags.SetOutput(&quiet)
		flags.Usage = func() {}
	}
	if err := flags.Parse(args[1:]); err != nil {
		return nil, err
	}
	c.keys = flags.Args()
	for _, key := range c.keys {
		if strings.HasPrefix(key, "--") {
			return nil, fmt.Errorf("%q: flags come before keys", key)
		}
	}
	return c, c.check()
}

func wantsHelp(args []string) bool {
	for _, arg := range args {
		if arg == "-h" || strings.TrimLeft(arg, "-") == "help" && arg != "help" {
			return true
		}
	}
	return false
}

func (c *command) flags() *flag.FlagSet {
	f := flag.NewFlagSet("inbox "+c.name, flag.ContinueOnError)
	f.StringVar(&c.query.State, "state", "", fmt.Sprintf("for list: one of %q", webhook.EntryStates()))
	f.StringVar(&c.query.Event, "event", "", "an event; "+unknownEvent+" selects entries without a known event")
	f.StringVar(&c.query.Store, "store", "", "the id of a store; 0 selects entries without a known store")
	f.StringVar(&c.query.Cause, "cause", "", "the last error of entries, without its ids; "+noCause+" selects entries without one")
	f.StringVar(&c.query.Older, "older", "", "at least this long dead or pending, such as 1h30m")
	f.StringVar(&c.query.Until, "until", "", "dead or pending since this time or longer, such as 2026-01-02T15:04:05Z")
	f.StringVar(&c.query.Prefix, "prefix", "", "the beginning of the key")
	f.StringVar(&c.query.Record, "record", "", "the id of the record that entries are about, such as an order")
	f.BoolVar(&c.all, "all", false, "for replay and purge: all dead entries")
	f.IntVar(&c.yes, "yes", 0, "for replay and purge: the number of entries; without it, the command prints that number")
	f.IntVar(&c.limit, "limit", 100, "for list and dead: the largest number of entries; 0 means all")
	f.BoolVar(&c.body, "body", false, "for show: print the body too")
	f.BoolVar(&c.json, "json", false, "print JSON")
	return f
}

// check returns an error that describes mistakes in the arguments, or nil.
func (c *command) check() (err error) {
	selects := len(c.query.values()) > 0 || c.all
	acts := action(c.name).valid()
	switch c.name {
	case "stats", "groups", "list", "dead", "show", "replay", "purge":
	default:
		return fmt.Errorf("unknown command %q: run it with --help", c.name)
	}
	switch {
	case c.name == "show" && len(c.keys) != 1:
		return fmt.Errorf("show: %d keys: must be one", len(c.keys))
	case !acts && c.name != "show" && len(c.keys) > 0:
		return fmt.Errorf("%s: argument %q: must be flags only", c.name, c.keys[0])
	case acts && len(c.keys) > 0 && (selects || c.yes != 0):
		return fmt.Errorf("%s: both keys and selecting flags are given: must be one of them", c.name)
	case acts && len(c.keys) == 0 && !selects:
		return fmt.Errorf("%s: no entry is selected: give keys, a flag such as --event or --cause, or --all", c.name)
	case !acts && (c.yes != 0 || c.all):
		return fmt.Errorf("%s: --yes and --all must be used with replay or purge only", c.name)
	case acts && c.query.State != "" && c.query.State != string(webhook.EntryDead):
		return fmt.Errorf("%s: state %q: must be dead or missing", c.name, c.query.State)
	case c.yes < 0 || c.limit < 0:
		return fmt.Errorf("%s: --yes %d, --limit %d: must be 0 or more", c.name, c.yes, c.limit)
	case c.name == "dead" && c.query.State != "":
		return fmt.Errorf("dead: --state must be used with list only")
	case c.name == "dead":
		c.query.State = string(webhook.EntryDead)
	}
	c.filter, err = c.query.filter(time.Now())
	return err
}
