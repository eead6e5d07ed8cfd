package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
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
	fmt.Fprintf(t, "refserver runs an in-memory copy of the platform on this machine, to develop and test apps in any language. Begin with\n\n"+
		"    refserver serve --demo --control %s\n\nand run the other commands in another terminal.\n", usualControl)
	for _, g := range groups() {
		fmt.Fprintf(t, "\n%s\n\n", g.title)
		for _, c := range g.commands {
			fmt.Fprintf(t, "  %s\t%s\n", c.name, c.does)
		}
	}
	fmt.Fprintf(t, "\n%s\n%s\n", wrap(fmt.Sprintf(`"refserver help COMMAND" explains a command. Commands that need a server call the one at --control, `+
		`at the address in %s, or at http://%s. Every command has --json. Flags may come before or after arguments, but after an act.`,
		controlVariable, usualControl), ""), statuses)
	return t.Flush()
}

// helpWidth is the width of the texts of the help.
const helpWidth = 80

// wrapped is a word of a text that is not broken: a quoted command is one.
var wrapped = regexp.MustCompile(`"[^"]*"\S*|\S+`)

// wrap fills the lines of each paragraph, and begins them with the indent. Lines that begin with a space stay as they
// are.
func wrap(text, indent string) string {
	var out strings.Builder
	column := 0
	end := func() {
		if column > 0 {
			out.WriteString("\n")
		}
		column = 0
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' {
			end()
			out.WriteString(line)
			continue
		}
		for _, word := range wrapped.FindAllString(line, -1) {
			n := utf8.RuneCountInString(word)
			switch {
			case column == 0:
				out.WriteString(indent)
				column = len(indent)
			case column+1+n > helpWidth:
				out.WriteString("\n" + indent)
				column = len(indent)
			default:
				out.WriteString(" ")
				column++
			}
			out.WriteString(word)
			column += n
		}
	}
	end()
	return out.String()
}

// help explains a command.
func help(w io.Writer, c command) error {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.bind(f)
	usage := strings.TrimSpace("refserver " + c.name + " " + c.args)
	if _, err := fmt.Fprintf(w, "usage: %s\n\n%s.\n\n%s", usage, sentence(c.does), wrap(c.lesson+"\n", "")); err != nil {
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
			fmt.Fprintf(w, "  %s\n%s", strings.TrimSpace("--"+one.Name+" "+value), wrap(text+"\n", "        "))
		})
	}
	c.listActs(w)
	if c.alone {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n--json prints JSON. --control ADDRESS and --store ID select the server and the store.\n")
	return err
}

// sentence begins with a capital.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
