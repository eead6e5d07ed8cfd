package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func contractCommand() command {
	return command{
		name: "contract", args: "[NAME]", most: 1, alone: true,
		does: "lists the files of the contract, or prints one",
		lesson: `The files describe the API and the platform's calls to apps, for programs in any language: OpenAPI 3.1, a page on each kind
of call, example bodies, and signed test cases. To use one with other tools, write it to a file.

    refserver contract
    refserver contract discounts.md`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error { return printContract },
	}
}

// printContract prints the names of the files of the contract, or the file that the argument names.
func printContract(_ context.Context, e *env) error {
	var names []string
	err := fs.WalkDir(contract.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(e.args) == 0 {
		return listed(e, names)
	}
	data, err := contract.Files.ReadFile(e.args[0])
	if err != nil {
		rule := "must be a file of the contract"
		if near := world.Nearest(e.args[0], names); near != "" {
			rule = fmt.Sprintf("must be a file of the contract; the nearest is %s", near)
		}
		return misused("NAME", e.args[0], rule)
	}
	_, err = e.stdout.Write(data)
	return err
}

// listed prints a name on each line.
func listed(e *env, names []string) error {
	for _, name := range names {
		err := error(nil)
		if e.json {
			err = e.line(fmt.Appendf(nil, `{"name":%q}`, name))
		} else {
			_, err = fmt.Fprintln(e.stdout, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
