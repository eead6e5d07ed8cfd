package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

const mostFile = 1 << 20 // bytes of a file; the control API takes as much

func seedCommand() command {
	return command{
		name: "seed", args: "FILE", least: 1, most: 1, does: "creates records from a file; - is standard input",
		lesson: `The file is JSON: {"records": [...]}, or only the array. Each record is a call of the API by the demo app: its path, its
body and, optionally, method, version, store and app. "as" names a record. A later path or body refers to members of the
API's answer by that name: {mug.id} is the id of the record named mug.

    echo '[{"path": "/products", "body": {"name": {"en": "Mug"}}, "as": "mug"},
           {"path": "/products/{mug.id}/images", "body": {"src": "https://pictures.example/mug.png"}}]' | refserver seed -

If a record is refused, the records before it stay. To undo them, run "refserver snapshot keep NAME" before the seed and
"refserver snapshot restore NAME" after it.`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(ctx context.Context, e *env) error {
				raw, err := readFile(e.args[0])
				if err != nil {
					return err
				}
				var body json.RawMessage = raw
				if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
					body = json.RawMessage(`{"records":` + string(raw) + "}")
				}
				if !json.Valid(body) {
					var v any
					return fmt.Errorf("%s: must be JSON: %w%w", fileName(e.args[0]), json.Unmarshal(raw, &v), silent{errUsage})
				}
				var made json.RawMessage
				if err := e.remote.Call(ctx, "POST", "seed", body, &made); err != nil {
					return err
				}
				return printed(e, made, func(w io.Writer, a reply) {
					for _, r := range a.list("created") {
						fmt.Fprintf(w, "%s\t%s\t%s\n", r.text("path"), r.text("as"), oneLine(r.at("id").raw))
					}
				})
			}
		},
	}
}

// fileName is the name of a file in an error.
func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// readFile reads a file, or standard input if its name is "-".
func readFile(name string) ([]byte, error) {
	in := os.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("%w%w", err, silent{errUsage})
		}
		defer file.Close()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, mostFile+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > mostFile {
		return nil, misused("file", fileName(name), fmt.Sprintf("must have at most %d bytes", mostFile))
	}
	return raw, nil
}
