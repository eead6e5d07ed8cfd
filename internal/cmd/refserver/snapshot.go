package main

import (
	"context"
	"flag"
	"fmt"
	"io"
)

func snapshotCommand() command {
	return command{
		name: "snapshot", args: "[keep NAME | restore NAME | forget NAME | reset]", most: 2,
		does: "saves the state of the platform, or restores a saved one",
		lesson: `keep saves the state: the stores with their records, the apps, and the installations with their tokens. forget deletes a
saved state. reset restores the initial state of the server, and removes faults and pending webhooks. Without arguments the
command lists the saved states. Two states with the same digest differ only in secrets.

The clock never goes back, and ids are not used again, so an app that deduplicates deliveries does not drop new ones.

    refserver snapshot keep before
    refserver trigger product/created
    refserver snapshot restore before
    refserver snapshot
    refserver snapshot reset`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				if len(e.args) == 0 {
					return list(ctx, e, "snapshots", nil, columns{"NAME name", "RECORDS records", "DIGEST digest"})
				}
				verb, name := e.args[0], ""
				if len(e.args) == 2 {
					name = e.args[1]
				}
				switch {
				case verb == "reset" && name == "":
					return show(ctx, e, "reset", nil, nil, showSnapshot)
				case name == "":
				case verb == "keep":
					return show(ctx, e, "snapshots.keep", nil, members{"name": name}, showSnapshot)
				case verb == "restore":
					return show(ctx, e, "snapshots.restore", of{name}, nil, showSnapshot)
				case verb == "forget":
					return show(ctx, e, "snapshots.forget", of{name}, nil, showForgotten)
				}
				return misused("argument", verb, "must be keep NAME, restore NAME, forget NAME or reset")
			}
		},
	}
}

func showForgotten(w io.Writer, s reply) { fmt.Fprintf(w, "%s  forgotten\n", s.text("name")) }

func showSnapshot(w io.Writer, s reply) {
	fmt.Fprintf(w, "%s  %s records  %s\n", s.text("name"), s.text("records"), s.text("digest"))
}
