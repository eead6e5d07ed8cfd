package main

import (
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// group is a part of the list of commands.
type group struct {
	title    string
	commands []command
}

// groups is the only list of commands. The first argument, the help and the tests of the lessons use it.
func groups() []group {
	return []group{
		{"Run the platform:", []command{
			serveCommand(), envCommand(), installCommand(), uninstallCommand(), seedCommand(), snapshotCommand(), clockCommand(),
			faultCommand(),
		}},
		{"Act as customers and merchants:", []command{
			triggerCommand(), cartCommand(), quoteCommand(), buyCommand(), payCommand(), saleCommand(), refundCommand(),
		}},
		{"See what happened:", []command{logCommand(), deliveriesCommand(), resendCommand()}},
		{"Write and check your app:", []command{
			initCommand(), contractCommand(), doctorCommand(), testCommand(), scenarioCommand(), recordCommand(), replayCommand(),
			signCommand(), verifyCommand(),
		}},
		{"Everything else:", []command{doCommand(), mcpCommand(), helpCommand()}},
	}
}

// commands are the commands of all groups.
func commands() (all []command) {
	for _, g := range groups() {
		all = append(all, g.commands...)
	}
	return all
}

// find returns the command of a name.
func find(name string) (command, error) {
	if name, ok := strings.CutPrefix(name, "do "); ok {
		if c, ok := findAct(name); ok {
			return c, nil
		}
		return doCommand(), nil
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, &usageError{"", world.Known("command", name, names)}
}
