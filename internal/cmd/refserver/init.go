package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// starters are the programs that init writes: KIND and the suffix of their language.
//
//go:embed starters
var starters embed.FS

// languages of the starters. The program in a file is started by start, in which PORT and FILE are replaced.
var languages = []struct{ name, suffix, start string }{
	{"node", ".mjs", "node FILE PORT"},
	{"python", ".py", "python3 FILE PORT"},
	{"php", ".php", "PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:PORT FILE"}, // the comment of discounts.php has more
	{"go", ".go", "go run FILE PORT"},
}

func initCommand() command {
	return command{
		name: "init", args: "LANGUAGE KIND [FILE]", least: 2, most: 3, does: "writes a small program that answers the platform's calls, for you to extend", alone: true,
		lesson: `The program has no dependencies, has at most 80 lines (labels: 95, payments: 129), and passes "refserver doctor". LANGUAGE is node,
python, php or go. KIND is webhooks, discounts, carrier (shipping rates), labels or payments; PHP has no program for labels, and Go has
only webhooks and payments, because the packages of commerce-go do more. FILE must not exist; without one, the name is KIND with the suffix of the language. The command prints
how to start the program, with the variables of "refserver env".

    (cd "$(mktemp -d)" && refserver init node webhooks)
    (cd "$(mktemp -d)" && refserver init python discounts app.py)`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error { return writeStarter },
	}
}

func writeStarter(_ context.Context, e *env) error {
	program, file, start, err := starter(e.args[0], e.args[1])
	if err != nil {
		return fmt.Errorf("%w%w", err, silent{errUsage})
	}
	if len(e.args) == 3 {
		file = e.args[2]
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(program); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	start = strings.NewReplacer("FILE", file, "PORT", "3000").Replace(start)
	return showValue(e, map[string]string{"file": file, "start": start}, func(w io.Writer) {
		fmt.Fprintf(w, "%s is written. Start it:\n\n    eval \"$(refserver env)\" && %s\n\nExamine it:\n\n", file, start)
		fmt.Fprintf(w, "    refserver doctor http://127.0.0.1:3000 --as %s\n", e.args[1])
	})
}

// starter returns the program for a language and a kind, its usual file, and how it is started.
func starter(language, kind string) (program []byte, file, start string, err error) {
	var names []string
	for _, l := range languages {
		if names = append(names, l.name); l.name != language {
			continue
		}
		kinds := kindsIn(l.suffix)
		if err := world.Known("kind for "+language, kind, kinds); err != nil {
			return nil, "", "", err
		}
		name := kind + l.suffix
		if l.suffix == ".go" {
			name += ".txt" // the program is no part of this one
		}
		program, err = starters.ReadFile("starters/" + name)
		return program, kind + l.suffix, l.start, err
	}
	return nil, "", "", world.Known("language", language, names)
}

// kindsIn are the kinds that there is a program for.
func kindsIn(suffix string) []string {
	var kinds []string
	files, _ := fs.ReadDir(starters, "starters") // which is embedded
	for _, f := range files {
		if kind, found := strings.CutSuffix(strings.TrimSuffix(f.Name(), ".txt"), suffix); found {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
