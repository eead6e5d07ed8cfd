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
		does: "keeps the state of the platform, or restores one",
		lesson: `A state is the stores with their records, the apps, and the installations with their tokens. Two states with the same
digest differ only in secrets. reset restores the initial state of the server, and ends faults and waiting webhooks.
The clock never goes back, and ids continue, so an app that remembers deliveries takes none for a repetition of another.

    refserver snapshot keep before
    refserver trigger product/created
    refserver snapshot restore before
    refserver snapshot
    refserver snapshot reset`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				if len(e.args) == 0 {
					return list(ctx, e, "snapshots", "NAME RECORDS DIGEST", func(s snapshotJSON) []any {
						return []any{s.Name, s.Records, s.Digest}
					})
				}
				verb, name := e.args[0], ""
				if len(e.args) == 2 {
					name = e.args[1]
				}
				switch {
				case verb == "reset" && name == "":
					return call(ctx, e, "POST", "reset", nil, showSnapshot)
				case name == "":
				case verb == "keep":
					return call(ctx, e, "POST", "snapshots", map[string]any{"name": name}, showSnapshot)
				case verb == "restore":
					return call(ctx, e, "POST", "snapshots/"+escape(name)+"/restore", nil, showSnapshot)
				case verb == "forget":
					return call(ctx, e, "DELETE", "snapshots/"+escape(name), nil, showSnapshot)
				}
				return misused("argument", verb, "must be keep NAME, restore NAME, forget NAME or reset")
			}
		},
	}
}

type snapshotJSON struct {
	Name    string `json:"name"`
	Records int64  `json:"records"`
	Digest  string `json:"digest"`
}

func showSnapshot(w io.Writer, s snapshotJSON) {
	fmt.Fprintf(w, "%s  %d records  %s\n", plain(s.Name), s.Records, s.Digest)
}
