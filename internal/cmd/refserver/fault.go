package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

func faultCommand() command {
	return command{
		name: "fault", args: "[OPERATION | end [ID]]", most: 2, does: "makes calls of the API fail, lists the faults, or ends them",
		lesson: `An OPERATION is a method and a path as "refserver serve --routes" lists them, an operation's id, or * for all. Without
arguments the command lists the faults, each with the number of calls that it has hit.

    refserver fault "POST /products" --status 503 --count 2
    refserver fault "GET /orders/{id}" --delay 3s
    refserver fault "POST /orders" --reset --after
    refserver fault
    refserver fault end

With --after the platform makes the change, and then the call fails. A client that repeats the call must not make the
change twice.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			in := members{}
			header := map[string]string{}
			number := func(name, usage string) {
				n := f.Int(name, 0, usage)
				in[name] = n
			}
			number("status", "`status` of the answer, 200 to 599")
			number("count", "number of `calls` that fail; 0 means all")
			number("skip", "number of `calls` that succeed before the first that fails")
			in["body"] = f.String("body", "", "`text` of the answer")
			in["delay"] = f.String("delay", "0s", "`duration` to wait before the answer")
			in["reset"] = f.Bool("reset", false, "reset the connection instead of answering")
			in["truncate"] = f.Bool("truncate", false, "close the connection in the middle of the answer")
			in["after"] = f.Bool("after", false, "make the change, then fail")
			f.Func("header", "`name=value` of a header of the answer; repeatable", func(s string) error {
				name, value, ok := strings.Cut(s, "=")
				if !ok || name == "" {
					return fmt.Errorf("must be like Retry-After=5")
				}
				header[name] = value
				return nil
			})
			return func(ctx context.Context, e *env) error {
				switch {
				case len(e.args) == 0:
					return list(ctx, e, "faults", nil, columns{"ID id", "OPERATION operation", "STATUS status", "HITS hits", "COUNT count", "DONE done"})
				case e.args[0] == "end" && len(e.args) == 2:
					return show(ctx, e, "faults.remove", of{e.args[1]}, nil, printEnded)
				case e.args[0] == "end":
					return show(ctx, e, "faults.remove-all", nil, nil, printEnded)
				case len(e.args) == 2:
					return misused("argument", e.args[1], "must be quoted with the operation, as in \"POST /products\"")
				}
				in["operation"], in["header"] = e.args[0], header
				return show(ctx, e, "faults.add", nil, in, func(w io.Writer, a reply) {
					const text = "fault %s is armed for %s; \"refserver fault end %[1]s\" ends it\n"
					fmt.Fprintf(w, text, a.text("id"), a.text("operation"))
				})
			}
		},
	}
}

func printEnded(w io.Writer, a reply) {
	switch n := a.text("ended"); n {
	case "0":
		fmt.Fprintln(w, "no fault ended")
	case "1":
		fmt.Fprintln(w, "1 fault ended")
	default:
		fmt.Fprintf(w, "%s faults ended\n", n)
	}
}
