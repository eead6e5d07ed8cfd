package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func scenarioCommand() command {
	return command{
		name: "scenario", args: "record FILE", least: 2, most: 2, does: "records what you do as a scenario for \"refserver test\"",
		lesson: `Until SIGINT or SIGTERM ends it, acts of other commands, of the console and of the control API become steps of the
scenario, after the installation of your app. Ids become variables. The totals of carts and orders and the outcomes of payments
become expectations, as does the acceptance of all webhooks, if your app accepted them. Reads and refused acts are left out.

    refserver scenario record mine.json > recorder.txt &
    until grep -q records recorder.txt; do sleep 0.1; done
    refserver cart add
    refserver buy
    kill $! && wait $!
    refserver test mine.json --start "node app.mjs" || echo "status $?"

FILE must not exist. You can edit it: "refserver test --schema" and the section Scenarios of testing.md describe the form.`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error { return recordScenario },
	}
}

func recordScenario(ctx context.Context, e *env) (err error) {
	verb, file := e.args[0], e.args[1]
	if verb != "record" {
		return misused("argument", verb, "must be record")
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := e.do(ctx, "scenarios.record", nil, nil, nil); err != nil {
		return err
	}
	if err := showValue(e, map[string]string{"records": file}, func(w io.Writer) { fmt.Fprintf(w, "records to %s\n", file) }); err != nil {
		return err
	}
	<-ctx.Done()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	var raw json.RawMessage
	if err := e.do(last, "scenarios.stop", nil, nil, &raw); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return err
	}
	if _, err := f.Write(append(out.Bytes(), '\n')); err != nil {
		return err
	}
	return f.Close()
}
