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
arguments the faults are listed with their hits.

    refserver fault "POST /products" --status 503 --count 2
    refserver fault "GET /orders/{id}" --delay 3s
    refserver fault "POST /orders" --reset --after
    refserver fault
    refserver fault end

--after does the work first and loses the answer. Retries of writes must survive that.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			in := map[string]any{}
			header := map[string]string{}
			number := func(name, usage string) {
				n := f.Int(name, 0, usage)
				in[name] = n
			}
			number("status", "`status` of the answer, 400 to 599")
			number("count", "number of `calls` that fail; 0 means all")
			number("skip", "number of `calls` that succeed before")
			in["body"] = f.String("body", "", "`text` of the answer")
			in["delay"] = f.String("delay", "0s", "`duration` to wait before the answer")
			in["reset"] = f.Bool("reset", false, "reset the connection instead of answering")
			in["truncate"] = f.Bool("truncate", false, "cut the answer off")
			in["after"] = f.Bool("after", false, "do the work, then fail")
			f.Func("header", "`name=value` in the answer; repeatable", func(s string) error {
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
					return list(ctx, e, "faults", "ID OPERATION STATUS HITS COUNT DONE", func(a faultJSON) []any {
						return []any{a.ID, a.Operation, a.Status, a.Hits, a.Count, a.Done}
					})
				case e.args[0] == "end" && len(e.args) == 2:
					return endFaults(ctx, e, "faults/"+escape(e.args[1]))
				case e.args[0] == "end":
					return endFaults(ctx, e, "faults")
				case len(e.args) == 2:
					return misused("argument", e.args[1], "must be quoted with the operation, as in \"POST /products\"")
				}
				in["operation"], in["header"] = e.args[0], header
				return call(ctx, e, "POST", "faults", in, func(w io.Writer, a faultJSON) {
					fmt.Fprintf(w, "fault %d is armed for %s; \"refserver fault end %d\" ends it\n", a.ID, a.Operation, a.ID)
				})
			}
		},
	}
}

// faultJSON is a fault with its hits.
type faultJSON struct {
	ID        int64  `json:"id"`
	Operation string `json:"operation"`
	Status    int    `json:"status"`
	Hits      int    `json:"hits"`
	Count     int    `json:"count"`
	Done      bool   `json:"done"`
}

func endFaults(ctx context.Context, e *env, path string) error {
	return call(ctx, e, "DELETE", path, nil, func(w io.Writer, a struct{ Ended int }) {
		fmt.Fprintf(w, "%d ended\n", a.Ended)
	})
}
