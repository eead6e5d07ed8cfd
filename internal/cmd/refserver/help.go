package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

const statuses = `Exit status: 0 done, 1 a check found an error, 2 the command line is wrong, 3 no server answers,
4 the server refused, 5 anything else.`

func helpCommand() command {
	return command{
		name: "help", args: "[COMMAND]", does: "explains a command, with an example that runs", most: 2, alone: true,
		lesson: `Without a COMMAND it lists all commands.

    refserver help cart`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(_ context.Context, e *env) error {
				if len(e.args) == 0 {
					return overview(e.stdout)
				}
				c, err := find(strings.Join(e.args, " "))
				if err != nil {
					return err
				}
				return help(e.stdout, c)
			}
		},
	}
}

// overview lists the commands.
func overview(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "refserver is the platform on this machine, for apps in any language.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(t, "  %s\t%s\n", c.name, c.does)
	}
	fmt.Fprintf(t, "\n\"refserver help COMMAND\" explains one. Commands with --control call the server at --control, at %s, or at\n", controlVariable)
	fmt.Fprintf(t, "http://%s. All have --json. Flags may be set before and after arguments.\n\n%s\n", usualControl, statuses)
	return t.Flush()
}

// help explains a command.
func help(w io.Writer, c command) error {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.bind(f)
	usage := strings.TrimSpace("refserver " + c.name + " " + c.args)
	if _, err := fmt.Fprintf(w, "usage: %s\n\n%s.\n\n%s\n", usage, sentence(c.does), c.lesson); err != nil {
		return err
	}
	flags := 0
	f.VisitAll(func(*flag.Flag) { flags++ })
	if flags > 0 {
		fmt.Fprint(w, "\nFlags:\n\n")
		f.VisitAll(func(one *flag.Flag) {
			value, text := flag.UnquoteUsage(one)
			if one.DefValue != "" && one.DefValue != "false" && one.DefValue != "0" {
				text += " (default " + one.DefValue + ")"
			}
			fmt.Fprintf(w, "  %s\n        %s\n", strings.TrimSpace("--"+one.Name+" "+value), text)
		})
	}
	if c.name == "do" {
		listActs(w)
	}
	if c.alone {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n--json prints JSON; --control ADDRESS and --store ID select the server and the store.\n")
	return err
}

// sentence begins with a capital.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
